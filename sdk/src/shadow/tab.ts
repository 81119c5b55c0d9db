/**
 * What a tab keeps of its demonstration from one page to the next. Where nothing may be stored it lasts as long as the
 * page.
 */
import { serialize } from '../core/json';
import type { ChatReply, ObservedEvent } from './wire';

const STORED = 'circuy.lea';
const UNSENT = 'circuy.lea.unsent';
const MACHINE = 'circuy.machine';
const MOST_GROUPS = 100;
const MOST_LINES = 60;

export type Status = 'idle' | 'recording' | 'paused';

/** A line of the conversation. */
export type Line = { from: 'me'; text: string } | { from: 'lea'; reply: ChatReply };

/** How the page before was left, for the next one to tell why it is there. */
export interface Departure {
  url: string;
  /** What the person had just done that leads elsewhere. */
  by: 'link' | 'form' | 'other' | 'nothing';
  /** Place in the tab's history, where the browser tells. */
  index: number;
}

export interface TabState {
  /** Who shows. */
  whose: string;
  session: string;
  /** The conversation with Léa. */
  chat: string;
  /** When this session was opened: sequence numbers count from there (milliseconds since 1970). */
  opened: number;
  status: Status;
  /** Milliseconds recorded before `since`, and the moment the present stretch began. */
  elapsed: number;
  since: number;
  sequence: number;
  /** What a person did, each with all that followed from it: the sequence numbers that "undo" takes back. */
  groups: number[][];
  /** When the last of them was begun. */
  acted: number;
  departure: Departure | null;
  isPanelOpen: boolean;
  lines: Line[];
  /** What was written and not yet sent. */
  draft: string;
  /** Places that cannot be seen, which people were told of. */
  blind: string[];
  /** Where the bar was put. */
  place: string;
}

/** A tab's demonstration, read once and written at each change. */
export class Tab {
  state: TabState;
  readonly machine = machineId();

  /** What somebody else left in this tab is none of `whose` business. */
  constructor(whose: string) {
    const kept = read(STORED) as Partial<TabState> | null;
    this.state = { ...fresh(whose), ...(kept?.whose === whose ? kept : {}) };
    this.save();
  }

  change(change: Partial<TabState>): void {
    Object.assign(this.state, change);
    this.save();
  }

  /** Takes over what later pages of this tab wrote: the browser shows a page as it was left. */
  reload(): void {
    this.state = { ...this.state, ...(read(STORED) as Partial<TabState> | null) };
  }

  /**
   * The place of the next event. It counts milliseconds: two tabs that share a session (a page that opens another one
   * hands its storage down) never give out the same.
   */
  nextSequence(): number {
    const sequence = Math.max(this.state.sequence + 1, Date.now() - this.state.opened);
    this.state.sequence = sequence;
    return sequence;
  }

  /** Notes what an undo takes back; a consequence goes with what it follows from. */
  group(sequence: number, isConsequence: boolean): void {
    const { groups } = this.state;
    const last = groups.at(-1);
    if (isConsequence && last !== undefined) {
      last.push(sequence);
    } else if (!isConsequence) {
      groups.push([sequence]);
      this.state.groups = groups.slice(-MOST_GROUPS);
      this.state.acted = Date.now();
    }
    this.save();
  }

  add(line: Line): void {
    this.change({ lines: [...this.state.lines, line].slice(-MOST_LINES) });
  }

  /** Milliseconds recorded so far, without pauses. */
  recorded(): number {
    const { status, elapsed, since } = this.state;
    return elapsed + (status === 'recording' ? Date.now() - since : 0);
  }

  /** Begins another recording: what was shown before is not a part of it. */
  begin(): void {
    this.change({ status: 'recording', since: Date.now(), elapsed: 0, groups: [], acted: 0, blind: [] });
  }

  /** Forgets the demonstration. */
  forget(): void {
    write(STORED, null);
    write(UNSENT, null);
  }

  private save(): void {
    write(STORED, this.state);
  }
}

/** The events of `session` that have not arrived yet, over page loads. */
export function readUnsent(session: string): ObservedEvent[] {
  const kept = read(UNSENT) as { session?: string; events?: ObservedEvent[] } | null;
  return kept?.session === session && Array.isArray(kept.events) ? kept.events : [];
}

export function keepUnsent(session: string, events: readonly ObservedEvent[]): void {
  write(UNSENT, events.length === 0 ? null : { session, events });
}

function fresh(whose: string): TabState {
  return {
    whose,
    session: `sess_${randomText()}`,
    chat: `chat_${randomText()}`,
    opened: Date.now(),
    status: 'idle',
    elapsed: 0,
    since: 0,
    sequence: -1,
    groups: [],
    acted: 0,
    departure: null,
    isPanelOpen: true,
    lines: [],
    draft: '',
    blind: [],
    place: '',
  };
}

/** The same for all tabs of this browser on this site. */
function machineId(): string {
  const made = `web_${randomText()}`;
  try {
    const known = localStorage.getItem(MACHINE) ?? '';
    if (/^[\w.:-]{1,64}$/.test(known)) {
      return known;
    }
    localStorage.setItem(MACHINE, made);
  } catch {
    // Without storage each page is a machine of its own.
  }
  return made;
}

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, '0')).join('');
}

function read(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  try {
    if (value === null) {
      sessionStorage.removeItem(key);
    } else {
      sessionStorage.setItem(key, serialize(value));
    }
  } catch {
    // What cannot be stored lasts as long as the page.
  }
}
