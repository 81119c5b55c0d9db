import type { A11yNode } from '../api/wire';
import { h } from '../ui/element';

/** Numbered frames over the elements of a scan, drawn above the page and letting clicks through. */
export class Boxes {
  readonly element = h('div', { class: 'boxes', hook: 'boxes', attributes: { 'aria-hidden': 'true' } });
  private frames: { frame: HTMLElement; target: Element; id: string }[] = [];
  private pending = 0;
  private areShown = false;
  private picked: string | null = null;

  constructor() {
    window.addEventListener('scroll', this.onMove, { capture: true, passive: true });
    window.addEventListener('resize', this.onMove);
  }

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
    this.onMove();
  }

  show(areShown: boolean): void {
    this.areShown = areShown;
    this.onMove();
  }

  /** Brings one element into view and marks it, whether or not all the frames are shown. */
  pick(id: string): void {
    this.picked = id;
    this.frames.find((entry) => entry.id === id)?.target.scrollIntoView({ block: 'center', inline: 'nearest' });
    this.onMove();
  }

  remove(): void {
    cancelAnimationFrame(this.pending);
    window.removeEventListener('scroll', this.onMove, { capture: true });
    window.removeEventListener('resize', this.onMove);
    this.element.remove();
  }

  private readonly onMove = (): void => {
    cancelAnimationFrame(this.pending);
    this.pending = requestAnimationFrame(() => {
      this.place();
    });
  };

  /** All reads before all writes, so that the page is laid out once. */
  private place(): void {
    const rects = this.frames.map(({ target, id }) =>
      this.areShown || id === this.picked ? target.getBoundingClientRect() : null,
    );
    this.frames.forEach(({ frame, id }, i) => {
      const rect = rects[i];
      const isVisible =
        rect !== null && rect !== undefined && rect.width > 0 && rect.bottom > 0 && rect.top < innerHeight;
      frame.hidden = !isVisible;
      frame.classList.toggle('picked', id === this.picked);
      if (isVisible) {
        Object.assign(frame.style, {
          transform: `translate(${rect.left - 2}px, ${rect.top - 2}px)`,
          width: `${rect.width + 4}px`,
          height: `${rect.height + 4}px`,
        });
      }
    });
  }
}
