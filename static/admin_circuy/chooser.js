// A list of choices that is searched by typing. The select stays the field that is sent, and all there is without a script.

let made = 0;

export function choosers(root) {
  for (const select of root.querySelectorAll('select[data-chooser]')) chooser(select);
}

/** Puts a combobox in the place of a select; words may be typed in any order, with or without accents. */
export function chooser(select) {
  const id = `chooser-${(made += 1)}`;
  const label = select.closest('.field').querySelector('label');
  const box = element('div', { className: 'chooser' });
  const field = element('input', { type: 'text', id: `${id}-field`, autocomplete: 'off', spellcheck: false });
  const list = element('ul', { id, hidden: true });
  set(field, { role: 'combobox', 'aria-expanded': 'false', 'aria-controls': id, 'aria-autocomplete': 'list' });
  for (const name of ['aria-invalid', 'aria-describedby']) {
    if (select.hasAttribute(name)) field.setAttribute(name, select.getAttribute(name));
  }
  set(list, { role: 'listbox', 'aria-label': label.textContent.trim() });
  label.htmlFor = field.id;
  box.append(field, list);
  select.after(box);
  select.hidden = true;
  let at = -1;

  const chosen = () => select.selectedOptions[0]?.textContent.trim() ?? '';
  const options = () => [...list.querySelectorAll('[role=option]')];

  function light(index) {
    const all = options();
    at = all.length ? (index + all.length) % all.length : -1;
    for (const [rank, one] of all.entries()) one.classList.toggle('chooser-at', rank === at);
    if (at < 0) return field.removeAttribute('aria-activedescendant');
    field.setAttribute('aria-activedescendant', all[at].id);
    all[at].scrollIntoView({ block: 'nearest' });
  }

  function open(words = '') {
    const wanted = plain(words).split(' ');
    const fit = [...select.options].filter((option) =>
      wanted.every((word) => plain(option.textContent).includes(word)),
    );
    list.replaceChildren(
      ...fit.map((option) => {
        const one = element('li', { id: `${id}-${option.index}`, textContent: option.textContent.trim() });
        set(one, { role: 'option', 'aria-selected': String(option.selected) });
        one.dataset.index = String(option.index);
        return one;
      }),
    );
    if (!fit.length) list.append(element('li', { className: 'chooser-none', textContent: select.dataset.none }));
    list.hidden = false;
    field.setAttribute('aria-expanded', 'true');
    light(words ? 0 : fit.findIndex((option) => option.selected));
  }

  function close() {
    list.hidden = true;
    field.setAttribute('aria-expanded', 'false');
    field.removeAttribute('aria-activedescendant');
    field.value = chosen();
  }

  function choose(one) {
    if (one) {
      select.selectedIndex = Number(one.dataset.index);
      select.dispatchEvent(new Event('input', { bubbles: true }));
    }
    close();
  }

  field.addEventListener('input', (event) => {
    // What is typed to search is no change of the form.
    event.stopPropagation();
    open(field.value);
  });
  field.addEventListener('click', () => list.hidden && (field.select(), open()));
  field.addEventListener('blur', close);
  field.addEventListener('keydown', (event) => {
    const isOpen = !list.hidden;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) open();
      else light(at + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      choose(options()[at]);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      close();
    }
  });
  // Before the field loses the focus, which closes the list.
  list.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    const one = event.target.closest('[role=option]');
    if (one) choose(one);
  });
  // Somebody's words that come back after a sign-in.
  select.addEventListener('input', () => (field.value = chosen()));
  field.value = chosen();
}

const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

function element(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}

function set(on, attributes) {
  for (const [name, value] of Object.entries(attributes)) on.setAttribute(name, value);
}
