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
  'combobox',
  'textbox',
  'searchbox',
  'slider',
  'spinbutton',
  'treeitem',
]);

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

/** The type of an input as the browser takes it: "text" when there is none or an unknown one. */
export function inputType(env: Environment, element: Element): string {
  const type = env.attribute(element, 'type')?.trim().toLowerCase() ?? '';
  return type === '' ? 'text' : type;
}

/** The role that assistive technology hears: the one written, else the element's own, else null. */
export function roleOf(env: Environment, element: Element): string | null {
  const written = env.attribute(element, 'role')?.trim().toLowerCase().split(/\s+/, 1)[0];
  if (written !== undefined && written !== '' && written !== 'presentation' && written !== 'none') {
    return written;
  }
  const tag = env.tag(element);
  switch (tag) {
    case 'a':
      return env.attribute(element, 'href') === null ? null : 'link';
    case 'button':
    case 'summary':
      return 'button';
    case 'textarea':
      return 'textbox';
    case 'select':
      return env.attribute(element, 'multiple') === null ? 'combobox' : 'listbox';
    case 'input':
      return env.attribute(element, 'list') === null ? (INPUT_ROLES[inputType(env, element)] ?? null) : 'combobox';
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

export function isEditable(env: Environment, element: Element): boolean {
  const value = env.attribute(element, 'contenteditable');
  return value !== null && value.toLowerCase() !== 'false';
}
