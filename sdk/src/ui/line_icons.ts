/** Line icons on a 24-unit grid, drawn as elements. They are decoration: the control around them carries the name. */
const SVG = 'http://www.w3.org/2000/svg';

/** What a guide shows; the widget has these and more. */
export const GUIDE_PATHS = {
  close: ['M6 6l12 12', 'M18 6L6 18'],
  clock: ['M12 7.5V12l3 2', 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z'],
  shield: ['M12 3.5l7 2.6v5.4c0 4.3-2.9 7.6-7 9-4.1-1.4-7-4.7-7-9V6.1z', 'M9 12l2.2 2.2L15.2 10'],
  alert: ['M12 8.5v4.5', 'M12 16.2v.1', 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z'],
  external: ['M10 6H6.5C5.7 6 5 6.7 5 7.5v10c0 .8.7 1.5 1.5 1.5h10c.8 0 1.5-.7 1.5-1.5V14', 'M13 5h6v6', 'M19 5l-8 8'],
} as const;

export function guideIcon(name: keyof typeof GUIDE_PATHS): SVGSVGElement {
  return lineIcon(name, GUIDE_PATHS[name]);
}

/** An icon of these lines, of the class `icon-<name>`. */
export function lineIcon(name: string, paths: readonly string[]): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', `icon icon-${name}`);
  for (const d of paths) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}
