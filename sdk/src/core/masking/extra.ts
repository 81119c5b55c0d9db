/**
 * Patterns of an organization's own, in a form too small to be slow. `#` is a digit, `?` a letter, `*` one or more
 * letters or digits; `\` makes the next character plain. Everything else is itself, in either case: `CLI-####`.
 * Whole words only: `CLI-####` is not found in `XCLI-12345`.
 */
import type { Rule } from '../masking';
import { fold } from './folding';

const MOST_PATTERNS = 50;
const LONGEST_PATTERN = 80;
const TOKEN = '[SENSITIVE]';
const WILD: Readonly<Record<string, string>> = {
  '#': '[0-9]',
  '?': '[A-Za-z\\u00C0-\\u024F]',
  '*': '[0-9A-Za-z\\u00C0-\\u024F]{1,64}',
};
const IS_WORD = /[0-9A-Za-z\u00C0-\u024F]/;

export type ExtraPatternProblem = 'empty' | 'too_long' | 'too_many' | 'too_broad' | 'bad_escape' | 'open_star';

/** One pattern cannot be used. `open_star`: `*` stands before a letter, a digit or a wildcard. */
export class ExtraPatternError extends Error {
  constructor(
    /** Its place in the list. */
    readonly index: number,
    readonly code: ExtraPatternProblem,
  ) {
    super(`pattern ${index}: ${code}`);
  }
}

/**
 * Compiles `patterns` for `mask`. Throws `ExtraPatternError` for the first that cannot be used. Too broad is what has
 * fewer than six points: two a plain character, one a `#` or `?`, none a space or `*`.
 */
export function compileExtra(patterns: readonly string[]): Rule[] {
  if (patterns.length > MOST_PATTERNS) {
    throw new ExtraPatternError(MOST_PATTERNS, 'too_many');
  }
  return patterns.map(compile);
}

/** What could be compiled of a server's patterns, and how many could not. */
export interface Usable {
  rules: Rule[];
  skipped: number;
}

/**
 * Compiles what it can of `patterns`, whatever a server sent: one that is newer may know signs that this code does not,
 * one that is older sends none. Never throws.
 */
export function compileUsable(patterns: unknown): Usable {
  const given: unknown[] = Array.isArray(patterns) ? patterns : [];
  const rules = given.slice(0, MOST_PATTERNS).flatMap((pattern) => {
    try {
      return typeof pattern === 'string' ? compileExtra([pattern]) : [];
    } catch {
      return [];
    }
  });
  return { rules, skipped: given.length - rules.length };
}

interface Part {
  char: string;
  isWild: boolean;
}

function compile(pattern: string, index: number): Rule {
  const parts = split(index, fold(pattern)[0].trim());
  if (parts.length === 0) {
    throw new ExtraPatternError(index, 'empty');
  }
  if (parts.length > LONGEST_PATTERN) {
    throw new ExtraPatternError(index, 'too_long');
  }
  let points = 0;
  for (let place = 0; place < parts.length; place += 1) {
    const { char = '', isWild = false } = parts[place] ?? {};
    const next = parts[place + 1];
    points += isWild ? Number(char !== '*') : 2 * Number(char !== ' ');
    if (isWild && char === '*' && next !== undefined && (next.isWild || IS_WORD.test(next.char))) {
      throw new ExtraPatternError(index, 'open_star');
    }
  }
  if (points < 6) {
    throw new ExtraPatternError(index, 'too_broad');
  }
  const source = parts.map(({ char, isWild }) => (isWild ? WILD[char] : char.replace(/[\\^$.*+?()[\]{}|]/, '\\$&')));
  return {
    regex: new RegExp(source.join(''), 'gi'),
    token: TOKEN,
    edges: 'word',
    check: undefined,
    cue: undefined,
    reach: 0,
    then: undefined,
    somewhere: undefined,
    resumesAtEnd: false,
  };
}

/** The characters of `pattern`, each with whether it is a wildcard. */
function split(index: number, pattern: string): Part[] {
  const parts: Part[] = [];
  let isEscaped = false;
  for (const char of pattern) {
    if (char === '\\' && !isEscaped) {
      isEscaped = true;
      continue;
    }
    parts.push({ char, isWild: char in WILD && !isEscaped });
    isEscaped = false;
  }
  if (isEscaped) {
    throw new ExtraPatternError(index, 'bad_escape');
  }
  return parts;
}
