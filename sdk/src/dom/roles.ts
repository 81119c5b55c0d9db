import type { Environment } from './environment';

/** Widget roles that a person acts on. */
export const WIDGET_ROLES = new Set([
  'link',
  'button',
  'checkbox',
  'radio',
  'switch',
  'tab',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'combobox',
  'textbox',
  'searchbox',
  'slider',
  'spinbutton',
  'treeitem',
]);

/** All roles of WAI-ARIA 1.2 that are not abstract: of those written on an element, the first of these counts. */
const ROLES = new Set(
  (
    'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
    'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid ' +
    'gridcell group heading img image insertion link list listbox listitem log main mark marquee math menu menubar ' +
    'menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar ' +
    'radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status ' +
    'strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar ' +
    'tooltip tree treegrid treeitem'
  ).split(' '),
);

const INPUT_ROLES: Record<string, string> = {
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
  search: 'searchbox',
  email: 'textbox',
  tel: 'textbox',
  text: 'textbox',
  url: 'textbox',
};
const INPUT_TYPES = new Set([
  ...Object.keys(INPUT_ROLES),
  ...['color', 'date', 'datetime-local', 'file', 'hidden', 'month', 'password', 'time', 'week'],
]);
const SUGGESTS = new Set(['email', 'search', 'tel', 'text', 'url']);
const LABELS = ['aria-label', 'aria-labelledby', 'tabindex'];

/** The type of an input as the browser takes it: "text" when there is none or an unknown one. */
export function inputType(env: Environment, element: Element): string {
  const type = env.attribute(element, 'type')?.trim().toLowerCase() ?? '';
  return INPUT_TYPES.has(type) ? type : 'text';
}

/** The role that assistive technology hears: the one written, else the element's own, else null. */
export function roleOf(env: Environment, element: Element): string | null {
  const written = env.attribute(element, 'role');
  if (written === null) {
    return nativeRole(env, element);
  }
  const role = firstRole(written);
  if (role !== 'presentation') {
    return role ?? nativeRole(env, element);
  }
  // What people can reach or hear by name cannot be said to be nothing.
  const own = nativeRole(env, element);
  const isReached = own !== null && WIDGET_ROLES.has(own);
  return isReached || LABELS.some((name) => env.attribute(element, name) !== null) ? own : null;
}

/** The first role of a list that there is, with one word where the standard has two; null when there is none. */
function firstRole(written: string): string | null {
  const text = written.trim().toLowerCase();
  const role = ROLES.has(text) ? text : text.split(/\s+/).find((word) => ROLES.has(word));
  return role === undefined ? null : role === 'none' ? 'presentation' : role === 'image' ? 'img' : role;
}

function nativeRole(env: Environment, element: Element): string | null {
  switch (env.tag(element)) {
    case 'a':
    case 'area':
      return env.attribute(element, 'href') === null ? null : 'link';
    case 'button':
    case 'summary':
      return 'button';
    case 'textarea':
      return 'textbox';
    case 'select':
      return isListbox(env, element) ? 'listbox' : 'combobox';
    case 'input': {
      const type = inputType(env, element);
      const isSuggesting = SUGGESTS.has(type) && env.attribute(element, 'list') !== null;
      return isSuggesting ? 'combobox' : (INPUT_ROLES[type] ?? null);
    }
    case 'option':
      return 'option';
    case 'img':
      return env.attribute(element, 'alt') === '' ? null : 'img';
    case 'td':
      return 'cell';
    case 'th':
      return env.attribute(element, 'scope')?.toLowerCase() === 'row' ? 'rowheader' : 'columnheader';
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return 'heading';
    case 'form':
      return 'form';
    default:
      return isEditable(env, element) ? 'textbox' : null;
  }
}

function isListbox(env: Environment, element: Element): boolean {
  return env.attribute(element, 'multiple') !== null || Number(env.attribute(element, 'size') ?? '1') > 1;
}

export function isEditable(env: Environment, element: Element): boolean {
  const value = env.attribute(element, 'contenteditable');
  return value !== null && value.toLowerCase() !== 'false';
}
