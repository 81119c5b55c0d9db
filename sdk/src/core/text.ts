/** Shaping of texts that leave the page or are shown on it. */
import { once } from './once';

const SPACES = /[\s\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]+/g;

/** `text` on one line, with single spaces. */
export function foldSpaces(text: string): string {
  return text.replace(SPACES, ' ').trim();
}

// Latin letters, digits and the signs around them are one grapheme each, unless a combining mark follows.
const ONE_UNIT_EACH = /^[\u0020-\u007e\u00a0-\u02af\u2010-\u2027\u202f-\u205e]*$/;

const segmenter = once(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

/** One grapheme may be made of any number of marks; the server takes 300 characters. */
const MOST_POINTS = 299;

/**
 * `text` in at most `limit` graphemes, the last of them "…" when something was cut.
 * An emoji or an accented letter is never split, so no lone surrogate comes out.
 */
export function cutGraphemes(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  if (ONE_UNIT_EACH.test(text.slice(0, limit + 1))) {
    return `${text.slice(0, limit - 1).trimEnd()}…`;
  }
  let kept = '';
  let count = 0;
  let points = 0;
  for (const { segment } of segmenter().segment(text)) {
    count += 1;
    points += Array.from(segment).length;
    if (count > limit || points > MOST_POINTS) {
      return `${kept.trimEnd()}…`;
    }
    if (count < limit) {
      kept += segment;
    }
  }
  return text;
}

const HALF_PAIRS = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** `text` without what the server cannot store: NUL, and halves of surrogate pairs that a broken page may hold. */
export function dropUnstorable(text: string): string {
  return text.replaceAll('\0', '').replace(HALF_PAIRS, '');
}
