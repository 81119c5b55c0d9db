/** The widget's and the recorder's icons. */
import { GUIDE_PATHS, lineIcon } from './line_icons';

const PATHS = {
  ...GUIDE_PATHS,
  mark: ['M18.2 7.4a7.6 7.6 0 1 0 0 9.2', 'M12 12h7'],
  send: ['M12 19V5', 'M6 11l6-6 6 6'],
  play: ['M8 5.5v13l10.5-6.5z'],
  check: ['M5 12.5l4.5 4.5L19 7.5'],
  thumbUp: [
    'M8 11v8.5H5.2c-.7 0-1.2-.5-1.2-1.2v-6.1c0-.7.5-1.2 1.2-1.2z',
    'M8 11l3.6-6.6c1.4 0 2.3 1 2.3 2.3V9.5h4.3c1 0 1.8.9 1.6 1.9l-1.2 6.6c-.1.9-.9 1.5-1.8 1.5H8',
  ],
  thumbDown: [
    'M8 13V4.5H5.2c-.7 0-1.2.5-1.2 1.2v6.1c0 .7.5 1.2 1.2 1.2z',
    'M8 13l3.6 6.6c1.4 0 2.3-1 2.3-2.3V14.5h4.3c1 0 1.8-.9 1.6-1.9l-1.2-6.6c-.1-.9-.9-1.5-1.8-1.5H8',
  ],
  retry: ['M19 12a7 7 0 1 1-2.2-5.1', 'M19 4v4h-4'],
  eye: [
    'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z',
    'M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  ],
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  const svg = lineIcon(name, PATHS[name]);
  if (name === 'mark') {
    const node = document.createElementNS(svg.namespaceURI, 'circle');
    node.setAttribute('cx', '12');
    node.setAttribute('cy', '12');
    node.setAttribute('r', '2.4');
    svg.append(node);
  }
  return svg;
}
