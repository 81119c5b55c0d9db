/**
 * Reads the page through the browser's own prototypes. A form may hold controls named `id`, `parentElement` or
 * `attributes`, which then hide the properties of the same name: `form.id` is an input. These readers are not fooled.
 */
export interface Environment {
  page(): Document;
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
  /** The element of this id in the tree that `near` is in: its document or its shadow root; in the page without it. */
  byId(id: string, near?: Element): Element | null;
  /** What `selector` finds in a tree, in document order: one question to the browser instead of one an element. */
  select(tree: Tree, selector: string): readonly Element[];
  /** The document or open shadow root that `element` is in; null when it is in neither. */
  treeOf(element: Element): Tree | null;
  /** The open shadow root of `element`. */
  shadowOf(element: Element): ShadowRoot | null;
  /** The document in a frame, when the page may read it. */
  framedDocument(element: Element): Document | null;
  /** The element that a shadow root hangs on, or the frame that a document is in. */
  hostOf(tree: Tree): Element | null;
  /** Whether people write in the whole document, as in an editor's frame. */
  isDesigned(tree: Document): boolean;
  /** The document that `element` belongs to, through any shadow roots. */
  documentOf(element: Element): Document | null;
  /** Whether ids are the same whatever their case: in pages without a doctype. */
  foldsIds(tree: Tree): boolean;
  /** Starts to watch the page; the returned function stops, and tells whether anything has changed. */
  watchChanges(): () => boolean;
  /** The control that a label is for. */
  controlOf(label: Element): Element | null;
  style(element: Element, place?: '::before' | '::after'): CSSStyleDeclaration;
  /** Whether the browser renders the element: not `display: none`, not `visibility: hidden`, not in a closed part. */
  isRendered(element: Element): boolean;
  /** Whether the element takes room on the page that people can see: a box of one pixel is there for machines only. */
  hasBox(element: Element): boolean;
  /** All text in `element`, shown or not, and of nothing else than text nodes. */
  allText(element: Element): string;
  /** The style sheets that apply in a tree. Reading the rules of one from another site throws. */
  sheetsOf(tree: Tree): readonly CSSStyleSheet[];
  matches(element: Element, selector: string): boolean;
  /** What the page put into a slot of an open shadow root; empty when the slot shows its own content. */
  assignedTo(slot: Element): readonly Node[];
  /** The language that the browser speaks: it writes the buttons that the page leaves without a word. */
  language(): string;
}

/** What ids and selectors are about: a document, or the open shadow root of an element. */
export type Tree = Document | ShadowRoot;

type Read<T> = (node: Node) => T;

function reader<T>(prototype: object, property: string): Read<T> {
  const get = Object.getOwnPropertyDescriptor(prototype, property)?.get as ((this: Node) => T) | undefined;
  if (get === undefined) {
    throw new TypeError(`Circuy: this browser cannot read ${property}`);
  }
  return (node) => get.call(node);
}

type Select = (this: Node, selector: string) => NodeListOf<Element>;

function selection(prototype: object): Select {
  return Reflect.get(prototype, 'querySelectorAll') as Select;
}

const ELEMENT = 1;
const TEXT = 3;
const DOCUMENT = 9;
const FRAGMENT = 11;

/** The environment of the page in `view`. */
export function environmentOf(view: Window & typeof globalThis): Environment {
  const node = view.Node.prototype;
  const element = view.Element.prototype;
  const { getAttribute, getAttributeNames, getBoundingClientRect, matches } = element;
  const { getElementById } = view.Document.prototype;
  const fragment = view.DocumentFragment.prototype;
  const { getElementById: getFragmentElementById } = fragment;
  const selectInDocument = selection(view.Document.prototype);
  const selectInFragment = selection(fragment);
  const { getRootNode } = node;
  const { slice } = view.Array.prototype;
  const checkVisibility = element.checkVisibility as Element['checkVisibility'] | undefined;

  const parent = reader<Element | null>(node, 'parentElement');
  const nodeType = reader<number>(node, 'nodeType');
  const nodeValue = reader<string | null>(node, 'nodeValue');
  const documentElement = reader<Element>(view.Document.prototype, 'documentElement');
  const body = reader<Element | null>(view.Document.prototype, 'body');
  const title = reader<string>(view.Document.prototype, 'title');
  const shadowOf = reader<ShadowRoot | null>(element, 'shadowRoot');
  const shadowHost = reader<Element>(view.ShadowRoot.prototype, 'host');
  const designMode = optionalReader(view.Document.prototype, 'designMode', 'off');
  const compatMode = reader<string>(view.Document.prototype, 'compatMode');
  const ownerDocument = reader<Document | null>(node, 'ownerDocument');
  const defaultView = reader<Window | null>(view.Document.prototype, 'defaultView');
  const control = reader<Element | null>(view.HTMLLabelElement.prototype, 'control');
  const framed = reader<Document | null>(view.HTMLIFrameElement.prototype, 'contentDocument');
  const style = (target: Element, place?: string) => view.getComputedStyle(target, place);
  const { assignedNodes } = view.HTMLSlotElement.prototype;
  const noSheets: readonly CSSStyleSheet[] = [];
  const documentSheets = optionalReader<Iterable<CSSStyleSheet>>(view.Document.prototype, 'styleSheets', noSheets);
  const shadowSheets = optionalReader<Iterable<CSSStyleSheet>>(view.ShadowRoot.prototype, 'styleSheets', noSheets);
  const adoptedByDocument = optionalReader(view.Document.prototype, 'adoptedStyleSheets', noSheets);
  const adoptedByShadow = optionalReader(view.ShadowRoot.prototype, 'adoptedStyleSheets', noSheets);
  const language = optionalReader(view.Navigator.prototype, 'language', 'en');
  const isDocument = (target: Node): target is Document => nodeType(target) === DOCUMENT;
  const isShadowRoot = (target: Node): target is ShadowRoot => {
    try {
      // Not `instanceof`: inside a frame, shadow roots have another constructor.
      shadowHost(target);
      return nodeType(target) === FRAGMENT;
    } catch {
      return false;
    }
  };
  const treeOf = (target: Element): Tree | null => {
    const root = getRootNode.call(target);
    return isDocument(root) || isShadowRoot(root) ? root : null;
  };

  return {
    page: () => view.document,
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
    byId: (id, near) => {
      const tree = near === undefined ? view.document : treeOf(near);
      if (tree === null) {
        return null;
      }
      return isDocument(tree) ? getElementById.call(tree, id) : getFragmentElementById.call(tree, id);
    },
    select: (tree, selector) => {
      const found = isDocument(tree) ? selectInDocument.call(tree, selector) : selectInFragment.call(tree, selector);
      return slice.call(found) as Element[];
    },
    treeOf,
    shadowOf: (target) => {
      const root = shadowOf(target);
      return root !== null && isShadowRoot(root) ? root : null;
    },
    isDesigned: (target) => designMode(target) === 'on',
    documentOf: ownerDocument,
    watchChanges: () => {
      let hasChanged = false;
      const observer = new view.MutationObserver(() => {
        hasChanged = true;
      });
      observer.observe(view.document, { subtree: true, childList: true, attributes: true });
      return () => {
        hasChanged ||= observer.takeRecords().length > 0;
        observer.disconnect();
        return hasChanged;
      };
    },
    foldsIds: (target) =>
      compatMode(isDocument(target) ? target : (ownerDocument(target) ?? view.document)) === 'BackCompat',
    framedDocument: (target) => {
      try {
        return framed(target);
      } catch {
        // An element that only bears the name of a frame.
        return null;
      }
    },
    hostOf: (tree) => {
      if (!isDocument(tree)) {
        return shadowHost(tree);
      }
      const inner = defaultView(tree);
      return inner === null || inner === view ? null : inner.frameElement;
    },
    controlOf: control,
    style,
    isRendered:
      checkVisibility === undefined
        ? (target) => isStyledVisible(target, parent, style)
        : (target) => checkVisibility.call(target, { visibilityProperty: true }),
    hasBox: (target) => {
      const { width, height } = getBoundingClientRect.call(target);
      return width > 1 && height > 1;
    },
    allText: reader(node, 'textContent'),
    sheetsOf: (tree) => {
      const own = isDocument(tree) ? documentSheets(tree) : shadowSheets(tree);
      const adopted = isDocument(tree) ? adoptedByDocument(tree) : adoptedByShadow(tree);
      return [...own, ...adopted];
    },
    matches: (target, selector) => matches.call(target, selector),
    assignedTo: (slot) => {
      try {
        return assignedNodes.call(slot as HTMLSlotElement);
      } catch {
        // An element that only bears the name of a slot.
        return [];
      }
    },
    language: () => language(view.navigator),
  };
}

/** Like `reader`, for what some engines do not have: then `missing`. */
function optionalReader<T>(prototype: object, property: string, missing: T): (target: object) => T {
  const get = Object.getOwnPropertyDescriptor(prototype, property)?.get as ((this: object) => T) | undefined;
  return get === undefined ? () => missing : (target) => get.call(target);
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
