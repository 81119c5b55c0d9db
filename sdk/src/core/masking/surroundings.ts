/** What stands around a datum in a folded text: its edges, the words that announce it, a name beside it. */

export const isDigit = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9';
const LETTER = /[A-Za-z\u00C0-\u024F]/;
const WORD = /[0-9A-Za-z\u00C0-\u024F]/;
const LONGEST_WORD = 40;
const WINDOW = 90;

/** The text before `start`, at most `length` of it. */
export const before = (text: string, start: number, length: number): string =>
  text.slice(Math.max(start - length, 0), start);

/** Whether what stands around a datum lets it be one. */
export function edgesAreFree(edges: string, text: string, start: number, end: number): boolean {
  const is = (at: number): boolean => WORD.test(text.charAt(at));
  switch (edges) {
    case 'any':
      return true;
    case 'word':
      return !(is(start) && is(start - 1)) && !(is(end - 1) && is(end));
    case 'code':
      return (
        freeOfDigits(text, start, end) &&
        !continuesCode(text, start) &&
        !/^[A-F]+$/i.test(/^[A-Za-z\u00C0-\u024F]*/.exec(text.slice(end, end + LONGEST_WORD))?.[0] ?? '') &&
        !isAmount(text, start, end)
      );
    default:
      return freeOfDigits(text, start, end);
  }
}

function freeOfDigits(text: string, start: number, end: number): boolean {
  return !isDigit(text[end]) && !/(?:[0-9]\.?|(?:^|[^0-9])0,)$/.test(before(text, start, 3));
}

/** FAC-0123456789, #0123456789, 2026-0123456789, 6A0123456789, fe0123456789; but neither Tél.01… nor Mobile06… */
function continuesCode(text: string, start: number): boolean {
  let ahead = before(text, start, LONGEST_WORD);
  const isJoined = /[-_/.]$/.test(ahead);
  if (isJoined) {
    ahead = ahead.slice(0, -1);
  } else if (ahead.endsWith('#')) {
    return true;
  }
  const word = /[A-Za-z\u00C0-\u024F]*$/.exec(ahead)?.[0] ?? '';
  if (isDigit(ahead.at(-1 - word.length))) {
    return isJoined || word !== '';
  }
  return word !== '' && (!/[a-z\u00DF-\u00FF]/.test(word) || (!isJoined && /^[A-F]+$/i.test(word)));
}

/** 1 250 000 000 € and 123456789012,50; a number that starts with 0 is none. */
function isAmount(text: string, start: number, end: number): boolean {
  if (/[0(]/.test(text.charAt(start))) {
    return false;
  }
  const after = text.slice(end, end + 10);
  return (
    /^(?:[.,][0-9]{1,2})? ?(?:[€$£¥%]|(?:EUR|USD|GBP|CHF|[Ee]uros?)(?![A-Za-z]))/.test(after) ||
    /[€$£¥] ?$/.test(before(text, start, 2)) ||
    (text[start] !== '+' && /^[.,][0-9]{1,3}(?![0-9])/.test(after))
  );
}

/** Whether a whole word or phrase of `cue` stands at most `reach` characters before `start`, no number between. */
export function followsCue(text: string, start: number, cue: RegExp, reach: number): boolean {
  const ahead = before(text, start, WINDOW);
  for (const { 0: found, index } of ahead.matchAll(cue)) {
    const between = ahead.slice(index + found.length);
    const isWhole = !LETTER.test(ahead.charAt(index - 1));
    if (isWhole && between.length <= reach && !/[0-9]{3}|\ue000/.test(between)) {
      return true;
    }
  }
  return false;
}

const JOINTS_BEFORE = /[ ,;:()[\]|.-]+$/;
const JOINTS_AFTER = /^[ ,;:()[\]|.-]+/;
const NAME_PART = /^[A-Z\u00C0-\u00DE\u0100-\u017F][A-Za-z\u00C0-\u024F'.-]+$/;
const TITLE = /^(?:M|Mme|Mlle|Mr|Mrs|Ms|Miss|Dr|Pr|Me)\.?$/;
const NO_NAME =
  /^(?:date|facture|invoice|order|commande|version|mise|updated?|created?|cr[ée]+s?|fond[ée]+s?|since|depuis|page|exercice|ann[ée]e|loi|act)(?![0-9A-Za-z_\u00C0-\u024F])/i;

/** Whether two capitalised words, or a title and one, stand right before or right after. */
export function isBesideName(text: string, start: number, end: number): boolean {
  const ahead = before(text, start, WINDOW).replace(JOINTS_BEFORE, '').split(' ').slice(-2);
  const behind = text
    .slice(end, end + WINDOW)
    .replace(JOINTS_AFTER, '')
    .split(' ', 2);
  return isName(ahead) || isName(behind);
}

function isName(words: string[]): boolean {
  const [first = '', second = ''] = words.map((word) => word.replace(JOINTS_BEFORE, '').replace(JOINTS_AFTER, ''));
  return (
    NAME_PART.test(second) && (TITLE.test(first) || NAME_PART.test(first)) && !words.some((word) => NO_NAME.test(word))
  );
}
