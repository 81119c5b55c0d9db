import { describe, expect, it, vi } from 'vitest';
import { rules } from '../../engine/masking/rules.json';
import vectors from '../../engine/masking/vectors.json';
import { mask } from '../src/core/masking';
import { CHECKS } from '../src/core/masking/checks';
import { compileExtra, compileUsable, ExtraPatternError } from '../src/core/masking/extra';

describe('masking', () => {
  it.each(vectors as { input: string; output: string }[])('answers as the server does: $input', ({ input, output }) => {
    expect(mask(input).text).toBe(output);
    expect(mask(output)).toEqual({ text: output, hidden: 0 });
  });

  it('knows every check that a rule names', () => {
    const named = rules.flatMap((rule) => ('check' in rule ? [rule.check] : []));
    expect(named.filter((check) => CHECKS[check] === undefined)).toEqual([]);
  });

  it('counts every datum it hides', () => {
    expect(mask('alice@example.com, 06 12 34 56 78').hidden).toBe(2);
    expect(mask('TVA 20 %').hidden).toBe(0);
  });

  it('gives the same answer when asked again, whatever was asked between', () => {
    mask('06 12 34 56 78 and more');
    expect(mask('06 12 34 56 78').text).toBe('[SENSITIVE_NUMERIC]');
  });

  it('comes to an end when an emoji stands before a number that is no card', () => {
    expect(mask('😀4111 1111 1111 1112 😀').hidden).toBe(0);
  });

  it.each(['a.', '0 ', '%40a.bc', '4111 ', '+1', '12/03/', 'né le ', '2001:', '9'])(
    'reads text made to be slow to its end: %s',
    (piece) => {
      const { text } = mask(`${piece.repeat(24_000 / piece.length)} alice@example.com`);
      expect(text.endsWith('[EMAIL]')).toBe(true);
    },
  );
});

/** What `run` gives where Prototype.js replaced methods of the language: `entries` gives an array, and so on. */
function withPrototypeJs<T>(run: () => T): T {
  const replaced = [
    [Array.prototype, 'entries', (self: unknown[]) => self.slice()],
    [Array.prototype, 'reduce', (self: unknown[]) => (self.length > 1 ? self : self[0])],
    [String.prototype, 'startsWith', (self: string, start: string) => self.lastIndexOf(start, 0) === 0],
  ] as [object, string, (self: unknown, argument: unknown) => unknown][];
  const originals = replaced.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name) ?? {});
  for (const [owner, name, method] of replaced) {
    const value = function (this: unknown, argument: unknown): unknown {
      return method(this, argument);
    };
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  }
  try {
    return run();
  } finally {
    replaced.forEach(([owner, name], i) => Object.defineProperty(owner, name, originals[i] ?? {}));
  }
}

describe('on a page that loads Prototype.js', () => {
  it('masks as anywhere else', async () => {
    vi.resetModules();
    const fresh = await import('../src/core/masking');
    const { compileExtra: compile } = await import('../src/core/masking/extra');
    const [answers, own] = withPrototypeJs(() => [
      (vectors as { input: string }[]).map(({ input }) => fresh.mask(input).text),
      fresh.mask('CLI-2041', compile(['CLI-####'])).text,
    ]);

    expect(answers).toEqual(vectors.map(({ output }) => output));
    expect(own).toBe('[SENSITIVE]');
  });
});

describe('no datum survives', () => {
  const data = [
    'alice@example.com',
    '06 12 34 56 78',
    '+33 6 12 34 56 78',
    '4111 1111 1111 1111',
    'FR76 3000 6000 0112 3456 7890 189',
    '1 85 05 78 006 084 91',
    '732 829 320 00074',
    '192.168.10.200',
  ];
  const around = ['', ' ', '(', '« ', '联系', '😀', 'Mobile ', '\n', '… ', '| ', '"', '\u202f', ', '];
  const separators = [' ', '\u00a0', '\u202f', '\u2009', '\u3000', ' \u200b'];

  it.each(data)('%s', (datum) => {
    const token = datum.includes('@') ? '[EMAIL]' : '[SENSITIVE_NUMERIC]';
    for (const before of around) {
      for (const after of [...around.filter((text) => !/^[a-z]/i.test(text)), ' Modifier']) {
        for (const separator of separators) {
          const text = before + datum.replaceAll(' ', separator) + after;
          expect(mask(text)).toEqual({ text: before + token + after, hidden: 1 });
        }
      }
    }
  });
});

describe("patterns of an organization's own", () => {
  it.each([
    ['CLI-####', 'Client cli-2041, XCLI-2041, CLI-20415', 'Client [SENSITIVE], XCLI-2041, CLI-20415'],
    ['Dossier ??-*', 'Dossier AB-Durand2026, suite', '[SENSITIVE], suite'],
    ['projet zéphyr', 'Le Projet Zéphyr avance', 'Le [SENSITIVE] avance'],
    [String.raw`\#####`, 'Ticket #1042', 'Ticket [SENSITIVE]'],
    ['(x)[y]{2}|z+$', '(X)[y]{2}|z+$', '[SENSITIVE]'],
  ])('%s', (pattern, text, expected) => {
    expect(mask(text, compileExtra([pattern])).text).toBe(expected);
  });

  it.each([
    [['CLI-####', '  '], 1, 'empty'],
    [['C'.repeat(81)], 0, 'too_long'],
    [Array<string>(51).fill('CLI-####'), 50, 'too_many'],
    [['####'], 0, 'too_broad'],
    [['CLI-\\'], 0, 'bad_escape'],
    [['CLI*1'], 0, 'open_star'],
  ])('refuses %j', (patterns, index, code) => {
    expect(() => compileExtra(patterns)).toThrow(ExtraPatternError);
    expect(() => compileExtra(patterns)).toThrow(`pattern ${index}: ${code}`);
  });

  it.each([
    [['CLI-####', 'CLI**', 'DOS-####'], 2, 1],
    [['CLI-####', 7, null, {}], 1, 3],
    [Array<string>(60).fill('CLI-####'), 50, 10],
    [undefined, 0, 0],
    ['CLI-####', 0, 0],
    [{ length: 3 }, 0, 0],
  ])('takes what it can of %j', (patterns, usable, skipped) => {
    const made = compileUsable(patterns);
    expect([made.rules.length, made.skipped]).toEqual([usable, skipped]);
  });

  it('hides what the usable ones describe', () => {
    const { rules } = compileUsable(['CLI**', 'DOS-####']);
    expect(mask('CLI-1 DOS-1234', rules).text).toBe('CLI-1 [SENSITIVE]');
  });
});
