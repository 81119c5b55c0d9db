/** What travels between the SDK and the server. */

export type Locale = 'fr' | 'en';
export type Placement = 'top' | 'bottom' | 'left' | 'right';
export type ButtonAction = 'next' | 'back' | 'complete' | 'cancel';

/** An end user whom the host application vouches for. `hash` is HMAC-SHA256 of `id` under the organization's secret. */
export interface IdentifiedUser {
  id: string;
  hash: string;
}

export interface StepButton {
  text: string;
  action: ButtonAction;
}

export interface Step {
  attachTo: { element: string; on: Placement };
  fallback_selector: string;
  title: string;
  text: string;
  buttons: StepButton[];
  route?: string;
}

export interface Guide {
  tour_id: string | null;
  status: 'ephemeral' | 'published';
  source: 'published' | 'history' | 'llm' | 'local';
  title: string;
  steps: Step[];
}

export interface Answer extends Guide {
  question_id: string;
  message?: string;
  suggestions: string[];
  visitor?: string;
}

/** 202: the answer is being made and will be at the address in `Location`. */
export interface AnswerPending {
  question_id: string;
  visitor?: string;
}

export interface AskRequest {
  question: string;
  route: string;
  page_title?: string;
  locale?: Locale;
  visitor?: string;
  user?: IdentifiedUser;
}

export interface GuideSummary {
  tour_id: string;
  title: string;
  steps_count: number;
}

export type TourEventType =
  'started' | 'step_shown' | 'target_missing' | 'fallback_used' | 'healed' | 'completed' | 'cancelled' | 'rated';

export interface TourEvent {
  id: string;
  tour_id: string;
  type: TourEventType;
  step?: number;
  at: string;
  detail?: string;
}

export interface RecorderSession {
  token: string;
  expires_in: number;
  organization: string;
  member: string;
  locale: Locale;
}

/** One element of a scanned page. Every string is masked. */
export interface A11yNode {
  id: string;
  tag: string;
  type?: string;
  label?: string;
  placeholder?: string;
  role?: string;
  selector: string;
  isInteractive: boolean;
  fallbackSelector?: string;
  name?: string;
  options?: string[];
  context?: NodeContext;
  state?: NodeState;
}

export interface NodeContext {
  heading?: string;
  form?: string;
  group?: string;
  row?: string;
}

export interface NodeState {
  closed?: true;
  opener?: string;
  disabled?: true;
  required?: true;
  checked?: boolean;
}

export interface PageScanPayload {
  urlPattern: string;
  pageTitle: string;
  nodes: A11yNode[];
}

export interface ScanRequest extends PageScanPayload {
  name: string;
  locale: Locale;
}

export interface ScanStatus {
  scan_id: string;
  status: 'received' | 'learned' | 'failed';
  skill: { id: string; name: string; intents: number; review_url: string } | null;
  message?: string;
}

/** RFC 9457, with our stable `code`. */
export interface Problem {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  code?: string;
  errors?: { field: string; detail: string }[];
}
