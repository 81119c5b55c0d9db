/** Where something happened, in as few words as tell pages apart. */
import type { Cleaning } from '../dom/cleaning';

const LONGEST = 500;

/**
 * `href` without the values of its query (their names stay), without its fragment unless that is a route (`#/…`), and
 * with `*` for what is personal in its path.
 */
export function addressOf(href: string, cleaning: Cleaning): string {
  if (!URL.canParse(href)) {
    return '';
  }
  const url = new URL(href);
  const names = [...new Set(url.searchParams.keys())].filter(cleaning.isClean).map((name) => encodeURIComponent(name));
  const query = names.length === 0 ? '' : `?${names.map((name) => `${name}=`).join('&')}`;
  const route = /^#!?\//.test(url.hash) ? cleanPath(url.hash.split('?', 1)[0] ?? '', cleaning) : '';
  const origin = url.origin === 'null' ? `${url.protocol}//` : url.origin;
  return (origin + cleanPath(url.pathname, cleaning) + query + route).slice(0, LONGEST);
}

function cleanPath(path: string, cleaning: Cleaning): string {
  return path
    .split('/')
    .map((part) => (cleaning.isClean(decoded(part)) ? part : '*'))
    .join('/');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
