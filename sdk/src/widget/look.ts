import type { WidgetSettings } from '../api/wire';
import { HOSTS } from '../dom/own_ui';
import { sheetOf } from '../ui/host';

const COLOUR = /^#[0-9a-f]{6}$/;

/** The organization's colour and distances, for the widget's own shadow root. */
export function lookSheet({ accent, offset_x: x, offset_y: y }: WidgetSettings): string {
  return `:host{--x:${pixels(x)};--y:${pixels(y)};${brand(accent)}}`;
}

/** Gives guides the organization's colour; the returned function takes it back. */
export function paintGuides({ accent }: WidgetSettings): () => void {
  const sheet = sheetOf(`${HOSTS.tour}{${brand(accent)}}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
}

/** The page's own `--circuy-accent` is stronger. */
function brand(accent: string): string {
  return COLOUR.test(accent) ? `--circuy-brand:${accent}` : '';
}

function pixels(distance: number): string {
  return `${Number.isFinite(distance) ? Math.max(0, Math.round(distance)) : 0}px`;
}
