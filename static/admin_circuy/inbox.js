// The inbox without leaving it: by the keyboard, and with the next row in focus after each decision.
import { shortcuts } from './shortcuts.js';

const main = document.querySelector('main');
const said = document.querySelector('[data-said]');
let isDeciding = false;

const rows = () => [...main.querySelectorAll('[data-row]')];
const here = () => document.activeElement?.closest('[data-row]') ?? null;
const picked = () => [...main.querySelectorAll('[data-pick]:checked')];

function say(text) {
  said.textContent = '';
  // Said anew although it may be the same words as before.
  requestAnimationFrame(() => (said.textContent = text));
}

// What a key unfolds is folded again when the key goes on; what somebody unfolded by hand stays.
function unfold(row) {
  for (const more of main.querySelectorAll('[data-more][data-by-key]')) {
    if (row?.contains(more)) continue;
    more.open = false;
    delete more.dataset.byKey;
  }
  const more = row?.querySelector('[data-more]');
  if (!more || more.open) return;
  more.open = true;
  more.dataset.byKey = '';
}

function goTo(row, isUnfolded = true) {
  if (!row) return;
  if (isUnfolded) unfold(row);
  row.querySelector('[data-open]').focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
}

function step(by) {
  const all = rows();
  const at = all.indexOf(here());
  goTo(all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]);
}

function approve() {
  if (picked().length) return press('approve');
  const row = here();
  if (!row) return step(0);
  if (!row.querySelector('[data-more]').open) {
    unfold(row);
    return say(row.querySelector('[data-approve]') ? said.dataset.look : hindranceOf(row));
  }
  const button = row.querySelector('[data-approve]');
  if (button) button.form.requestSubmit(button);
  else say(hindranceOf(row));
}

function refuse() {
  if (picked().length) return press('reject');
  const row = here();
  if (!row) return step(0);
  unfold(row);
  const refusing = row.querySelector('[data-refusing]');
  if (!refusing) return say(hindranceOf(row));
  refusing.open = true;
  refusing.querySelector('textarea').focus();
}

function hindranceOf(row) {
  return row.querySelector('[data-hindrance]')?.textContent ?? '';
}

function press(verb) {
  main.querySelector(`[data-selection] button[value=${verb}]`).click();
}

function edit() {
  const link = here()?.querySelector('[data-open]');
  if (link) location.assign(`${link.href}?edit`);
}

function toggle() {
  here()?.querySelector('[data-pick]')?.click();
}

function countPicked() {
  const bar = main.querySelector('[data-selection]');
  if (!bar) return;
  const count = picked().length;
  bar.classList.toggle('desk-bar-on', count > 0);
  const words = bar.querySelector('[data-selected]');
  words.textContent = count === 1 ? words.dataset.one : words.dataset.many.replace('{n}', count);
  const all = main.querySelector('[data-all]');
  if (!all) return;
  all.dataset.some ??= all.textContent;
  all.textContent = count === main.querySelectorAll('[data-pick]').length ? all.dataset.none : all.dataset.some;
}

async function decide(form, button) {
  if (isDeciding) return;
  isDeciding = true;
  const wasUnfolded = form.closest('[data-more]').dataset.byKey !== undefined;
  const answer = await fetch(form.action, { method: 'POST', body: new FormData(form, button) }).catch(() => null);
  const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html');
  isDeciding = false;
  if (page?.querySelector('[data-said]')) show(page, wasUnfolded);
  // The session may have ended, or the server be out of order: the page itself says which.
  else if (answer) location.reload();
  else say(said.dataset.offline);
}

function show(page, isUnfolded) {
  // What is selected stays so where it is still the version that was selected.
  const kept = picked().map((box) => box.value);
  document.title = page.title;
  for (const part of ['main', '.rail nav']) {
    document.querySelector(part).replaceChildren(...page.querySelector(part).childNodes);
  }
  for (const box of main.querySelectorAll('[data-pick]')) box.checked = kept.includes(box.value);
  countPicked();
  const next = main.querySelector('[autofocus]')?.closest('[data-row]');
  const typed = main.querySelector('[data-refusing][open] textarea');
  if (typed) typed.focus();
  else if (next) goTo(next, isUnfolded);
  else main.focus();
  say([...main.querySelectorAll('.messages li, #refusal')].map((note) => note.textContent.trim()).join(' '));
}

main.addEventListener('submit', (event) => {
  if (!event.target.matches('[data-decide]')) return;
  event.preventDefault();
  decide(event.target, event.submitter);
});
main.addEventListener('change', (event) => {
  if (event.target.matches('[data-pick]')) countPicked();
});
main.addEventListener('click', (event) => {
  if (!event.target.closest('[data-all]')) return;
  const boxes = [...main.querySelectorAll('[data-pick]')];
  const isEvery = boxes.every((box) => box.checked);
  for (const box of boxes) box.checked = !isEvery;
  countPicked();
});
main.addEventListener('keydown', (event) => {
  const refusing = event.target.closest('[data-refusing]');
  if (!refusing) return;
  if (event.key === 'Escape') {
    refusing.open = false;
    refusing.closest('[data-row]').querySelector('[data-open]').focus();
  }
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    const button = refusing.querySelector('[data-reject]');
    button.form.requestSubmit(button);
  }
});
shortcuts({
  j: () => step(1),
  k: () => step(-1),
  a: approve,
  r: refuse,
  e: edit,
  x: toggle,
  o: () => here()?.querySelector('[data-open]').click(),
});
// Ticks that the browser kept from before a way back to this page.
countPicked();
