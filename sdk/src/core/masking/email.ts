/** Where an e-mail address starts and ends around its at sign, in a folded text. */
import { once } from '../once';
import { expand } from './table';

const AT_SIGN = /^(?: ?@ ?|%40| ?[([] ?(?:at|arobase) ?[)\]] ?)/i;
const LONGEST_AT_SIGN = 14;
const TOP_DOMAIN = /^(?:xn--[A-Za-z0-9]+|[A-Za-z\u00C0-\u052F]{2,24})/;
const LONGEST_LOCAL_PART = 256; // four times what mail allows
const LONGEST_QUOTED = 66;
const LONGEST_TOP_DOMAIN = 10;

const patterns = once(() => ({
  topDomainOfItsOwnScript: new RegExp(expand('^(?:{idn})')),
  knownTopDomain: new RegExp(expand('^ ?\\.{known}'), 'i'),
  localPart: new RegExp(expand('[{local}]')),
  quoted: new RegExp(expand('^"[0-9A-Za-z{letters}][^"\\ue000]*"$')),
  // What a word before " @" must look like to be a local part that markup parted from its sign; a mere word may be one
  // before a domain that people know.
  word: new RegExp(expand('^(?!(?:{before_mention})$)[a-z\\u00df-\\u00f6\\u00f8-\\u00ff-]{2,64}$')),
  partedLocalPart: new RegExp(
    expand('^(?:[0-9A-Za-z{letters}]+(?:[._+][0-9A-Za-z{letters}-]+)+|[a-z-]+[0-9]+[a-z0-9-]*)$'),
  ),
  // What runs into a local part without being of it: a path, the key of a query, a label in a script that has no
  // spaces, signs, l' and the like.
  aheadOfLocalPart: [
    /^\/(?:.*\/)?/,
    /^.*[?&#][0-9A-Za-z_.-]{1,40}=/,
    /^(?:user(?:name)?|login|account|id|e?-?mail|contact|to|from|b?cc|recipient|q|query|name|value|href|title)=/i,
    new RegExp(expand('^.*[{unspaced}](?=[A-Za-z\\u00c0-\\u024f])')),
    new RegExp(expand('^[^0-9A-Za-z{letters}.%+~_-]+')),
    /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)'/i,
  ],
}));

/**
 * From an at sign and what follows it to the whole address, or null. Spaces beside the sign are what is left of markup:
 * then the word before must look like a local part. A domain that stands alone is hidden too when its end is one that
 * people know.
 */
export function email(text: string, start: number, end: number): readonly [start: number, end: number] | null {
  const sign = AT_SIGN.exec(text.slice(start, Math.min(start + LONGEST_AT_SIGN, end)))?.[0] ?? '';
  const stop = domainEnd(text, start + sign.length, end);
  if (sign === '' || stop === null) {
    return null;
  }
  const first = localStart(text, start);
  if (sign.startsWith(' @')) {
    const said = text.slice(first, start);
    const { word, partedLocalPart } = patterns();
    const isLocal = partedLocalPart.test(said) || (word.test(said) && isKnown(text, start, stop));
    return isLocal ? [first, stop] : null;
  }
  return first < start || (sign === '@' && isKnown(text, start, stop)) ? [first, stop] : null;
}

function isKnown(text: string, start: number, stop: number): boolean {
  const dot = start + text.slice(start, stop).lastIndexOf('.');
  const known = patterns().knownTopDomain.exec(text.slice(dot, stop + 1));
  return known !== null && dot + known[0].length === stop;
}

/** Where the last label ends that can be a top domain; one of another script only when none came before. */
function domainEnd(text: string, start: number, end: number): number | null {
  const { topDomainOfItsOwnScript, knownTopDomain } = patterns();
  const labels = text.slice(start, end).split('.');
  let position = start;
  let stop: number | null = null;
  for (let i = 0; i < labels.length; i += 1) {
    const label = labels[i] ?? '';
    if (label === '') {
      break;
    }
    const top: RegExpExecArray | null =
      TOP_DOMAIN.exec(label) ?? (stop === null ? topDomainOfItsOwnScript.exec(label) : null);
    if (i > 0 && top !== null) {
      stop = position + top[0].length;
    }
    position += label.length + 1;
  }
  if (stop === null && labels.length === 1) {
    const parted = knownTopDomain.exec(text.slice(end, end + LONGEST_TOP_DOMAIN));
    return parted === null ? null : end + parted[0].length;
  }
  return stop;
}

/** Where the local part starts that ends at `start`: there, when there is none. */
function localStart(text: string, start: number): number {
  const { aheadOfLocalPart, localPart, quoted } = patterns();
  if (text.charAt(start - 1) === '"') {
    const floor = Math.max(start - LONGEST_QUOTED, 0);
    const opening = floor + text.slice(floor, start - 1).lastIndexOf('"');
    return opening >= floor && quoted.test(text.slice(opening, start)) ? opening : start;
  }
  let first = start;
  while (first > start - LONGEST_LOCAL_PART && localPart.test(text.charAt(first - 1))) {
    first -= 1;
  }
  for (const ahead of aheadOfLocalPart) {
    first += ahead.exec(text.slice(first, start))?.[0].length ?? 0;
  }
  return first;
}
