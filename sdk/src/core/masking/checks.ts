/**
 * What a pattern cannot say: check digits, lengths by country, groupings. A check returns where the datum starts and
 * ends, or null when the match is no datum. Positions are those of a folded text.
 */
import { iban, phones } from '../../../../engine/masking/rules.json';
import { email } from './email';
import { once } from '../once';
import { before, isBesideName, isDigit } from './surroundings';
import { expand } from './table';

type Bounds = readonly [start: number, end: number];
export type Check = (text: string, start: number, end: number) => Bounds | null;

const CARD_GROUPINGS = '4444 44443 44442 44441 4443 4442 4441 465 464'.split(' ');
const EPOCH = /^1(?:[0-9]{12}|[0-9]{15}|[0-9]{18})$/;
const DATE_AND_TIME =
  /^(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01])(?:[01][0-9]|2[0-3])(?:[0-5][0-9]){1,2}(?:[0-9]{3})?$/;

const PAIR_AFTER = /^[ ._/-]{1,3}[0-9]{2}(?![0-9])/;
const PAIR_BEFORE = /[0-9]{2}[ ._/-]{1,3}$/;
const OPENING_HOURS = /^[0-2][0-9]\.[0-5][0-9] ?- ?[0-2][0-9]\.[0-5][0-9]/;
const SHORT_DATE = /(?:^|[^0-9])(?:[0-2][0-9]|3[01])([./-])(?:0[1-9]|1[0-2])\1[0-9]{2}(?![0-9])/;
const DATES =
  /^(?:[0-3][0-9]([./-])[01][0-9]\1[0-9]{2}[ ._/-]{1,3}[0-3][0-9]\1[01][0-9]\1[0-9]|[0-3][0-9]\/[01][0-9] ?- ?[0-3][0-9]\/[01][0-9]\/[0-9])/;
const NEXT_DATE = /^([./-])[01][0-9]\1(?:19|20)?[0-9]{2}(?![0-9])/;
const TIME_OR_AMOUNT =
  /^(?:[:h][0-9]|[.,][0-9]{1,3}(?![0-9])|(?:[.,][0-9]{1,2})? ?(?:[€$£¥%]|(?:EUR|USD|GBP|CHF|[Ee]uros?)(?![A-Za-z])))/;
const YEAR_AFTER_AREA = /^0[0-9]+\/(?:19|20)[0-9]{2}(?![0-9])/;
const LONGEST_FOLLOWING = 12;
const LONGEST_DATES = 24;
const looseDate = once(() => new RegExp(expand('{short}')));

const accountLengths = once(
  () =>
    new Map([...iban.matchAll(/([A-Z]{2})([0-9]{2})/g)].map(([, country = '', length]) => [country, Number(length)])),
);

const digitsOf = (text: string): string => text.replace(/[^0-9]/g, '');

/** The sum of what `value` makes of each digit and its place from the end. */
function sumOf(digits: string, value: (digit: number, place: number) => number): number {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    sum += value(Number(digits.charAt(digits.length - 1 - place)), place);
  }
  return sum;
}

function luhn(digits: string): boolean {
  return sumOf(digits, (digit, place) => (place % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2)) % 10 === 0;
}

/** `digits` modulo 97; they may be more than a number holds. */
function modulo97(digits: string): number {
  let remainder = 0;
  for (const digit of digits) {
    remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder;
}

/** The last place where `fewest` to `most` digits have passed and a group of digits ends. */
function endOfNumber(text: string, start: number, end: number, fewest: number, most = fewest): number | null {
  let count = 0;
  let last: number | null = null;
  for (let i = start; i < end; i += 1) {
    if (isDigit(text[i])) {
      count += 1;
      if (fewest <= count && count <= most && !isDigit(text[i + 1])) {
        last = i + 1;
      }
    }
  }
  return last;
}

const upTo = (start: number, end: number | null): Bounds | null => (end === null ? null : [start, end]);
const when = (isDatum: boolean, start: number, end: number): Bounds | null => (isDatum ? [start, end] : null);

export const CHECKS: Readonly<Record<string, Check>> = {
  email,

  iban(text, start, end) {
    let left = accountLengths().get(text.slice(start, start + 2).toUpperCase()) ?? 0;
    let stop = start;
    while (left > 0 && stop < end) {
      left -= /[0-9A-Za-z]/.test(text.charAt(stop)) ? 1 : 0;
      stop += 1;
    }
    const compact = text
      .slice(start, stop)
      .toUpperCase()
      .replace(/[^0-9A-Z]/g, '');
    const moved = compact.slice(4) + compact.slice(0, 4);
    const digits = moved.replace(/[A-Z]/g, (letter) => parseInt(letter, 36).toString());
    return when(left === 0 && stop > start && modulo97(digits) === 1, start, stop);
  },

  card(text, start, end) {
    const length = end - start;
    const isPossible = length >= 15 || text[start] === (length === 13 ? '4' : '3');
    return when(isPossible && luhn(text.slice(start, end)), start, end);
  },

  card_grouped(text, start, end) {
    const groups = [...text.slice(start, end).matchAll(/[0-9]+/g)];
    for (; groups.length > 2; groups.pop()) {
      const last = groups.at(-1);
      const stop = start + (last?.index ?? 0) + (last?.[0].length ?? 0);
      const grouping = groups.map(([group]) => group.length).join('');
      if (CARD_GROUPINGS.includes(grouping) && !isDigit(text[stop]) && luhn(digitsOf(text.slice(start, stop)))) {
        return [start, stop];
      }
    }
    return null;
  },

  /** With a right key; or in its usual groups, with a month and without a right key. */
  nir(text, start, end) {
    const datum = text.slice(start, end);
    const compact = datum.toUpperCase().replace(/[^0-9AB]/g, '');
    const number = compact.slice(0, 13).replace('2A', '19').replace('2B', '18');
    const isRight = compact.length === 15 && 97 - modulo97(number) === Number(compact.slice(13));
    return when(isRight || /^.([ .-])..\1(?:0[1-9]|1[0-2])\1..\1...\1.../.test(datum), start, end);
  },

  siret(text, start, end) {
    const datum = text.slice(start, end);
    const digits = digitsOf(datum);
    // La Poste numbers its many offices by another rule.
    const isPost = digits.startsWith('356000000') && sumOf(digits, (digit) => digit) % 5 === 0;
    return when((luhn(digits) || isPost) && !DATE_AND_TIME.test(datum), start, end);
  },

  /** Without the word SIREN before: only in groups of three that no longer number goes on from, or before "RCS". */
  siren(text, start, end) {
    const datum = text.slice(start, end);
    const isAlone = !/[0-9] $/.test(before(text, start, 2)) && !/^ [0-9]/.test(text.slice(end, end + 2));
    const isMarked =
      /^ ?R\.?C\.?S/.test(text.slice(end, end + 6)) || (isAlone && /^[0-9]{3} [0-9]{3} [0-9]{3}$/.test(datum));
    return when(isMarked && luhn(digitsOf(datum)), start, end);
  },

  /** A date beside a name is taken for a date of birth when nobody would still be shown orders of that year. */
  named(text, start, end) {
    const isOld = /19[0-9]{2}|200[0-9]/.test(text.slice(start, end));
    return isOld && isBesideName(text, start, end) ? date(text, start, end) : null;
  },

  date,

  vat(text, start, end) {
    if (!text.slice(start, end).startsWith('FR')) {
      return [start, end];
    }
    const compact = text.slice(start + 2, end).replace(/[ .-]/g, '');
    const [key, company] = [compact.slice(0, 2), compact.slice(2)];
    const isRight = /^[0-9]+$/.test(key) && Number(key) === (12 + 3 * modulo97(company)) % 97;
    return when(isRight || luhn(company), start, end);
  },

  /** Four bytes. 1.2.3.4 and the like are versions and sections far more often than anyone's address. */
  ipv4(text, start, end) {
    const numbers = text.slice(start, end).split('.');
    const isValid = numbers.every((part) => Number(part) < 256 && (part === '0' || !part.startsWith('0')));
    const goesOn = /^\.[0-9]/.test(text.slice(end, end + 2));
    return when(isValid && !goesOn && numbers.some((part) => part.length > 1), start, end);
  },

  ipv6(text, start, end) {
    const datum = text.slice(start, end);
    const shortened = datum.split('::').length - 1;
    const isComplete = shortened === 0 && datum.split(':').length === 8 && !datum.endsWith(':');
    return when(isComplete || (shortened === 1 && !datum.includes(':::')), start, end);
  },

  phone_international(text, start, end) {
    const prefix = text[start] === '+' ? 0 : 2;
    // The middle of 06 12 34 00 77; the end of a time, 10:00.
    if (/[0-9](?:[ ._/-]{1,3}|[:h])00[ .-]$/.test(before(text, start + 3, 7))) {
      return null;
    }
    const digits = digitsOf(text.slice(start, end)).slice(prefix);
    for (const [country, length] of Object.entries(phones)) {
      if (digits.startsWith(country)) {
        const exact = prefix + length + (digits[country.length] === '0' ? 1 : 0);
        const stop = endOfNumber(text, start, end, exact);
        if (stop !== null) {
          return [start, stop];
        }
      }
    }
    return hasSlashDate(text.slice(start, end))
      ? null
      : upTo(start, endOfNumber(text, start, end, prefix + 8, prefix + 15));
  },

  /** Not the days of a calendar, nor opening hours, nor dates, a date and a time, or a date and an amount. */
  phone_fr(text, start, end) {
    const datum = text.slice(start, end);
    const after = text.slice(end, end + LONGEST_FOLLOWING);
    const hasMoreAfter = PAIR_AFTER.test(after);
    const isPlan =
      ((hasMoreAfter || PAIR_BEFORE.test(before(text, start, 5))) && isCounting(digitsOf(datum))) ||
      (hasMoreAfter && OPENING_HOURS.test(datum));
    const isDated =
      SHORT_DATE.test(datum) && (TIME_OR_AMOUNT.test(after) || (hasSlashDate(datum) && /[0-9]{4}$/.test(datum)));
    const areDates = DATES.test(text.slice(start, start + LONGEST_DATES)) || NEXT_DATE.test(after);
    return when(!isPlan && !isDated && !areDates, start, end);
  },

  /** 33 6 12 34 56 78, but not in the midst of other pairs. */
  phone_fr_bare(text, start, end) {
    const hasMore =
      PAIR_AFTER.test(text.slice(end, end + LONGEST_FOLLOWING)) || PAIR_BEFORE.test(before(text, start, 5));
    return when(!hasMore, start, end);
  },

  /**
   * 9 to 11 digits in groups, not all pairs. One kind of separator parts them; after an area code of three digits or
   * more, or in 02/123.45.67, it may be any.
   */
  phone_national(text, start, end) {
    const datum = text.slice(start, end);
    const lengths = (datum.match(/[0-9]+/g) ?? []).map((group) => group.length);
    const first = /[^0-9]+/.exec(datum)?.[0] ?? '';
    const isFree = (lengths[0] ?? 0) > 2 || /^2,3,2,2(?:,|$)/.test(lengths.join());
    if (/^2(?:,2)*$/.test(lengths.join()) || (first === '/' && (!isFree || YEAR_AFTER_AREA.test(datum)))) {
      return null;
    }
    let stop = datum.length;
    for (const { 0: separator, index } of datum.matchAll(/[^0-9]+/g)) {
      if (!isFree && separator !== first) {
        stop = index;
        break;
      }
    }
    return upTo(start, endOfNumber(text, start, start + stop, 9, 11));
  },

  phone_cue: phoneAfterCue,

  /** What holds something like a date, right after its cue: Tel 12-03-34 56. */
  phone_cue_near(text, start, end) {
    const found = phoneAfterCue(text, start, end);
    const datum = found === null ? '' : text.slice(start, found[1]);
    const isDate = hasSlashDate(datum) || TIME_OR_AMOUNT.test(text.slice(found?.[1], (found?.[1] ?? 0) + 12));
    return looseDate().test(datum) && !isDate ? found : null;
  },

  /** Not a moment in milliseconds or written in one go, nor the code of a product (UPC, EAN, GTIN). */
  long(text, start, end) {
    const digits = text.slice(start, end);
    const isProduct =
      digits.length <= 14 && sumOf(digits, (digit, place) => digit * (place % 2 === 0 ? 1 : 3)) % 10 === 0;
    return when(!isProduct && !EPOCH.test(digits) && !DATE_AND_TIME.test(digits), start, end);
  },
};

const hasSlashDate = (datum: string): boolean => SHORT_DATE.exec(datum)?.[1] === '/';

function isCounting(digits: string): boolean {
  for (let i = 2; i < digits.length; i += 2) {
    if (Number(digits.slice(i, i + 2)) !== Number(digits.slice(i - 2, i)) + 1) {
      return false;
    }
  }
  return true;
}

function phoneAfterCue(text: string, start: number, end: number): Bounds | null {
  const stop = endOfNumber(text, start, end, 8, 15);
  return stop === null || /^[1-9][0-9]?(?: [0-9]{3})+$/.test(text.slice(start, stop)) ? null : [start, stop];
}

/** Not the middle of 06-12-34-10-76. */
function date(text: string, start: number, end: number): Bounds | null {
  return when(!/[0-9][./-]$/.test(before(text, start, 2)), start, end);
}
