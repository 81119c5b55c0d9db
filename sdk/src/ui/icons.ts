/** Line icons on a 24-unit grid, drawn as elements. They are decoration: the control around them carries the name. */
const SVG = 'http://www.w3.org/2000/svg';

const PATHS = {
  mark: ['M18.2 7.4a7.6 7.6 0 1 0 0 9.2', 'M12 12h7'],
  close: ['M6 6l12 12', 'M18 6L6 18'],
  send: ['M12 19V5', 'M6 11l6-6 6 6'],
  play: ['M8 5.5v13l10.5-6.5z'],
  check: ['M5 12.5l4.5 4.5L19 7.5'],
  clock: ['M12 7.5V12l3 2', 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z'],
  shield: ['M12 3.5l7 2.6v5.4c0 4.3-2.9 7.6-7 9-4.1-1.4-7-4.7-7-9V6.1z', 'M9 12l2.2 2.2L15.2 10'],
  thumbUp: [
    'M8 11v8.5H5.2c-.7 0-1.2-.5-1.2-1.2v-6.1c0-.7.5-1.2 1.2-1.2z',
    'M8 11l3.6-6.6c1.4 0 2.3 1 2.3 2.3V9.5h4.3c1 0 1.8.9 1.6 1.9l-1.2 6.6c-.1.9-.9 1.5-1.8 1.5H8',
  ],
  thumbDown: [
    'M8 13V4.5H5.2c-.7 0-1.2.5-1.2 1.2v6.1c0 .7.5 1.2 1.2 1.2z',
    'M8 13l3.6 6.6c1.4 0 2.3-1 2.3-2.3V14.5h4.3c1 0 1.8-.9 1.6-1.9l-1.2-6.6c-.1-.9-.9-1.5-1.8-1.5H8',
  ],
  alert: ['M12 8.5v4.5', 'M12 16.2v.1', 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z'],
  retry: ['M19 12a7 7 0 1 1-2.2-5.1', 'M19 4v4h-4'],
  eye: [
    'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z',
    'M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  ],
  external: ['M10 6H6.5C5.7 6 5 6.7 5 7.5v10c0 .8.7 1.5 1.5 1.5h10c.8 0 1.5-.7 1.5-1.5V14', 'M13 5h6v6', 'M19 5l-8 8'],
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', `icon icon-${name}`);
  for (const d of PATHS[name]) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  if (name === 'mark') {
    const node = document.createElementNS(SVG, 'circle');
    node.setAttribute('cx', '12');
    node.setAttribute('cy', '12');
    node.setAttribute('r', '2.4');
    svg.append(node);
  }
  return svg;
}
