import type { Placement } from '../api/wire';
import type { Box } from '../ui/box';

const PLACEMENTS: readonly string[] = ['top', 'bottom', 'left', 'right'] satisfies Placement[];

/** What a card takes, with the gap to its target. */
const CARD = { width: 372, height: 300 };

/**
 * The side of the target that its card stands on: the wanted one where there is room on that axis, else one where there is.
 * On its axis the card goes to the other side by itself.
 */
export function sideFor(
  wanted: string,
  target: Box | null,
  room: { width: number; height: number } = { width: window.innerWidth, height: window.innerHeight },
): Placement {
  const side = PLACEMENTS.includes(wanted) ? (wanted as Placement) : 'bottom';
  if (target === null) {
    return side;
  }
  const beside = target.left >= CARD.width || room.width - target.left - target.width >= CARD.width;
  // It can be scrolled: what counts is whether it leaves room, wherever it is now.
  const above = room.height - target.height >= CARD.height;
  const isBeside = side === 'left' || side === 'right';
  if (isBeside ? beside || !above : above || !beside) {
    return side;
  }
  return isBeside ? 'bottom' : 'right';
}
