/** What is picked of a list that the page draws itself. */
import type { Environment } from '../dom/environment';
import { roleOf } from '../dom/roles';
import { isPicked } from './actors';
import type { Portrait, Portraits } from './portraits';
import type { Act } from './wire';

const MOST_OPTIONS = 12;
const LISTS = ['listbox', 'menu', 'tree'];

/** The option with those it stands among; nothing for what is none. */
export function pickedIn(env: Environment, portraits: Portraits, { element, target }: Portrait): Partial<Act> {
  const option = target.text ?? target.name;
  if (!isPicked(env, element) || option === undefined) {
    return {};
  }
  let list = env.parent(element);
  while (list !== null && !LISTS.includes(roleOf(env, list) ?? '')) {
    list = env.parent(list);
  }
  const others = list === null ? [] : [...list.querySelectorAll('[role=option]')];
  const options = others.slice(0, MOST_OPTIONS).map((one) => portraits.textOfOption(one));
  return options.length === 0 ? { option } : { option, options };
}
