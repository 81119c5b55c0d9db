/** What a demonstration sends to the server, and what the server makes of it. */

/** Every word of it is masked; of what is private only the place is told. */
export interface ObservedTarget {
  tag: string;
  role?: string;
  name?: string;
  /** Type of an input. */
  type?: string;
  selector?: string;
  fallbackSelector?: string;
  fingerprint?: string;
  /** What is read on the button, link or option. */
  text?: string;
  row?: string;
  heading?: string;
  group?: string;
  /** Of a radio button, what all those of its choice share. */
  choice?: string;
  form?: string;
  landmark?: string;
  interactive: boolean;
  /** How many elements of its page share its role and name. */
  matches: number;
}

export type Cause = 'link' | 'form' | 'push' | 'replace' | 'pop' | 'typed' | 'reload' | 'back' | 'forward' | 'script';

export type Blindness = 'cross_origin_frame' | 'canvas' | 'closed_shadow';

export type ActKind =
  'click' | 'dblclick' | 'fill' | 'select' | 'check' | 'key' | 'submit' | 'upload' | 'navigate' | 'focus' | 'unseen';

/** Something that happened, before it has its place in the session. */
export interface Act {
  kind: ActKind;
  target?: ObservedTarget;
  /** Selector of the same-origin frame that it happened in. */
  frame?: string;
  value?: string;
  secret?: boolean;
  option?: string;
  options?: string[];
  checked?: boolean;
  key?: string;
  detail?: number;
  cause?: Cause;
  from_url?: string;
  files?: string[];
  reason?: Blindness;
}

export interface ObservedEvent extends Omit<Act, 'kind'> {
  kind: ActKind | 'pause' | 'resume' | 'undo';
  /** The order of events in the session, whenever they arrive. */
  sequence: number;
  /** Seconds since 1970. */
  at: number;
  url: string;
  title: string;
  trusted: true;
  /** Sequence numbers of the events that this one takes back. */
  undone?: number[];
}

export interface Batch {
  session_id: string;
  machine_id: string;
  machine_name: string;
  events: readonly ObservedEvent[];
}

export interface BatchReply {
  /** Whether the session is being observed now, whoever started or stopped that. */
  recording?: boolean;
}

export interface UnderstoodStep {
  step: number;
  intent: string;
  /** From 0 to 1. */
  confidence: number;
  reasons?: string[];
  state?: string;
}

export interface Understanding {
  /** Whether the session is being observed now, whoever started or stopped that. */
  recording?: boolean;
  steps?: UnderstoodStep[];
  current_step?: UnderstoodStep | null;
  notifications?: { at?: number; message?: string }[];
}

export interface ChatRequest {
  /** The conversation. */
  session: string;
  text: string;
  /** The session of this tab that may be observed. */
  session_id: string;
  machine_id: string;
  locale: string;
  route: string;
}

export interface ChatReply {
  reply: string;
  state: string;
  steps?: UnderstoodStep[];
  tour?: { title?: string; review_url?: string } | null;
  choices?: string[];
}
