// Notes on `top.spied` every way there is to read what a person typed, chose or attached. Installed in every frame
// before any script of the page.
(() => {
  const apply = Reflect.apply;
  const closest = Element.prototype.closest;
  const getAttribute = Element.prototype.getAttribute;
  const localName = Object.getOwnPropertyDescriptor(Element.prototype, 'localName').get;
  const parentElement = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement').get;
  const nodeType = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeType').get;
  const designMode = Object.getOwnPropertyDescriptor(Document.prototype, 'designMode').get;
  const editable = '[contenteditable]:not([contenteditable="false" i]), textarea';

  const note = (what) => {
    if (Array.isArray(top.spied)) top.spied[top.spied.length] = what;
  };
  const isEditable = (node) => {
    const element = apply(nodeType, node, []) === 1 ? node : apply(parentElement, node, []);
    return element !== null && (apply(designMode, document, []) === 'on' || apply(closest, element, [editable]) !== null);
  };
  const isTypedIn = (element) =>
    apply(localName, element, []) === 'input' &&
    !/^(?:submit|reset|button|image|checkbox|radio)$/i.test(apply(getAttribute, element, ['type']) ?? 'text');

  const spyOnGetter = (prototype, name, what, isMeant) => {
    const found = Object.getOwnPropertyDescriptor(prototype, name);
    if (found?.get === undefined) return;
    Object.defineProperty(prototype, name, {
      ...found,
      get() {
        if (isMeant(this)) note(what);
        return apply(found.get, this, []);
      },
    });
  };
  const spyOnCall = (owner, name, what, isMeant) => {
    const real = owner[name];
    if (real === undefined) return;
    owner[name] = function (...given) {
      if (isMeant(this, given)) note(what);
      return apply(real, this, given);
    };
  };
  const always = () => true;

  const values = {
    HTMLInputElement: [
      ...['value', 'defaultValue', 'files', 'valueAsNumber', 'valueAsDate', 'selectionStart', 'selectionEnd'],
      'selectionDirection',
    ],
    HTMLTextAreaElement: ['value', 'defaultValue', 'textLength', 'selectionStart', 'selectionEnd'],
    HTMLSelectElement: ['value', 'selectedIndex', 'selectedOptions'],
    HTMLOptionElement: ['selected'],
    HTMLOutputElement: ['value', 'defaultValue'],
    HTMLMeterElement: ['value'],
    HTMLProgressElement: ['value'],
    DataTransfer: ['files', 'items'],
  };
  for (const [owner, names] of Object.entries(values)) {
    for (const name of names) spyOnGetter(window[owner].prototype, name, `${owner}.${name}`, always);
  }
  const texts = [
    [Node.prototype, ['textContent', 'nodeValue']],
    [CharacterData.prototype, ['data']],
    [Text.prototype, ['wholeText']],
    [HTMLElement.prototype, ['innerText', 'outerText']],
    [Element.prototype, ['innerHTML', 'outerHTML']],
  ];
  for (const [prototype, names] of texts) {
    for (const name of names) spyOnGetter(prototype, name, `${name} of something editable`, isEditable);
  }
  spyOnGetter(
    Attr.prototype,
    'value',
    'Attr.value of value',
    (attribute) => attribute.name === 'value' && attribute.ownerElement !== null && isTypedIn(attribute.ownerElement),
  );
  spyOnCall(
    Element.prototype,
    'getAttribute',
    'getAttribute value',
    (element, [name]) => String(name).toLowerCase() === 'value' && isTypedIn(element),
  );
  spyOnCall(XMLSerializer.prototype, 'serializeToString', 'serializeToString', always);
  spyOnCall(Node.prototype, 'cloneNode', 'cloneNode', always);
  spyOnCall(Selection.prototype, 'toString', 'Selection.toString', always);
  spyOnCall(Range.prototype, 'toString', 'Range.toString', always);
  window.FormData = new Proxy(window.FormData, {
    construct(target, given) {
      note('FormData');
      return Reflect.construct(target, given);
    },
  });
})();
