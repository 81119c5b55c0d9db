/** Reads what a page says to `init`, and puts what is wrong with it into one sentence. */
import { chooseLocale } from '../core/locale';
import type { Settings } from '../widget/settings';
import type { InitOptions } from './api';

/** Where options come from beside `init`: the script tag and the page. */
export interface Surroundings {
  data: DOMStringMap;
  server: string;
  languages: readonly (string | null | undefined)[];
}

/** Each option: whether its value can be used, and what to write instead. */
const RULES: Record<keyof InitOptions, [(value: unknown) => boolean, string]> = {
  key: [
    isPublishable,
    'give the publishable key, which begins with pk_ (a secret key, sk_, must never stand in a page)',
  ],
  server: [isServer, 'give the address of your Circuy server, such as https://circuy.example'],
  locale: [isText, 'give a language tag, such as "fr"'],
  user: [isUser, 'give { id, hash }, two texts, or null; the hash is made on your server'],
  messages: [isDictionaries, 'give texts by language, such as { de: { send: "Senden" } }'],
  hideOn: [isPaths, 'give paths that begin with /, such as ["/pay/**"]'],
  consent: [(value) => typeof value === 'boolean', 'give true or false'],
};

/**
 * The settings for `options`, null when Circuy cannot start; and what to tell the developer, "" when all is well. An
 * option that cannot be used counts as left out.
 */
export function readOptions(given: unknown, around: Surroundings): { settings: Settings | null; complaint: string } {
  const complaints: string[] = [];
  const options: InitOptions = {};
  if (typeof given !== 'object' || given === null) {
    complaints.push('give the options as an object, { key, … }');
  } else {
    for (const [name, value] of Object.entries(given as Record<string, unknown>)) {
      const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof InitOptions] : null;
      if (rule === null) {
        complaints.push(`${name}: there is no such option, only ${Object.keys(RULES).join(', ')}`);
      } else if (value !== undefined && !rule[0](value)) {
        complaints.push(`${name}: ${rule[1]}`);
      } else if (value !== undefined) {
        Object.assign(options, { [name]: value });
      }
    }
  }
  const key = options.key ?? around.data.key ?? '';
  const server = options.server ?? around.server;
  for (const [name, value] of [['key', key] as const, ['server', server] as const]) {
    if (!RULES[name][0](value) && !complaints.some((complaint) => complaint.startsWith(`${name}:`))) {
      complaints.push(`${name}: ${RULES[name][1]}`);
    }
  }
  const { messages = {} } = options;
  const isUsable = isPublishable(key) && isServer(server);
  return {
    settings: isUsable
      ? {
          base: new URL(server).origin,
          key,
          locale: chooseLocale([options.locale, around.data.locale, ...around.languages], Object.keys(messages)),
          user: options.user === undefined ? userOf(around.data, complaints) : options.user,
          messages,
          hideOn: options.hideOn ?? [],
        }
      : null,
    complaint: complaints.join('; '),
  };
}

function userOf({ userId: id = '', userHash: hash = '' }: DOMStringMap, complaints: string[]): Settings['user'] {
  if (id !== '' && hash === '') {
    complaints.push('data-user-id: give data-user-hash too, made on your server; until then the visitor is anonymous');
  }
  return id !== '' && hash !== '' ? { id, hash } : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isPublishable(value: unknown): boolean {
  return isText(value) && value.startsWith('pk_');
}

function isServer(value: unknown): boolean {
  return isText(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isUser(value: unknown): boolean {
  return value === null || (isRecord(value) && isText(value.id) && isText(value.hash));
}

function isDictionaries(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.values(value).every(
      (dictionary) => isRecord(dictionary) && Object.values(dictionary).every((text) => typeof text === 'string'),
    )
  );
}

function isPaths(value: unknown): boolean {
  return Array.isArray(value) && value.every((path) => isText(path) && path.startsWith('/'));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
