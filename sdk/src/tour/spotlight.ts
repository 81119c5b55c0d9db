import type { Environment } from '../dom/environment';
import { boxOf, type Box } from '../ui/box';
import { h } from '../ui/element';

const MARGIN = 5;
/** Frames without a move after which a target is taken to have come to rest. */
const RESTING_FRAMES = 8;

export interface Follower {
  isThere: () => boolean;
  /** The target is elsewhere on the screen now. */
  onMoved: () => void;
  /** The target has stopped moving, each time it does. */
  onRest: (box: Box) => void;
  /** The target has gone; called once. */
  onLost: () => void;
}

/**
 * A ring around the target, the rest of the page slightly dimmed. It is drawn over the page and lets every click
 * through: nothing is changed on the target itself. The step's card stands by the ring, so that it is right wherever the
 * target is: in a frame, in a shadow root, in something that scrolls.
 */
export class Spotlight {
  readonly element = h('div', { class: 'spotlight', hook: 'spotlight', attributes: { 'aria-hidden': 'true' } });
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
    this.element.style.borderRadius = ringRadius(this.env, target);
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
      this.element.classList.toggle('out', box === null || !this.isInSight || this.isVeiled);
      if (box !== null && this.place(box)) {
        following.still = 0;
        onMoved();
      } else {
        following.still += 1;
        if (following.still === RESTING_FRAMES && box !== null) {
          onRest(box);
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
  private place(box: Box): boolean {
    const transform = `translate(${box.left - MARGIN}px, ${box.top - MARGIN}px)`;
    const width = `${box.width + 2 * MARGIN}px`;
    const height = `${box.height + 2 * MARGIN}px`;
    const next = `${transform} ${width} ${height}`;
    if (next === this.drawn) {
      return false;
    }
    this.drawn = next;
    Object.assign(this.element.style, { transform, width, height });
    this.element.hidden = false;
    return true;
  }
}

function ringRadius(env: Environment, target: HTMLElement): string {
  const radius = parseFloat(env.style(target).borderTopLeftRadius);
  return `${Math.min(Number.isFinite(radius) ? radius : 0, 40) + MARGIN}px`;
}
