// Keys of one letter, and the list that tells them. They stay out of fields, of dialogs and of the browser's own keys.

const OFF = 'circuy-keys-off';
// Held down, these go on; any other would do to the next thing what was meant for this one.
const HELD = ['j', 'k'];

/** Calls `keys[letter]()`; whoever does not want them turns them off in the list. */
export function shortcuts(keys) {
  const dialog = document.querySelector('[data-keys]');
  const on = dialog.querySelector('[data-keys-on]');
  on.checked = localStorage.getItem(OFF) === null;
  on.addEventListener('change', () => {
    if (on.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, '1');
  });
  document.addEventListener('click', (event) => {
    if (event.target.closest('[data-keys-open]')) dialog.showModal();
  });
  const known = { ...keys, '?': () => dialog.showModal() };
  document.addEventListener('keydown', (event) => {
    const does = known[event.key];
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented;
    const isHeld = event.repeat && !HELD.includes(event.key);
    if (!does || isOther || isHeld || !on.checked || dialog.open || isTyping(event.target)) return;
    event.preventDefault();
    does();
  });
}

function isTyping(element) {
  return element.closest('textarea, select, input:not([type=checkbox], [type=radio]), [contenteditable]') !== null;
}
