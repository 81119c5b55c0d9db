/** One plain form for the many ways to write a digit, a space or a dash: `about` in `engine/masking/rules.json`. */
import { digits as zeros, folds } from '../../../../engine/masking/rules.json';
import { once } from '../once';

const IDEOGRAPH = '\u4e00';
const STYLED_LETTER = 'x';
const OTHER = '\ufffc';
const PLAIN = /^[ -~\u00C0-\u012F\u0132-\u017E\u20AC]*$/;

/** Every text that a rule of ours can touch has a digit of some script, an at sign, or "(at)". */
export const TRIGGER = /[\p{Nd}@\uFE6B\uFF20]|[([\uFF08\uFF3B] ?a[rt]/iu;

const foldTable = once(() => {
  const foldings = new Map<string, string>();
  const add = (from: number, to: number, plain: (code: number) => string): void => {
    for (let code = from; code <= to; code += 1) {
      foldings.set(String.fromCodePoint(code), plain(code));
    }
  };
  add(0xff01, 0xff5e, (code) => String.fromCharCode(code - 0xfee0));
  for (const zero of zeros) {
    const first = zero.codePointAt(0) ?? 0;
    add(first, first + 9, (code) => String(code - first));
  }
  for (const [plain = '', ranges = ''] of folds) {
    for (const [, from = '', to = from] of ranges.matchAll(/([^])(?:-([^]))?/g)) {
      add(from.charCodeAt(0), to.charCodeAt(0), () => plain);
    }
  }
  return foldings;
});

function beyondBasicPlane(char: string): string {
  if (char >= '\ud840\udc00' && char <= '\ud8bf\udfff') {
    return IDEOGRAPH;
  }
  return char >= '\ud835\udc00' && char <= '\ud835\udea5' ? STYLED_LETTER : OTHER;
}

/** The folded text, and where each of its characters begins in `text`, then where `text` ends; null: unchanged. */
export function fold(text: string): [folded: string, origins: number[] | null] {
  if (PLAIN.test(text)) {
    return [text, null];
  }
  let folded = '';
  const origins: number[] = [];
  let position = 0;
  for (const char of text) {
    const plain = foldTable().get(char) ?? (char.length > 1 ? beyondBasicPlane(char) : char);
    if (plain !== '') {
      folded += plain;
      origins.push(position, position + char.length);
    }
    position += char.length;
  }
  return [folded, origins];
}

/** Where the folded character at `index` begins (`after` 0) or ends (1) in the text it comes from. */
export function origin(origins: readonly number[] | null, index: number, after: 0 | 1 = 0): number {
  return origins === null ? index + after : (origins[2 * index + after] ?? 0);
}
