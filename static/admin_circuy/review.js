// The page on which one thing is reviewed: what was changed in its fields, and the keys that decide.
import { choosers } from './chooser.js';
import { shortcuts } from './shortcuts.js';
import { countCharacters, stepsList } from './steps.js';

const form = document.querySelector('[data-review]');
const KEPT_WORDS = 'circuy-words';

function reviewForm() {
  // Who is quick, or whose browser gives back what they had written, has changed fields before this script is there.
  if (fieldsOf(form).some(isWritten)) form.dataset.dirty = 'true';
  const opened = snapshot();
  const isChanged = () => snapshot() !== opened || form.dataset.dirty === 'true';

  const refresh = () => {
    const changed = isChanged();
    for (const button of form.querySelectorAll('[data-when-changed]')) button.hidden = !changed;
    for (const button of form.querySelectorAll('[data-when-unchanged]')) button.hidden = changed;
  };
  form.addEventListener('input', refresh);
  form.addEventListener('submit', () => {
    form.querySelector('[name=untouched]')?.remove();
    if (!isChanged()) {
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'untouched', value: '1' }));
    }
    keepWords();
  });
  form.addEventListener('change', (event) => {
    if (!event.target.matches('[data-remove]')) return;
    const row = event.target.closest('[data-step]');
    row.classList.toggle(row.matches('.intent') ? 'intent-removed' : 'step-removed', event.target.checked);
  });
  if (giveWordsBack()) form.dataset.dirty = 'true';
  const list = form.querySelector('[data-steps]');
  if (list) stepsList(form, list, refresh);
  choosers(form);
  refresh();
}

// A session that ends while somebody writes sends them to the sign-in page: what they had typed waits in the tab.
function keepWords() {
  const words = [...form.elements]
    .filter((field) => field.name && field.matches('textarea, select, input[type=text], input[type=checkbox]'))
    .map((field) => [field.name, field.type === 'checkbox' ? field.checked : field.value]);
  sessionStorage.setItem(KEPT_WORDS, JSON.stringify({ path: location.pathname, words }));
}

// Given back on the way out of the sign-in page, when every field is still there.
function giveWordsBack() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT_WORDS) ?? 'null');
  sessionStorage.removeItem(KEPT_WORDS);
  const cameFrom = document.referrer ? new URL(document.referrer).pathname : '';
  if (kept === null || kept.path !== location.pathname || !cameFrom.endsWith('/login/')) return false;
  const fields = kept.words.map(([name, value]) => [form.elements.namedItem(name), value]);
  if (fields.some(([field]) => field === null)) return false;
  for (const [field, value] of fields) {
    if (field.type === 'checkbox') field.checked = value;
    else field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  const note = document.querySelector('[data-words-back]');
  if (note) note.hidden = false;
  return true;
}

function fieldsOf(form) {
  const apart = ['reason', 'despite'];
  return [...form.elements].filter((field) => field.name && field.type !== 'submit' && !apart.includes(field.name));
}

function isWritten(field) {
  if (field.type === 'checkbox') return field.checked !== field.defaultChecked;
  return field.matches('textarea, input[type=text]') && field.value !== field.defaultValue;
}

function snapshot() {
  return JSON.stringify(
    fieldsOf(form).map((field) => [field.name, field.type === 'checkbox' ? field.checked : field.value]).sort(),
  );
}

function approve() {
  form.querySelector('button[value=approve]:not([hidden])')?.click();
}

function refuse() {
  const refusing = form.querySelector('[data-refuse]');
  if (!refusing) return;
  refusing.open = true;
  refusing.querySelector('textarea').focus();
}

function edit() {
  const link = document.querySelector('[data-edit]');
  if (link) link.click();
  else form.querySelector('input[type=text], textarea:not([name=reason])')?.focus();
}

const follow = (selector) => () => document.querySelector(selector)?.click();

countCharacters(document);
reviewForm();
shortcuts({ a: approve, r: refuse, e: edit, n: follow('[data-next]'), i: follow('[data-inbox]') });
