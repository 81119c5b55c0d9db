/** Scans this page once, and tells what the selectors of what was learnt find on it. */
globalThis.CircuyResolving = {
  async scan() {
    this.scanned = await CircuyScan.scan();
    return { payload: this.scanned.payload, language: document.documentElement.lang };
  },

  /** The selectors, of pairs with the id of a node, that do not find that node's element, alone. */
  unresolved(pairs) {
    return pairs.filter(([id, selector]) => {
      const found = this.find(selector);
      return found.length !== 1 || found[0] !== this.scanned.elements.get(id);
    });
  },

  find(selector) {
    let trees = [document];
    let found = [];
    for (const part of selector.split(' >>> ')) {
      found = trees.flatMap((tree) => [...tree.querySelectorAll(part)]);
      trees = found.map((element) => element.shadowRoot ?? element.contentDocument).filter((tree) => tree !== null);
    }
    return found;
  },
};
