import type { IdentifiedUser, WidgetSettings } from '../api/wire';

/** Sentences by name, for one language. */
export type Dictionary = Readonly<Record<string, string>>;

/** What a page says about itself when it starts Circuy. */
export interface Settings {
  /** Origin of the Circuy server. */
  base: string;
  /** Publishable key. */
  key: string;
  /** Language tag: `fr`, `en`, or one of those in `messages`. */
  locale: string;
  user: IdentifiedUser | null;
  /** Dictionaries of other languages, or other words for ours, by language tag. */
  messages: Readonly<Record<string, Dictionary>>;
  /** Paths without the widget, beside those that the organization chose. */
  hideOn: readonly string[];
}

/** How the widget looks when the organization's choice cannot be had. */
export const PLAIN_LOOK: WidgetSettings = {
  accent: '',
  side: 'right',
  offset_x: 20,
  offset_y: 20,
  label: '',
  hidden_on: [],
  events_percent: 100,
};
