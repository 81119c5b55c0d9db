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
const menus = () => document.querySelectorAll('.filter, .refuse');
document.addEventListener('click', (event) => {
  for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const menu of menus()) {
    if (!menu.open) continue;
    menu.open = false;
    menu.querySelector('summary').focus();
  }
});

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

document.querySelector('#refusal')?.scrollIntoView({ block: 'center' });
