import type { HOSTS } from '../dom/own_ui';

type HostTag = (typeof HOSTS)[keyof typeof HOSTS];

/** A place of our own on the page, out of reach of the page's styles. */
export interface Host {
  element: HTMLElement;
  root: ShadowRoot;
  /** Takes everything off the page. */
  remove(): void;
}

const KEYS = ['keydown', 'keyup', 'keypress'] as const;

/**
 * Puts an element with a shadow root at the end of the document. Style sheets are constructable ones: they need no
 * inline style, so the strictest content security policy lets them through.
 */
export function mountHost(tag: HostTag, locale: string, ...styles: string[]): Host {
  const element = document.createElement(tag);
  element.setAttribute('lang', locale);
  const root = element.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = styles.map(sheetOf);
  // Seen from the page, keys typed in our fields come from an unknown element: its shortcuts would answer them.
  for (const key of KEYS) {
    element.addEventListener(key, stop);
  }
  // After `body`, not in it: frameworks that replace the body leave us there, and a transformed body does not move us.
  document.documentElement.append(element);
  // A page that is shown larger or smaller as a whole does not make ours so: windows and boxes are measured as they are.
  const { currentCSSZoom } = element;
  if (currentCSSZoom !== 1) {
    root.adoptedStyleSheets.push(sheetOf(`.root{zoom:${1 / currentCSSZoom}}`));
  }
  return {
    element,
    root,
    remove: () => {
      for (const key of KEYS) {
        element.removeEventListener(key, stop);
      }
      element.remove();
    },
  };
}

export function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

function stop(event: Event): void {
  event.stopPropagation();
}

export function prefersReducedMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
