import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Boxes } from '../src/recorder/boxes';
import { boxOf, treesAround } from '../src/ui/box';
import { showPage, testEnvironment } from './page';

type Corner = readonly [left: number, top: number, width: number, height: number];

/** jsdom lays nothing out: each test says where its elements are. */
const places = new Map<Element, Corner>();

beforeEach(() => {
  places.clear();
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const [left, top, width, height] = places.get(this) ?? [0, 0, 0, 0];
    return { left, top, width, height, x: left, y: top, right: left + width, bottom: top + height } as DOMRect;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  showPage('');
});

/** A frame of 300 × 200 shown at (100, 50), with a border of 2 and a padding of 10. */
function makeFrame(parent: Document, at: Corner = [100, 50, 324, 224]): { frame: HTMLIFrameElement; inner: Document } {
  const frame = parent.createElement('iframe');
  frame.setAttribute('style', 'padding: 10px');
  parent.body.append(frame);
  const layout = {
    offsetWidth: 324,
    offsetHeight: 224,
    clientLeft: 2,
    clientTop: 2,
    clientWidth: 320,
    clientHeight: 220,
  };
  for (const [name, value] of Object.entries(layout)) {
    Object.defineProperty(frame, name, { value });
  }
  places.set(frame, at);
  const inner = frame.contentDocument;
  if (inner === null) {
    throw new Error('this frame has no document');
  }
  return { frame, inner };
}

function makeButton(tree: Document | ShadowRoot, at: Corner): HTMLButtonElement {
  const owner = tree instanceof ShadowRoot ? tree.ownerDocument : tree;
  const button = owner.createElement('button');
  ('body' in tree ? tree.body : tree).append(button);
  places.set(button, at);
  return button;
}

describe('where an element is seen', () => {
  it('is its own box in the page and in a shadow root', () => {
    const host = document.createElement('div');
    document.body.append(host);
    const button = makeButton(host.attachShadow({ mode: 'open' }), [5, 6, 7, 8]);
    expect(boxOf(testEnvironment(), button)).toMatchObject({ left: 5, top: 6, width: 7, height: 8 });
  });

  it('counts from where the frame shows its document', () => {
    const { inner } = makeFrame(document);
    const button = makeButton(inner, [20, 30, 80, 40]);
    expect(boxOf(testEnvironment(), button)).toEqual({ left: 132, top: 92, width: 80, height: 40 });
  });

  it('adds up frames in frames', () => {
    const { inner } = makeFrame(document);
    const deeper = makeFrame(inner, [10, 10, 324, 224]);
    const button = makeButton(deeper.inner, [1, 2, 30, 20]);
    expect(boxOf(testEnvironment(), button)).toEqual({
      left: 100 + 12 + 10 + 12 + 1,
      top: 50 + 12 + 10 + 12 + 2,
      width: 30,
      height: 20,
    });
  });

  it('follows a frame that is shown at half its size', () => {
    const { inner } = makeFrame(document, [100, 50, 162, 112]);
    const button = makeButton(inner, [20, 30, 80, 40]);
    expect(boxOf(testEnvironment(), button)).toEqual({ left: 116, top: 71, width: 40, height: 20 });
  });

  it('is cut off at the edge of the frame, and nowhere beyond it', () => {
    const { inner } = makeFrame(document);
    const half = makeButton(inner, [-20, 190, 80, 40]);
    const gone = makeButton(inner, [0, 900, 80, 40]);
    expect(boxOf(testEnvironment(), half)).toEqual({ left: 112, top: 252, width: 60, height: 10 });
    expect(boxOf(testEnvironment(), gone)).toBeNull();
  });

  it('is nowhere for what has no box', () => {
    expect(boxOf(testEnvironment(), makeButton(document, [0, 0, 0, 0]))).toBeNull();
  });

  it('is not fooled by what a form calls its controls', () => {
    showPage('<form><input name="getRootNode"><input name="getBoundingClientRect"><input name="ownerDocument"></form>');
    const form = document.querySelector('form') ?? document.body;
    places.set(form, [1, 2, 3, 4]);
    expect(boxOf(testEnvironment(), form)).toMatchObject({ left: 1, top: 2 });
  });
});

it('names the trees around an element from the inside out', () => {
  const { inner } = makeFrame(document);
  const host = inner.createElement('div');
  inner.body.append(host);
  const root = host.attachShadow({ mode: 'open' });
  const button = inner.createElement('button');
  root.append(button);
  expect(treesAround(testEnvironment(), button)).toEqual([root, inner, document]);
});

describe('numbered frames', () => {
  const frameDrawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const node = { id: 'n1', tag: 'button', selector: '#x', isInteractive: true };

  it.each(['a shadow root', 'a frame'])('follow what scrolls inside %s, until they are removed', async (kind) => {
    const { inner } = makeFrame(document);
    const host = document.createElement('div');
    document.body.append(host);
    const tree = kind === 'a frame' ? inner : host.attachShadow({ mode: 'open' });
    const button = makeButton(tree, [0, 100, 50, 20]);
    const boxes = new Boxes(testEnvironment());
    boxes.set([node], new Map([['n1', button]]));
    boxes.show(true);
    await frameDrawn();
    const drawn = boxes.element.firstElementChild as HTMLElement;
    const before = drawn.style.transform;

    places.set(button, [0, 60, 50, 20]);
    button.dispatchEvent(new Event('scroll'));
    await frameDrawn();
    const after = drawn.style.transform;
    expect(after).not.toBe(before);

    boxes.remove();
    places.set(button, [0, 20, 50, 20]);
    button.dispatchEvent(new Event('scroll'));
    await frameDrawn();
    expect(drawn.style.transform).toBe(after);
  });
});
