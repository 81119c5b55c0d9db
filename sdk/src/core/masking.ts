/**
 * Masks personal data, by the rules and in the order that the server uses too: `engine/masking/rules.json`, whose
 * `about` says what folding, checks, edges and cues are. Both sides give the same answer on every text.
 */
import { rules as table } from '../../../engine/masking/rules.json';
import { CHECKS, type Check } from './masking/checks';
import { fold, origin, TRIGGER } from './masking/folding';
import { edgesAreFree, followsCue } from './masking/surroundings';
import { once } from './once';
import { expand } from './masking/table';

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
  readonly then: RegExp | undefined;
  /** What a text must hold for `cue` or `then` to be found: most texts are done with at once. */
  readonly somewhere: RegExp | undefined;
  readonly resumesAtEnd: boolean;
}

type Span = readonly [start: number, end: number, token: string];

/**
 * Most texts are seen to be harmless at once: Latin letters and signs, without an at sign or a bracket (an e-mail), a
 * percent sign (its "%40") or a colon (an IP address), and with fewer digits than any rule looks for ("né le 1 mai 87").
 */
const PLAIN = /^[ -$&'*-9;-?A-Z\\^-~\u00a1-\u024f\u2013\u2014\u2019\u2026]*$/;
const THREE_DIGITS = /[0-9][^0-9]*[0-9][^0-9]*[0-9]/;

const BLANK = '\ue000';
const TOKENS = /\[(?:EMAIL|SENSITIVE(?:_NUMERIC)?)\]/g;
const MOST_ROUNDS = 4;
const LONGEST_THEN = 60;

/**
 * `text` with e-mail addresses, personal numbers, dates of birth and what `extra` describes replaced. Time grows
 * linearly with the text; masking twice changes nothing. Mask before cutting to length.
 */
export function mask(text: string, extra: readonly Rule[] = []): Masked {
  if (extra.length === 0 && ((PLAIN.test(text) && !THREE_DIGITS.test(text)) || !TRIGGER.test(text))) {
    return { text, hidden: 0 };
  }
  const [folded, origins] = fold(text);
  let work = folded.replace(TOKENS, (token) => BLANK.repeat(token.length));
  const spans: Span[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = spans.length;
    let guarded = work;
    for (const rule of [...extra, ...builtinRules()]) {
      const found = find(rule, guarded);
      if (found.length > 0) {
        guarded = replaceSpans(guarded, found, blank);
        spans.push(...found.filter(([, , token]) => token !== ''));
      }
    }
    if (spans.length === before) {
      break;
    }
    // What was only protected is looked at afresh: beside it there is now less.
    work = replaceSpans(work, spans.slice(before).sort(byStart), blank);
  }
  spans.sort(byStart);
  const placed = spans.map(([start, end, token]): Span => [origin(origins, start), origin(origins, end - 1, 1), token]);
  return { text: replaceSpans(text, placed, ([, , token]) => token), hidden: spans.length };
}

const byStart = ([a]: Span, [b]: Span): number => a - b;
const blank = ([start, end]: Span): string => BLANK.repeat(end - start);

function replaceSpans(text: string, spans: readonly Span[], by: (span: Span) => string): string {
  let out = '';
  let copied = 0;
  for (const span of spans) {
    out += text.slice(copied, span[0]) + by(span);
    copied = span[1];
  }
  return out + text.slice(copied);
}

interface Row {
  pattern: string;
  flags?: string;
  token?: string;
  edges?: string;
  check?: string;
  cue?: string;
  reach?: number;
  then?: string;
  resume?: string;
}

const builtinRules = once(() =>
  (table as Row[]).map((row): Rule => ({
    regex: new RegExp(expand(row.pattern), `g${row.flags ?? ''}`),
    token: row.token ?? '',
    edges: row.edges ?? 'digits',
    check: row.check === undefined ? undefined : CHECKS[row.check],
    cue: row.cue === undefined ? undefined : new RegExp(`(?:${expand(row.cue)})(?![A-Za-z\\u00C0-\\u024F])`, 'gi'),
    reach: row.reach ?? 0,
    then: row.then === undefined ? undefined : new RegExp(`^(?:${expand(row.then)})`, 'i'),
    somewhere: (row.cue ?? row.then) === undefined ? undefined : new RegExp(expand(row.cue ?? row.then ?? ''), 'i'),
    resumesAtEnd: row.resume === 'end',
  })),
);

function find(rule: Rule, text: string): Span[] {
  const found: Span[] = [];
  if (rule.somewhere !== undefined && !rule.somewhere.test(text)) {
    return found;
  }
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
  const isAnnounced =
    (rule.cue === undefined || followsCue(text, start, rule.cue, rule.reach)) &&
    (rule.then === undefined || rule.then.test(text.slice(checked[1], checked[1] + LONGEST_THEN)));
  return isFree && isAnnounced ? [start, checked[1], rule.token] : null;
}
