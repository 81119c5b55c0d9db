// What the pages do better with a script. Every one of them works without.
'use strict';

document.documentElement.classList.add('js');

for (const toggle of document.querySelectorAll('[data-rail-toggle]')) {
  const rail = toggle.closest('.rail');
  toggle.addEventListener('click', () => {
    toggle.setAttribute('aria-expanded', String(rail.classList.toggle('rail-open')));
  });
}

for (const button of document.querySelectorAll('[data-copy]')) {
  // Only pages served over https, or from this machine, may write to the clipboard.
  if (!navigator.clipboard) continue;
  button.hidden = false;
  const label = button.querySelector('span');
  const before = label.textContent;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    label.textContent = button.dataset.done;
    setTimeout(() => (label.textContent = before), 1600);
  });
}

// One open menu at a time; Escape and a click elsewhere close it.
const menus = [...document.querySelectorAll('.filter, .refuse')];
document.addEventListener('click', (event) => {
  for (const menu of menus) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const menu of menus) {
    if (!menu.open) continue;
    menu.open = false;
    menu.querySelector('summary').focus();
  }
});

function countCharacters(root) {
  for (const field of root.querySelectorAll('[data-count]')) {
    const counter = document.createElement('span');
    counter.className = 'counter';
    counter.setAttribute('aria-hidden', 'true');
    field.after(counter);
    const show = () => {
      const left = field.maxLength - field.value.length;
      counter.textContent = `${field.value.length} / ${field.maxLength}`;
      counter.classList.toggle('counter-near', left < field.maxLength * 0.1);
    };
    field.addEventListener('input', show);
    show();
  }
}

function previewStep(step) {
  const preview = step.querySelector('[data-preview]');
  if (!preview) return;
  for (const field of step.querySelectorAll('[data-preview-from]')) {
    const part = field.dataset.previewFrom;
    field.addEventListener('input', () => {
      if (part === 'placement') preview.className = `preview preview-${field.value}`;
      else preview.querySelector(`[data-preview-${part}]`).textContent = field.value;
    });
  }
}

function reviewForm(form) {
  const list = form.querySelector('[data-steps]');
  const opened = snapshot(form);

  const refresh = () => {
    const changed = snapshot(form) !== opened || form.dataset.dirty === 'true';
    for (const button of form.querySelectorAll('[data-when-changed]')) button.hidden = !changed;
    for (const button of form.querySelectorAll('[data-when-unchanged]')) button.hidden = changed;
  };
  form.addEventListener('input', refresh);
  form.addEventListener('submit', () => {
    form.querySelector('[name=untouched]')?.remove();
    if (snapshot(form) === opened && form.dataset.dirty !== 'true') {
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'untouched', value: '1' }));
    }
    keepWords(form);
  });
  if (giveWordsBack(form)) form.dataset.dirty = 'true';
  form.addEventListener('change', (event) => {
    if (!event.target.matches('[data-remove]')) return;
    const row = event.target.closest('[data-step]');
    row.classList.toggle(row.matches('.intent') ? 'intent-removed' : 'step-removed', event.target.checked);
    if (list) renumber(list);
  });

  if (list) {
    list.addEventListener('click', (event) => {
      const button = event.target.closest('[data-up], [data-down]');
      if (!button) return;
      event.preventDefault();
      const step = button.closest('[data-step]');
      if (button.matches('[data-up]')) step.previousElementSibling?.before(step);
      else step.nextElementSibling?.after(step);
      renumber(list);
      (button.disabled ? step.querySelector('[data-up]:enabled, [data-down]:enabled') : button)?.focus();
      refresh();
    });
    form.querySelector('[data-add]')?.addEventListener('click', (event) => {
      event.preventDefault();
      const step = addStep(form, list);
      renumber(list);
      refresh();
      step.querySelector('input[type=text]').focus();
    });
    for (const step of list.querySelectorAll('[data-step]')) previewStep(step);
  }
  refresh();
}

const KEPT_WORDS = 'circuy-words';

// A session that ends while somebody writes sends them to the sign-in page: what they had typed waits in the tab.
function keepWords(form) {
  const words = [...form.elements]
    .filter((field) => field.name && field.matches('textarea, select, input[type=text], input[type=checkbox]'))
    .map((field) => [field.name, field.type === 'checkbox' ? field.checked : field.value]);
  sessionStorage.setItem(KEPT_WORDS, JSON.stringify({ path: location.pathname, words }));
}

// Given back on the way out of the sign-in page, when every field is still there.
function giveWordsBack(form) {
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

function snapshot(form) {
  const apart = ['reason', 'despite'];
  const fields = [...form.elements].filter(
    (field) => field.name && field.type !== 'submit' && !apart.includes(field.name),
  );
  return JSON.stringify(fields.map((field) => [field.name, field.type === 'checkbox' ? field.checked : field.value]).sort());
}

function addStep(form, list) {
  const count = form.querySelector('[data-steps-count]');
  const holder = document.createElement('div');
  holder.innerHTML = form.querySelector('[data-step-template]').innerHTML.replaceAll('__n__', count.value);
  const step = holder.querySelector('[data-step]');
  count.value = String(Number(count.value) + 1);
  list.append(step);
  countCharacters(step);
  previewStep(step);
  return step;
}

function renumber(list) {
  const steps = [...list.querySelectorAll('[data-step]')];
  const kept = steps.filter((step) => !step.querySelector('[data-remove]')?.checked);
  for (const [index, step] of steps.entries()) {
    const rank = kept.indexOf(step);
    step.querySelector('[data-order]').value = String(index + 1);
    step.querySelector('[data-number]').textContent = rank < 0 ? '–' : String(rank + 1);
    step.querySelector('[data-up]').disabled = index === 0;
    step.querySelector('[data-down]').disabled = index === steps.length - 1;
    step.querySelector('[data-preview-counter]').textContent = rank < 0 ? '' : `${rank + 1} / ${kept.length}`;
    step.querySelector('[data-preview-back]').hidden = rank <= 0;
    step.querySelector('[data-preview-forward]').textContent =
      rank === kept.length - 1 ? list.dataset.done : list.dataset.next;
  }
}

// Work under way is looked at again until it is done; then the page shows what came of it.
function watch(part) {
  setTimeout(async () => {
    const answer = await fetch(location.href).catch(() => null);
    const page = new DOMParser().parseFromString(answer?.ok ? await answer.text() : '', 'text/html');
    const now = page.getElementById(part.id);
    if (now && !now.matches('[data-under-way]')) return location.reload();
    if (now) part.innerHTML = now.innerHTML;
    watch(part);
  }, 4000);
}

for (const part of document.querySelectorAll('[data-under-way]')) watch(part);

countCharacters(document);
for (const form of document.querySelectorAll('[data-review]')) reviewForm(form);
document.querySelector('#refusal')?.scrollIntoView({ block: 'center' });
