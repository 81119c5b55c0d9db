/** Building our own DOM. Texts only ever become text nodes: nothing here reads HTML. */

type Child = Node | string | null;

export interface Options {
  class?: string;
  /** Value of `data-circuy`, the stable name by which tests and integrators find the element. */
  hook?: string;
  attributes?: Record<string, string | boolean>;
  on?: Partial<{ [Name in keyof HTMLElementEventMap]: (event: HTMLElementEventMap[Name]) => void }>;
}

/** A new HTML element. Its listeners go when it goes. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  options: Options = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (options.class !== undefined) {
    element.className = options.class;
  }
  if (options.hook !== undefined) {
    element.setAttribute('data-circuy', options.hook);
  }
  for (const [name, value] of Object.entries(options.attributes ?? {})) {
    if (value !== false) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  for (const [name, listener] of Object.entries(options.on ?? {})) {
    element.addEventListener(name, listener as EventListener);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}
