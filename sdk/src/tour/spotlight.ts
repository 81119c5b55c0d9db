import type { Environment } from '../dom/environment';
import { boxOf, type Box } from '../ui/box';
import { h } from '../ui/element';

const MARGIN = 5;
/** Frames without a move after which a target is taken to have come to rest. */
const RESTING_FRAMES = 8;
/** A label that starts at most so far above its field is not covered by the field's card. */
const LABEL_REACH = 48;

export interface Follower {
  isThere: () => boolean;
  /** The target is elsewhere on the screen now. */
  onMoved: () => void;
  /** The target has stopped moving, each time it does; true to be told again if it stays where it is. */
  onRest: (box: Box) => boolean;
  /** The target has gone; called once. */
  onLost: () => void;
}

/**
 * A ring around the target, the rest of the page slightly dimmed. It is drawn over the page and lets every click
 * through: nothing is changed on the target itself. The step's card stands by the ring, so that it is right wherever the
 * target is: in a frame, in a shadow root, in something that scrolls.
 */
export class Spotlight {
  private readonly ring = h('div', { class: 'ring', hook: 'spotlight' });
  /** What the card stands by: the ring, and the label above it. */
  readonly element = h('div', { class: 'spotlight', attributes: { 'aria-hidden': 'true' } }, this.ring);
  private frame = 0;
  private following: object | null = null;
  private drawn = '';
  private isVeiled = false;
  private isInSight = true;
  private sight: IntersectionObserver | null = null;

  constructor(private readonly env: Environment) {
    this.element.hidden = true;
  }

  /** Stays around `target` frame by frame. */
  follow(target: HTMLElement, { isThere, onMoved, onRest, onLost }: Follower): void {
    this.leave();
    this.ring.style.borderRadius = ringRadius(this.env, target);
    // What has been scrolled out of its container still has a box, over something else.
    this.sight = new IntersectionObserver(([entry]) => {
      this.isInSight = entry?.isIntersecting ?? true;
    });
    this.sight.observe(target);
    const following = { still: 0 };
    this.following = following;
    const draw = () => {
      if (!isThere()) {
        this.leave();
        onLost();
        return;
      }
      const box = boxOf(this.env, target);
      this.ring.classList.toggle('out', box === null || !this.isInSight || this.isVeiled);
      if (box !== null && this.place(box, this.labelAbove(target, box))) {
        following.still = 0;
        onMoved();
      } else {
        following.still += 1;
        if (following.still === RESTING_FRAMES && box !== null && onRest(box)) {
          following.still = 0;
        }
      }
      // Those who were told may have had us leave.
      if (this.following === following) {
        this.frame = requestAnimationFrame(draw);
      }
    };
    draw();
  }

  /** Hides the ring while something of the page stands before the target. */
  veil(isVeiled: boolean): void {
    this.isVeiled = isVeiled;
  }

  leave(): void {
    cancelAnimationFrame(this.frame);
    this.following = null;
    this.sight?.disconnect();
    this.isInSight = true;
    this.element.hidden = true;
    this.drawn = '';
  }

  /** True when it was elsewhere before. */
  private place(box: Box, above: number): boolean {
    const transform = `translate(${box.left - MARGIN}px, ${box.top - above - MARGIN}px)`;
    const width = `${box.width + 2 * MARGIN}px`;
    const height = `${box.height + above + 2 * MARGIN}px`;
    const next = `${transform} ${width} ${height}`;
    if (next === this.drawn) {
      return false;
    }
    this.drawn = next;
    Object.assign(this.element.style, { transform, width, height });
    this.ring.style.top = `${above}px`;
    this.element.hidden = false;
    return true;
  }

  /** How far the label of a field reaches above its box; 0 for one that stands elsewhere. */
  private labelAbove(target: HTMLElement, box: Box): number {
    const label = (target as Partial<HTMLInputElement>).labels?.[0];
    const above = label === undefined ? 0 : box.top - (boxOf(this.env, label)?.top ?? box.top);
    return above > 0 && above < LABEL_REACH ? above : 0;
  }
}

function ringRadius(env: Environment, target: HTMLElement): string {
  const radius = parseFloat(env.style(target).borderTopLeftRadius);
  return `${Math.min(Number.isFinite(radius) ? radius : 0, 40) + MARGIN}px`;
}
