import type { Locale } from '../api/wire';

/** Gives the sentences of one language; `{name}` in a sentence is filled in from `values`. */
export type Say<Key extends string> = (key: Key, values?: Record<string, string | number>) => string;

/** Sentences by language. */
export type Dictionaries<Key extends string> = Record<Locale, Record<Key, string>>;

/** Where French wants a space that never breaks: before high punctuation, inside quotation marks. */
const FRENCH_SPACES = / (?=[?!:;»])|(?<=«) /g;

/** Languages written from right to left, of those with many speakers. */
const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur', 'ps', 'yi', 'ckb', 'dv', 'sd', 'ug']);

/**
 * The sentences in `locale`: those of `own` first, then those of `dictionaries`, in English where they do not speak
 * that language.
 */
export function speaker<Key extends string>(
  dictionaries: Dictionaries<Key>,
  locale: string,
  own: Readonly<Record<string, string>> = {},
): Say<Key> {
  const language = languageOf(locale);
  const known = dictionaries[isSpoken(language) ? language : 'en'];
  return (key, values = {}) => {
    const sentence = own[key] ?? known[key];
    const spaced = language === 'fr' ? sentence.replace(FRENCH_SPACES, '\u00a0') : sentence;
    return spaced.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
  };
}

/**
 * The first of `wishes` that is spoken, else French. French and English are; `others` are the language tags for which
 * there is a dictionary. "fr-CA" is served by French, "pt-BR" by a dictionary for "pt-BR" or for "pt".
 */
export function chooseLocale(wishes: readonly (string | null | undefined)[], others: readonly string[] = []): string {
  for (const wish of wishes) {
    const tag = wish?.toLowerCase().replace('_', '-') ?? '';
    const language = languageOf(tag);
    const found =
      others.find((other) => other.toLowerCase() === tag) ?? others.find((other) => other.toLowerCase() === language);
    if (found !== undefined || isSpoken(language)) {
      return found ?? language;
    }
  }
  return 'fr';
}

/** The language in which the server may answer; null when it speaks none that is like `locale`. */
export function answerLocale(locale: string): Locale | null {
  const language = languageOf(locale);
  return isSpoken(language) ? language : null;
}

export function directionOf(locale: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(languageOf(locale)) ? 'rtl' : 'ltr';
}

function languageOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0] ?? '';
}

function isSpoken(language: string): language is Locale {
  return language === 'fr' || language === 'en';
}
