import type { A11yNode } from '../api/wire';
import type { Environment, Tree } from '../dom/environment';
import { boxOf, treesAround } from '../ui/box';
import { h } from '../ui/element';

/** Numbered frames over the elements of a scan, drawn above the page and letting clicks through. */
export class Boxes {
  readonly element = h('div', { class: 'boxes', hook: 'boxes', attributes: { 'aria-hidden': 'true' } });
  private frames: { frame: HTMLElement; target: Element; id: string }[] = [];
  private pending = 0;
  private areShown = false;
  private picked: string | null = null;
  private listening = new AbortController();

  constructor(private readonly env: Environment) {}

  /** Frames the elements of a new scan; what is inside a closed part has no place on the page yet. */
  set(nodes: readonly A11yNode[], elements: ReadonlyMap<string, Element>): void {
    this.picked = null;
    this.frames = nodes.flatMap((node, i) => {
      const target = elements.get(node.id);
      return target === undefined || node.state?.closed === true
        ? []
        : [
            {
              id: node.id,
              target,
              frame: h('div', { class: `box${node.isInteractive ? '' : ' passive'}` }, h('b', {}, String(i + 1))),
            },
          ];
    });
    this.element.replaceChildren(...this.frames.map(({ frame }) => frame));
    this.listen();
    this.onMove();
  }

  show(areShown: boolean): void {
    this.areShown = areShown;
    this.onMove();
  }

  /** Brings one element into view and marks it, whether or not all the frames are shown. */
  pick(id: string): void {
    this.picked = id;
    const target = this.frames.find((entry) => entry.id === id)?.target;
    if (target !== undefined) {
      Element.prototype.scrollIntoView.call(target, { block: 'center', inline: 'nearest' });
    }
    this.onMove();
  }

  remove(): void {
    cancelAnimationFrame(this.pending);
    this.listening.abort();
    this.element.remove();
  }

  /** Scrolling inside a shadow root or a frame is told there, and nowhere else. */
  private listen(): void {
    this.listening.abort();
    this.listening = new AbortController();
    const { signal } = this.listening;
    const trees = new Set<Tree>(this.frames.flatMap(({ target }) => treesAround(this.env, target)));
    for (const tree of trees) {
      EventTarget.prototype.addEventListener.call(tree, 'scroll', this.onMove, {
        capture: true,
        passive: true,
        signal,
      });
    }
    window.addEventListener('resize', this.onMove, { signal });
  }

  private readonly onMove = (): void => {
    cancelAnimationFrame(this.pending);
    this.pending = requestAnimationFrame(() => {
      this.place();
    });
  };

  /** All reads before all writes, so that the page is laid out once. */
  private place(): void {
    const boxes = this.frames.map(({ target, id }) =>
      this.areShown || id === this.picked ? boxOf(this.env, target) : null,
    );
    this.frames.forEach(({ frame, id }, i) => {
      const box = boxes[i] ?? null;
      const isVisible = box !== null && box.top + box.height > 0 && box.top < innerHeight;
      frame.hidden = !isVisible;
      frame.classList.toggle('picked', id === this.picked);
      if (isVisible) {
        Object.assign(frame.style, {
          transform: `translate(${box.left - 2}px, ${box.top - 2}px)`,
          width: `${box.width + 4}px`,
          height: `${box.height + 4}px`,
        });
      }
    });
  }
}
