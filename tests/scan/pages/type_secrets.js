// Puts a secret of its own into every control of the page, its shadow roots and its frames, as a person would have;
// `intoAttributes`: also where a server writes what it knows already. Returns the secrets.
(intoAttributes) => {
  const secrets = [];
  // A pattern of letters that no word holds and that no mask hides.
  const word = () => {
    let number = 1000 + secrets.length;
    let letters = '';
    for (; number > 0; number = Math.floor(number / 16)) letters += 'bcdfghjklmnpqrst'[number % 16];
    return keep(`zq${letters}xk`);
  };
  const keep = (secret) => {
    secrets.push(secret);
    return secret;
  };
  const two = (number) => String(10 + (number % 18)).padStart(2, '0');
  const year = () => 2100 + secrets.length;
  const typed = {
    number: () => keep(String(7310000 + secrets.length)),
    range: () => keep(String(7310000 + secrets.length)),
    date: () => keep(`${year()}-11-${two(secrets.length)}`),
    'datetime-local': () => keep(`${year()}-11-${two(secrets.length)}T11:47`),
    month: () => keep(`${year()}-11`),
    week: () => keep(`${year()}-W${two(secrets.length)}`),
    time: () => keep(`11:${two(secrets.length)}:37.${two(secrets.length)}`),
    color: () => keep(`#a7c${String(100 + secrets.length).slice(-3)}`),
    email: () => `${word()}@${word()}.example`,
    url: () => `https://${word()}.example/${word()}`,
  };
  const silent = new Set(['submit', 'reset', 'button', 'image', 'checkbox', 'radio', 'file']);
  const fill = (element, view) => {
    const tag = element.localName;
    const { getAttribute, setAttribute, hasAttribute } = Element.prototype;
    if (tag === 'input') {
      const type = (getAttribute.call(element, 'type') ?? 'text').toLowerCase();
      if (silent.has(type)) return;
      // A small range cannot hold a number that would be noticed.
      if (type === 'range' && Number(getAttribute.call(element, 'max') ?? 100) < 7400000) return;
      const secret = (typed[type] ?? word)();
      set(view.HTMLInputElement.prototype, element, secret);
      if (intoAttributes) setAttribute.call(element, 'value', secret);
    } else if (tag === 'textarea') {
      if (intoAttributes) element.textContent = word();
      set(view.HTMLTextAreaElement.prototype, element, word());
    } else if (tag === 'select' && hasAttribute.call(element, 'data-free')) {
      const option = element.ownerDocument.createElement('option');
      option.hidden = true;
      option.value = word();
      element.append(option);
      set(view.HTMLSelectElement.prototype, element, option.value);
    } else if (hasAttribute.call(element, 'data-nest')) {
      element.innerHTML = `<h2>${word()}</h2><a href="/${word()}">${word()}</a><button>${word()}</button>`;
    } else if (['', 'true', 'plaintext-only'].includes(getAttribute.call(element, 'contenteditable')?.toLowerCase())) {
      element.textContent = word();
    } else if (hasAttribute.call(element, 'data-drawn')) {
      element.textContent = word();
      if (hasAttribute.call(element, 'data-titled')) setAttribute.call(element, 'title', word());
      if (hasAttribute.call(element, 'data-valued')) {
        setAttribute.call(element, 'aria-valuetext', word());
        setAttribute.call(element, 'aria-valuenow', keep(String(7310000 + secrets.length)));
      }
    }
  };
  const set = (prototype, element, value) => {
    Object.getOwnPropertyDescriptor(prototype, 'value').set.call(element, value);
  };
  const walk = (root, view) => {
    for (const element of root.querySelectorAll('*')) {
      fill(element, view);
      if (element.shadowRoot) walk(element.shadowRoot, view);
      if (element.localName === 'iframe' && element.contentDocument) {
        if (element.hasAttribute('data-design')) element.contentDocument.designMode = 'on';
        walk(element.contentDocument, element.contentWindow);
      }
    }
  };
  walk(document, window);
  return secrets;
}
