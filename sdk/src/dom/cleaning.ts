import { mask, type Masked, type Rule } from '../core/masking';
import { cutGraphemes, dropUnstorable, foldSpaces } from '../core/text';

/** One line of letters that every browser and server knows, with single spaces: nothing to fold and nothing to drop. */
const TIDY = /^(?:[!-~\u00a1-\u024f\u2019]+(?: [!-~\u00a1-\u024f\u2019]+)*)?$/;

/** Masks the texts of one page, each once, and counts what was hidden. */
export class Cleaning {
  private readonly known = new Map<string, Masked>();

  constructor(private readonly extra: readonly Rule[]) {}

  /** How many data were hidden in all the texts together. */
  get masked(): number {
    let sum = 0;
    for (const { hidden } of this.known.values()) {
      sum += hidden;
    }
    return sum;
  }

  /** Whether nothing in `value` is to be masked. Kept out of the count: it does not leave the page. */
  readonly isClean = (value: string): boolean =>
    value === '' || (this.known.get(value) ?? mask(value, this.extra)).hidden === 0;

  /** `text` on one line and masked, then cut: half a number is still a number. */
  clean(text: string, limit: number): string {
    return text === '' ? '' : cutGraphemes(this.whole(text), limit);
  }

  /** The same, uncut. */
  whole(text: string): string {
    let masked = this.known.get(text);
    if (masked === undefined) {
      masked = mask(TIDY.test(text) ? text : foldSpaces(dropUnstorable(text)), this.extra);
      this.known.set(text, masked);
    }
    return masked.text;
  }
}
