/** What the extension says, from the files that the browser reads its name from. `{name}` is filled in by us. */
import { chooseLocale, speaker, type Dictionaries, type Say } from '../../sdk/src/core/locale';
import en from '../_locales/en/messages.json';
import fr from '../_locales/fr/messages.json';
import type { Language } from './state';

export type Text = keyof typeof fr;
export type { Say };

type Entries = Record<Text, { message: string }>;

const dictionaries: Dictionaries<Text> = { fr: sentences(fr), en: sentences(en) };

/** The language that `language` stands for in this browser: French where it speaks neither French nor English. */
export function localeOf(language: Language): string {
  return language === 'auto' ? chooseLocale([chrome.i18n.getUILanguage()]) : language;
}

export function speakerOf(language: Language): Say<Text> {
  return speaker(dictionaries, localeOf(language));
}

function sentences(entries: Entries): Record<Text, string> {
  return Object.fromEntries(Object.entries(entries).map(([key, { message }]) => [key, message])) as Record<
    Text,
    string
  >;
}
