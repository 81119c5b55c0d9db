import type { IdentifiedUser, Locale } from '../api/wire';

/** What a page says about itself when it starts Circuy. */
export interface Settings {
  /** Origin of the Circuy server. */
  base: string;
  /** Publishable key. */
  key: string;
  locale: Locale;
  user: IdentifiedUser | null;
}
