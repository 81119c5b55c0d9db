/** The elements that the scanner looks at, each marked with its number so that its node in Chromium's tree can be told. */
globalThis.CircuyNamesBench = (() => {
  const ICON = /[\u{e000}-\u{f8ff}\u{f0000}-\u{10ffff}]/u;
  const CONTROLS = 'input,select,textarea,output,meter,progress,[contenteditable],[role]';
  const FIELD_ROLES = '[role=textbox],[role=searchbox],[role=combobox],[role=listbox],[role=spinbutton],[role=slider]';
  const NAMED_BY_TAG = 'a[href],button,input,select,textarea,summary,h1,h2,h3,h4,h5,h6,form';

  /** What is true of an element and explains why two readers call it differently. */
  function traits(element) {
    const labels = [...(element.labels ?? [])];
    const parts = [element, ...labels].flatMap((part) => [part, ...part.querySelectorAll('*')]);
    const styles = parts.flatMap((part) =>
      [null, '::before', '::after'].map((place) => getComputedStyle(part, place)),
    );
    return {
      isTransformed: styles.some((style) => style.textTransform !== 'none'),
      hasIcon: ICON.test(element.textContent) || styles.some((style) => ICON.test(style.content)),
      embedsControl: parts.some((part) => part !== element && part.matches(CONTROLS)),
      hasHiddenLabel: labels.length > 0 && labels.every((label) => !label.checkVisibility()),
      titles: parts.filter((part) => part.hasAttribute('title')).map((part) => part.getAttribute('title').trim()),
      isScripted: element.matches(FIELD_ROLES) && !element.matches('input,select,textarea'),
      isPlain: !element.hasAttribute('role') && !element.matches(NAMED_BY_TAG),
      isUnwritten: element.matches('input[type=file], input[type=submit]:not([value]), input[type=reset]:not([value])'),
    };
  }

  async function read() {
    const reader = CircuyScan.reader();
    const { payload, elements } = await CircuyScan.scan();
    const roles = new Map(payload.nodes.map((node) => [elements.get(node.id), node.role ?? null]));
    const kept = [...document.body.querySelectorAll('*')].filter((element) => reader.kindOf(element) !== null);
    const read = kept.map((element) => ({
      name: reader.nameOf(element),
      // Undefined where the scan leaves the element out, and so its role.
      role: roles.get(element),
      type: element.localName === 'input' ? element.type : '',
      traits: traits(element),
      html: element.outerHTML.slice(0, 100),
    }));
    kept.forEach((element, number) => element.setAttribute('data-names-bench', number));
    return read;
  }

  return { read };
})();
