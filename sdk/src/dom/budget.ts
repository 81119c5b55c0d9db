import type { A11yNode } from '../api/wire';
import { serialize } from '../core/json';

/** A tidy text takes no more bytes a character in JSON: three in UTF-8, two for what is escaped. */
const MOST_BYTES_A_CHARACTER = 3;
/** Quotes, colon and comma around a key and its value, and room for `false`. */
const PUNCTUATION = 12;

const encoder = new TextEncoder();

/** What a scan may still send. The exact size is worked out only where it could matter: it costs as much as the rest. */
export class Budget {
  private nodes = 0;
  private bytes = 0;
  /** Nodes whose size is only bounded so far. */
  private unmeasured: A11yNode[] = [];
  private bound = 0;

  constructor(
    private readonly mostNodes: number,
    private readonly mostBytes: number,
  ) {}

  /** Whether `node` may be sent too; it then counts as sent. */
  allows(node: A11yNode): boolean {
    if (this.nodes >= this.mostNodes) {
      return false;
    }
    const bound = boundOf(node);
    if (this.bytes + this.bound + bound > this.mostBytes) {
      this.measure();
      const size = sizeOf(node);
      if (this.bytes + size > this.mostBytes) {
        return false;
      }
      this.bytes += size;
    } else {
      this.unmeasured.push(node);
      this.bound += bound;
    }
    this.nodes += 1;
    return true;
  }

  private measure(): void {
    for (const node of this.unmeasured) {
      this.bytes += sizeOf(node);
    }
    this.unmeasured = [];
    this.bound = 0;
  }
}

function sizeOf(node: A11yNode): number {
  return encoder.encode(serialize(node)).length + 1;
}

/** More than the size of `value` can be. */
function boundOf(value: unknown): number {
  if (typeof value === 'string') {
    return value.length * MOST_BYTES_A_CHARACTER + PUNCTUATION;
  }
  if (typeof value !== 'object' || value === null) {
    return PUNCTUATION;
  }
  let sum = PUNCTUATION;
  for (const key of Object.keys(value)) {
    sum += key.length + boundOf((value as Record<string, unknown>)[key]);
  }
  return sum;
}
