const WRITTEN_IN = new Set(['textarea', 'select']);
const NOT_WRITTEN_IN = new Set(['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'range', 'color', 'file']);

/** Whether the keyboard writes into something of the page: what is typed there must not go astray. */
export function isTypingIn(root: Document | ShadowRoot): boolean {
  const { activeElement } = root;
  if (activeElement === null) {
    return false;
  }
  const { localName, shadowRoot } = activeElement;
  if (localName.startsWith('circuy-')) {
    return false;
  }
  if (shadowRoot !== null) {
    return isTypingIn(shadowRoot);
  }
  if (localName === 'iframe') {
    return isTypingInFrame(activeElement as HTMLIFrameElement);
  }
  return (
    WRITTEN_IN.has(localName) ||
    (activeElement as HTMLElement).isContentEditable ||
    (localName === 'input' && !NOT_WRITTEN_IN.has((activeElement as HTMLInputElement).type))
  );
}

/** In a frame that we may not look into, people may well be typing. */
function isTypingInFrame(frame: HTMLIFrameElement): boolean {
  const inner = frame.contentDocument;
  return inner === null || isTypingIn(inner);
}
