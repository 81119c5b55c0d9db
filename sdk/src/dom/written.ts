import type { Environment } from './environment';
import { tidy } from './name_words';
import { holdsChosenValue, isKeptPrivate } from './private_words';
import { isEditable, roleOf } from './roles';

/** The attributes of an element that matter to a name. */
export interface Written {
  /** Empty without one. */
  readonly role: string;
  readonly label: string;
  readonly title: string;
  readonly owns: string | null;
  readonly isLabelled: boolean;
  readonly isHidden: boolean;
  /** Its author keeps its words on the page. */
  readonly isPrivate: boolean;
  /** What it says is what people wrote or chose, as far as attributes tell. */
  readonly isValue: boolean;
}

type Draft = { -readonly [Key in keyof Written]: Written[Key] };

const NOTHING_WRITTEN: Written = {
  role: '',
  label: '',
  title: '',
  owns: null,
  isLabelled: false,
  isHidden: false,
  isPrivate: false,
  isValue: false,
};
const TELLING = new Set([
  'role',
  'title',
  'contenteditable',
  'data-circuy-ignore',
  'data-circuy-mask',
  ...['aria-haspopup', 'aria-hidden', 'aria-label', 'aria-labelledby', 'aria-owns'],
]);

/** What is written on `element`: on most, nothing that matters here, which one question tells. */
export function writtenOn(env: Environment, element: Element): Written {
  let written: Draft | null = null;
  for (const name of env.attributeNames(element)) {
    if (TELLING.has(name)) {
      written ??= { ...NOTHING_WRITTEN };
      note(written, env, element, name);
    }
  }
  return written ?? NOTHING_WRITTEN;
}

function note(written: Draft, env: Environment, element: Element, name: string): void {
  const value = env.attribute(element, name) ?? '';
  switch (name) {
    case 'role':
      written.role = roleOf(env, element) ?? 'presentation';
      written.isValue ||= holdsChosenValue(env, element, written.role);
      break;
    case 'aria-haspopup':
      written.isValue ||= holdsChosenValue(env, element, null);
      break;
    case 'contenteditable':
      written.isValue ||= isEditable(env, element);
      break;
    case 'aria-label':
      written.label = tidy(value);
      break;
    case 'title':
      written.title = tidy(value);
      break;
    case 'aria-owns':
      written.owns = value;
      break;
    case 'aria-labelledby':
      written.isLabelled = true;
      break;
    case 'aria-hidden':
      written.isHidden = value === 'true';
      break;
    default:
      written.isPrivate ||= isKeptPrivate(env, element);
  }
}
