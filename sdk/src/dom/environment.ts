/**
 * Reads the page through the browser's own prototypes. A form may hold controls named `id`, `parentElement` or
 * `attributes`, which then hide the properties of the same name: `form.id` is an input. These readers are not fooled.
 */
export interface Environment {
  root(): Element;
  body(): Element;
  title(): string;
  parent(node: Node): Element | null;
  firstChild(node: Node): Node | null;
  nextSibling(node: Node): Node | null;
  firstElement(element: Element): Element | null;
  nextElement(element: Element): Element | null;
  previousElement(element: Element): Element | null;
  /** Tag name in lower case. */
  tag(element: Element): string;
  attribute(element: Element, name: string): string | null;
  /** Names of the attributes that the element has: most have none, and need not be asked for each. */
  attributeNames(element: Element): readonly string[];
  /** What a text node says; null for any other node. */
  textOf(node: Node): string | null;
  isElement(node: Node): node is Element;
  byId(id: string): Element | null;
  style(element: Element): CSSStyleDeclaration;
  /** Whether the browser renders the element: not `display: none`, not `visibility: hidden`, not in a closed part. */
  isRendered(element: Element): boolean;
  /** Whether the element takes room on the page that people can see: a box of one pixel is there for machines only. */
  hasBox(element: Element): boolean;
}

type Read<T> = (node: Node) => T;

function reader<T>(prototype: object, property: string): Read<T> {
  const get = Object.getOwnPropertyDescriptor(prototype, property)?.get as ((this: Node) => T) | undefined;
  if (get === undefined) {
    throw new TypeError(`Circuy: this browser cannot read ${property}`);
  }
  return (node) => get.call(node);
}

const ELEMENT = 1;
const TEXT = 3;

/** The environment of the page in `view`. */
export function environmentOf(view: Window & typeof globalThis): Environment {
  const node = view.Node.prototype;
  const element = view.Element.prototype;
  const { getAttribute, getAttributeNames, getBoundingClientRect } = element;
  const { getElementById } = view.Document.prototype;
  const checkVisibility = element.checkVisibility as Element['checkVisibility'] | undefined;

  const parent = reader<Element | null>(node, 'parentElement');
  const nodeType = reader<number>(node, 'nodeType');
  const nodeValue = reader<string | null>(node, 'nodeValue');
  const documentElement = reader<Element>(view.Document.prototype, 'documentElement');
  const body = reader<Element | null>(view.Document.prototype, 'body');
  const title = reader<string>(view.Document.prototype, 'title');
  const style = (target: Element) => view.getComputedStyle(target);

  return {
    root: () => documentElement(view.document),
    body: () => body(view.document) ?? documentElement(view.document),
    title: () => title(view.document),
    parent,
    firstChild: reader(node, 'firstChild'),
    nextSibling: reader(node, 'nextSibling'),
    firstElement: reader(element, 'firstElementChild'),
    nextElement: reader(element, 'nextElementSibling'),
    previousElement: reader(element, 'previousElementSibling'),
    tag: reader(element, 'localName'),
    attribute: (target, name) => getAttribute.call(target, name),
    attributeNames: (target) => getAttributeNames.call(target),
    textOf: (target) => (nodeType(target) === TEXT ? nodeValue(target) : null),
    isElement: (target): target is Element => nodeType(target) === ELEMENT,
    byId: (id) => getElementById.call(view.document, id),
    style,
    isRendered:
      checkVisibility === undefined
        ? (target) => isStyledVisible(target, parent, style)
        : (target) => checkVisibility.call(target, { visibilityProperty: true }),
    hasBox: (target) => {
      const { width, height } = getBoundingClientRect.call(target);
      return width > 1 && height > 1;
    },
  };
}

/** For engines without `checkVisibility`. */
function isStyledVisible(element: Element, parent: Environment['parent'], style: Environment['style']): boolean {
  if (style(element).visibility === 'hidden') {
    return false;
  }
  for (let current: Element | null = element; current !== null; current = parent(current)) {
    if (style(current).display === 'none') {
      return false;
    }
  }
  return true;
}
