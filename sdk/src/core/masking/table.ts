/** The parts that patterns of `rules.json` are made of. */
import { parts } from '../../../../engine/masking/rules.json';

/** `pattern` with each `{name}` replaced by that part of the table. */
export function expand(pattern: string): string {
  const named = Object.entries(parts);
  let whole = pattern;
  for (let i = named.length - 1; i >= 0; i -= 1) {
    const [name = '', part = ''] = named[i] ?? [];
    whole = whole.split(`{${name}}`).join(part);
  }
  return whole;
}
