import { describe, expect, it } from 'vitest';
import vectors from '../../engine/masking/vectors.json';
import { mask } from '../src/core/masking';

describe('masking', () => {
  it.each(vectors as { input: string; output: string }[])('answers as the server does: $input', ({ input, output }) => {
    expect(mask(input).text).toBe(output);
  });

  it('counts every datum it hides', () => {
    expect(mask('alice@example.com, 06 12 34 56 78').hidden).toBe(2);
    expect(mask('TVA 20 %').hidden).toBe(0);
  });

  it('gives the same answer when asked again, whatever was asked between', () => {
    mask('06 12 34 56 78 and more');
    expect(mask('06 12 34 56 78').text).toBe('[SENSITIVE_NUMERIC]');
  });

  it('takes linear time on text made to be slow', () => {
    const started = performance.now();
    mask('a.'.repeat(50_000) + '@');
    mask('0 '.repeat(50_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
