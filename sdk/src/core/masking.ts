/**
 * Masks personal data, by the rules and in the order that the server uses too: `engine/masking/rules.json`, whose
 * `about` says what folding, checks, edges and cues are. Both sides give the same answer on every text.
 */
import { parts, rules as table } from '../../../engine/masking/rules.json';
import { CHECKS, type Check } from './masking/checks';
import { fold, once, origin, TRIGGER } from './masking/folding';
import { edgesAreFree, followsCue } from './masking/surroundings';

/** What masking made of a text, and how many data it hid. */
export interface Masked {
  text: string;
  hidden: number;
}

/** A kind of data to hide. */
export interface Rule {
  readonly regex: RegExp;
  readonly token: string;
  readonly edges: string;
  readonly check: Check | undefined;
  readonly cue: RegExp | undefined;
  readonly reach: number;
  readonly resumesAtEnd: boolean;
}

type Span = readonly [start: number, end: number, token: string];

/**
 * Most texts are seen to be harmless at once: Latin letters and signs, without an at sign or a bracket (an e-mail), a
 * percent sign (its "%40") or a colon (an IP address), and with fewer digits than any rule looks for.
 */
const PLAIN = /^[ -$&'*-9;-?A-Z\\^-~\u00a1-\u024f\u2013\u2014\u2019\u2026]*$/;
const FOUR_DIGITS = /[0-9][^0-9]*[0-9][^0-9]*[0-9][^0-9]*[0-9]/;

const BLANK = '\ue000';
const TOKENS = /\[(?:EMAIL|SENSITIVE(?:_NUMERIC)?)\]/g;
const MOST_ROUNDS = 4;

/**
 * `text` with e-mail addresses, personal numbers, dates of birth and what `extra` describes replaced. Time grows
 * linearly with the text; masking twice changes nothing. Mask before cutting to length.
 */
export function mask(text: string, extra: readonly Rule[] = []): Masked {
  if (extra.length === 0 && ((PLAIN.test(text) && !FOUR_DIGITS.test(text)) || !TRIGGER.test(text))) {
    return { text, hidden: 0 };
  }
  const [folded, origins] = fold(text);
  let work = folded.replace(TOKENS, (token) => BLANK.repeat(token.length));
  const spans: Span[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = spans.length;
    for (const rule of [...extra, ...builtinRules()]) {
      const found = find(rule, work);
      if (found.length > 0) {
        work = replaceSpans(work, found, ([start, end]) => BLANK.repeat(end - start));
        spans.push(...found.filter(([, , token]) => token !== ''));
      }
    }
    if (spans.length === before) {
      break;
    }
  }
  spans.sort(([a], [b]) => a - b);
  const placed = spans.map(([start, end, token]): Span => [origin(origins, start), origin(origins, end - 1, 1), token]);
  return { text: replaceSpans(text, placed, ([, , token]) => token), hidden: spans.length };
}

function replaceSpans(text: string, spans: readonly Span[], by: (span: Span) => string): string {
  let out = '';
  let copied = 0;
  for (const span of spans) {
    out += text.slice(copied, span[0]) + by(span);
    copied = span[1];
  }
  return out + text.slice(copied);
}

const expand = (pattern: string): string =>
  Object.entries(parts)
    .reverse()
    .reduce((whole, [name, part]) => whole.replaceAll(`{${name}}`, part), pattern);

interface Row {
  pattern: string;
  flags?: string;
  token?: string;
  edges?: string;
  check?: string;
  cue?: string;
  reach?: number;
  resume?: string;
}

const builtinRules = once(() =>
  (table as Row[]).map((row): Rule => ({
    regex: new RegExp(expand(row.pattern), `g${row.flags ?? ''}`),
    token: row.token ?? '',
    edges: row.edges ?? 'digits',
    check: row.check === undefined ? undefined : CHECKS[row.check],
    cue: row.cue === undefined ? undefined : new RegExp(`(?:${row.cue})(?![A-Za-z\\u00C0-\\u024F])`, 'gi'),
    reach: row.reach ?? 0,
    resumesAtEnd: row.resume === 'end',
  })),
);

function find(rule: Rule, text: string): Span[] {
  const found: Span[] = [];
  let floor = 0;
  rule.regex.lastIndex = 0;
  for (let match = rule.regex.exec(text); match !== null; match = rule.regex.exec(text)) {
    const end = match.index + match[0].length;
    const span = accept(rule, text, match.index, end, floor);
    if (span === null) {
      rule.regex.lastIndex = rule.resumesAtEnd ? end : match.index + 1;
    } else {
      found.push(span);
      floor = rule.regex.lastIndex = span[1];
    }
  }
  return found;
}

function accept(rule: Rule, text: string, from: number, to: number, floor: number): Span | null {
  const checked = rule.check === undefined ? ([from, to] as const) : rule.check(text, from, to);
  if (checked === null) {
    return null;
  }
  const start = Math.max(checked[0], floor);
  const isFree = edgesAreFree(rule.edges, text, start, checked[1]);
  return isFree && (rule.cue === undefined || followsCue(text, start, rule.cue, rule.reach))
    ? [start, checked[1], rule.token]
    : null;
}
