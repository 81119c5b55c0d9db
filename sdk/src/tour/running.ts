/** What a running guide is given, and what comes of it. */
import type { TourEventType } from '../api/wire';

export type Outcome = 'completed' | 'cancelled';

export interface RunOptions {
  /** Language tag. */
  locale: string;
  /** Sentences for it, by name, before ours. */
  messages: Readonly<Record<string, string>>;
  /** The style sheet that the widget wears: the guide wears the same and does not bring its own. */
  theme: string;
  /** Whether all steps are there, of a guide whose steps are still being written when it starts. */
  isWhole?: () => boolean;
  /** Hears what happens; `step` counts from 0. */
  report: (type: TourEventType, more: { step?: number; detail?: string }) => void;
}

/** Where a guide goes on that was begun on another page. */
export interface Resumption {
  index: number;
  home: string;
}

export interface EndedRun {
  outcome: Outcome;
  /** Whether the keyboard was in the guide when it ended, so that someone must take the focus. */
  hadFocus: boolean;
}
