/**
 * Route patterns: `/factures/*\/lignes` stands for every invoice's lines. `*` is exactly one segment of the path, `**` at
 * the end any number of them.
 */
import { isGeneratedName } from './generated_names';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NUMBER = /^[0-9]+$/;
const LONG_HASH = /^(?=.*[0-9])[0-9a-f]{12,}$/i;
const RANDOM_TOKEN = /^(?=.*[0-9])(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9_-]{16,}$/;
const REFERENCE = /^[A-Z]{1,6}[-_]?(?:[0-9]{2,4}[-_])?[0-9]{2,}$/i;

/** The pattern to propose for `path`: segments that name one record (ids, numbers, UUIDs, hashes, references) become `*`. */
export function proposePattern(path: string): string {
  return segmentsOf(path)
    .map((segment) => (isRecordId(segment) ? '*' : segment))
    .join('/');
}

/** Whether `pattern` covers `path`; `**` at its end is all that follows. A slash at the end makes no difference. */
export function matchesPattern(pattern: string, path: string): boolean {
  const wanted = segmentsOf(trimEndSlash(pattern));
  const given = segmentsOf(trimEndSlash(path));
  if (wanted.at(-1) === '**') {
    wanted.pop();
    given.length = Math.min(given.length, wanted.length);
  }
  return (
    wanted.length === given.length && wanted.every((part, i) => part === given[i] || (part === '*' && given[i] !== ''))
  );
}

/** Two paths that `pattern` covers, the current one first, for people to check that they chose well. */
export function examplesOf(pattern: string, path: string): string[] {
  if (!matchesPattern(pattern, path)) {
    return [];
  }
  if (!segmentsOf(pattern).includes('*')) {
    return [path];
  }
  const given = segmentsOf(path);
  const sibling = segmentsOf(pattern).map((part, i) => (part === '*' ? otherId(given[i] ?? '') : part));
  return [path, sibling.join('/')];
}

function isRecordId(segment: string): boolean {
  return (
    segment === '*' ||
    NUMBER.test(segment) ||
    UUID.test(segment) ||
    LONG_HASH.test(segment) ||
    RANDOM_TOKEN.test(segment) ||
    REFERENCE.test(segment) ||
    (/[0-9]/.test(segment) && isGeneratedName(segment))
  );
}

function otherId(id: string): string {
  const digits = /[0-9]+(?=[^0-9]*$)/.exec(id);
  if (digits === null) {
    return '…';
  }
  const next = (BigInt(digits[0]) + 1n).toString().padStart(digits[0].length, '0');
  return id.slice(0, digits.index) + next + id.slice(digits.index + digits[0].length);
}

function segmentsOf(path: string): string[] {
  return (path.split(/[?#]/, 1)[0] ?? '').split('/');
}

function trimEndSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') : path;
}
