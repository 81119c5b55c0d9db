import { lineIcon } from '../ui/line_icons';

const PATHS = {
  pause: ['M9 6v12', 'M15 6v12'],
  play: ['M8 5.5v13l10.5-6.5z'],
  undo: ['M9 8H15a4.5 4.5 0 0 1 0 9H8', 'M11.5 4.5L8 8l3.5 3.5'],
  stop: ['M7.5 7.5h9v9h-9z'],
  talk: ['M5 6.5h14v9.5h-7.5L7.5 19.5V16H5z'],
  move: ['M9 6v.1', 'M15 6v.1', 'M9 12v.1', 'M15 12v.1', 'M9 18v.1', 'M15 18v.1'],
  back: ['M19 12H5', 'M11 6l-6 6 6 6'],
  reduce: ['M6 12h12'],
} as const;

export type ShadowIcon = keyof typeof PATHS;

export function shadowIcon(name: ShadowIcon): SVGSVGElement {
  return lineIcon(name, PATHS[name]);
}
