/** Our own elements on the page: never scanned, never taken for a target. */
export const HOSTS = {
  widget: 'circuy-widget',
  tour: 'circuy-tour',
  recorder: 'circuy-recorder',
  preview: 'circuy-preview',
} as const;

const tags = new Set<string>(Object.values(HOSTS));

export function isOwnTag(tag: string): boolean {
  return tags.has(tag);
}
