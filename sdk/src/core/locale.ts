import type { Locale } from '../api/wire';

/** Gives the sentences of one language; `{name}` in a sentence is filled in from `values`. */
export type Say<Key extends string> = (key: Key, values?: Record<string, string | number>) => string;

/** Sentences by language. */
export type Dictionaries<Key extends string> = Record<Locale, Record<Key, string>>;

/** Where French wants a space that never breaks: before high punctuation, inside quotation marks. */
const FRENCH_SPACES = / (?=[?!:;»])|(?<=«) /g;

/** The sentences of `dictionaries` in `locale`. */
export function speaker<Key extends string>(dictionaries: Dictionaries<Key>, locale: Locale): Say<Key> {
  return (key, values = {}) => {
    const sentence = dictionaries[locale][key];
    const spaced = locale === 'fr' ? sentence.replace(FRENCH_SPACES, '\u00a0') : sentence;
    return spaced.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
  };
}

/** The first of `wishes` that we speak ("fr-CA" is French), else French. */
export function chooseLocale(...wishes: (string | null | undefined)[]): Locale {
  for (const wish of wishes) {
    const language = wish?.toLowerCase().split(/[-_]/, 1)[0];
    if (language === 'fr' || language === 'en') {
      return language;
    }
  }
  return 'fr';
}
