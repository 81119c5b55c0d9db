import type { Say } from '../core/locale';
import type { PreviewMessageKey } from '../core/preview_messages';
import type { Environment } from '../dom/environment';
import { boxOf, type Box } from '../ui/box';
import { h } from '../ui/element';
import type { Sight } from './choices';

const MARGIN = 3;
const GAP = 8;

/** A frame around what would be chosen, with what it is called, or why it cannot be. Lets every click through. */
export class Outline {
  readonly element: HTMLElement;
  private readonly frame = h('div', { class: 'frame', hook: 'pick-frame' });
  private readonly chip = h('div', { class: 'chip', hook: 'pick-chip' });
  private target: Element | null = null;
  private pending = 0;
  private drawn = '';

  constructor(
    private readonly env: Environment,
    private readonly say: Say<PreviewMessageKey>,
  ) {
    this.element = h('div', { class: 'outline', attributes: { 'aria-hidden': 'true' } }, this.frame, this.chip);
    this.element.hidden = true;
  }

  show(sight: Sight | null): void {
    cancelAnimationFrame(this.pending);
    this.drawn = '';
    this.element.hidden = true;
    // Where there is nothing, what was pointed at is a large part of the page: no frame says anything of it.
    if (sight === null || ('refusal' in sight && sight.refusal === 'nothing')) {
      this.target = null;
      return;
    }
    const isRefused = 'refusal' in sight;
    this.target = isRefused ? sight.element : sight.choice.element;
    this.element.className = `outline ${isRefused ? 'refused' : sight.choice.strength}`;
    this.chip.replaceChildren(
      ...(isRefused ? [this.say(`refused_${sight.refusal}`)] : described(sight.choice, this.say)),
    );
    this.follow();
  }

  remove(): void {
    cancelAnimationFrame(this.pending);
    this.element.remove();
  }

  /** Frame by frame: the page may scroll in any of its parts. */
  private readonly follow = (): void => {
    const box = this.target?.isConnected === true ? boxOf(this.env, this.target) : null;
    this.element.hidden = box === null;
    if (box !== null) {
      this.place(box);
    }
    this.pending = requestAnimationFrame(this.follow);
  };

  private place({ left, top, width, height }: Box): void {
    const drawn = `${left} ${top} ${width} ${height} ${innerWidth} ${innerHeight}`;
    if (drawn === this.drawn) {
      return;
    }
    this.drawn = drawn;
    Object.assign(this.frame.style, {
      transform: `translate(${left - MARGIN}px, ${top - MARGIN}px)`,
      width: `${width + 2 * MARGIN}px`,
      height: `${height + 2 * MARGIN}px`,
    });
    const { offsetWidth, offsetHeight } = this.chip;
    const above = top - offsetHeight - GAP;
    const y = above >= GAP ? above : Math.min(top + height + GAP, innerHeight - offsetHeight - GAP);
    const x = Math.max(GAP, Math.min(left, innerWidth - offsetWidth - GAP));
    this.chip.style.transform = `translate(${x}px, ${y}px)`;
  }
}

function described(
  {
    node,
    kind,
    strength,
  }: { node: { label?: string; placeholder?: string }; kind: string; strength: 'strong' | 'medium' | 'fragile' },
  say: Say<PreviewMessageKey>,
): HTMLElement[] {
  const name = node.label ?? node.placeholder ?? '';
  return [
    h('span', { class: 'kind' }, say(`kind_${kind}` as PreviewMessageKey)),
    h('strong', { class: name === '' ? 'unnamed' : '' }, name === '' ? say('unnamed') : name),
    h('span', { class: `pill ${strength}` }, say(strength)),
  ];
}
