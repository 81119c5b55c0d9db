import { h } from '../ui/element';

const MARGIN = 5;

/**
 * A ring around the target, the rest of the page slightly dimmed. It is drawn over the page and lets every click
 * through: nothing is changed on the target itself.
 */
export class Spotlight {
  readonly element = h('div', { class: 'spotlight', hook: 'spotlight', attributes: { 'aria-hidden': 'true' } });
  private frame = 0;
  private drawn = '';

  constructor() {
    this.element.hidden = true;
  }

  /** Stays around `target` frame by frame; calls `onLost` once when `isThere` says that it has gone. */
  follow(target: HTMLElement, isThere: () => boolean, onLost: () => void): void {
    this.leave();
    this.element.style.borderRadius = ringRadius(target);
    const draw = () => {
      if (!isThere()) {
        this.leave();
        onLost();
        return;
      }
      this.place(target.getBoundingClientRect());
      this.frame = requestAnimationFrame(draw);
    };
    draw();
  }

  leave(): void {
    cancelAnimationFrame(this.frame);
    this.element.hidden = true;
    this.drawn = '';
  }

  private place(box: DOMRect): void {
    const transform = `translate(${box.left - MARGIN}px, ${box.top - MARGIN}px)`;
    const width = `${box.width + 2 * MARGIN}px`;
    const height = `${box.height + 2 * MARGIN}px`;
    const next = `${transform} ${width} ${height}`;
    if (next === this.drawn) {
      return;
    }
    this.drawn = next;
    Object.assign(this.element.style, { transform, width, height });
    this.element.hidden = false;
  }
}

function ringRadius(target: HTMLElement): string {
  const radius = parseFloat(getComputedStyle(target).borderTopLeftRadius);
  return `${Math.min(Number.isFinite(radius) ? radius : 0, 40) + MARGIN}px`;
}
