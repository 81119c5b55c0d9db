// A tour's steps: added, removed, moved by buttons or by hand, and shown as the page will show them while one types.
import { chooser } from './chooser.js';

/** Says under each field that has a limit how much of it is used. */
export function countCharacters(root) {
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

/** `refresh` is called when the order or the number of steps is another. */
export function stepsList(form, list, refresh) {
  list.addEventListener('click', (event) => {
    const button = event.target.closest('[data-up], [data-down]');
    if (!button) return;
    event.preventDefault();
    const step = button.closest('[data-step]');
    if (button.matches('[data-up]')) step.previousElementSibling?.before(step);
    else step.nextElementSibling?.after(step);
    settle(form, list, step, refresh);
    (button.disabled ? step.querySelector('[data-up]:enabled, [data-down]:enabled') : button)?.focus();
  });
  list.addEventListener('change', (event) => {
    if (event.target.matches('[data-remove]')) renumber(list);
  });
  list.addEventListener('pointerdown', (event) => {
    const grip = event.target.closest('[data-grip]');
    if (grip && event.isPrimary && event.button === 0) drag(form, list, grip, event, refresh);
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

function settle(form, list, step, refresh) {
  renumber(list);
  refresh();
  const place = [...list.children].indexOf(step) + 1;
  form.querySelector('p[data-moved]').textContent = list.dataset.moved
    .replace('{title}', step.querySelector('[data-preview-title]').textContent)
    .replace('{n}', String(place));
}

// The step follows the pointer among the others, which are folded meanwhile; Escape puts it back.
function drag(form, list, grip, start, refresh) {
  const step = grip.closest('[data-step]');
  const before = step.nextElementSibling;
  const ends = new AbortController();
  const { signal } = ends;
  start.preventDefault();
  // By the list, which stays where it is: what moves in the page loses the pointer.
  list.setPointerCapture(start.pointerId);
  const stood = step.getBoundingClientRect().top;
  list.classList.add('steps-folded');
  step.classList.add('step-dragged');
  // Those before it are shorter now: it stays under the pointer.
  scrollBy(0, step.getBoundingClientRect().top - stood);

  const move = (event) => {
    const others = [...list.children].filter((other) => other !== step);
    const below = others.find((other) => {
      const box = other.getBoundingClientRect();
      return event.clientY < box.top + box.height / 2;
    });
    if (below !== (step.nextElementSibling ?? undefined)) list.insertBefore(step, below ?? null);
    const edge = 70;
    if (event.clientY < edge) scrollBy(0, -14);
    else if (event.clientY > innerHeight - edge - 70) scrollBy(0, 14);
  };
  const end = (isKept) => {
    ends.abort();
    list.classList.remove('steps-folded');
    step.classList.remove('step-dragged');
    step.scrollIntoView({ block: 'nearest' });
    if (!isKept) list.insertBefore(step, before);
    if (step.nextElementSibling !== before) settle(form, list, step, refresh);
  };
  list.addEventListener('pointermove', move, { signal });
  list.addEventListener('pointerup', () => end(true), { signal });
  list.addEventListener('pointercancel', () => end(false), { signal });
  document.addEventListener('keydown', (event) => event.key === 'Escape' && end(false), { signal });
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

function addStep(form, list) {
  const count = form.querySelector('[data-steps-count]');
  const holder = document.createElement('div');
  holder.innerHTML = form.querySelector('[data-step-template]').innerHTML.replaceAll('__n__', count.value);
  const step = holder.querySelector('[data-step]');
  count.value = String(Number(count.value) + 1);
  list.append(step);
  countCharacters(step);
  previewStep(step);
  for (const select of step.querySelectorAll('[data-chooser]')) chooser(select);
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
