/** Scans this page once, and says which node of the scan stands for the element that each selector finds. */
globalThis.CircuyTargets = {
  async read(selectors) {
    const { payload, elements } = await CircuyScan.scan();
    const nodeOf = new Map([...elements].map(([id, element]) => [element, id]));
    return { payload, nodes: Object.fromEntries(selectors.map((selector) => [selector, this.nodeFor(selector, nodeOf)])) };
  },

  nodeFor(selector, nodeOf) {
    const target = document.querySelector(selector);
    if (target === null) return null;
    const labelled = target instanceof HTMLLabelElement ? [target.control] : [...(target.labels ?? [])];
    const around = [];
    for (let element = target.parentElement; element !== null; element = element.parentElement) around.push(element);
    const inside = [...target.querySelectorAll('*')];
    // The element itself, what it labels or is labelled by, what it wraps, what wraps it: the nearest first.
    for (const element of [target, ...labelled, ...inside, ...around.slice(0, 3)]) {
      if (nodeOf.has(element)) return nodeOf.get(element);
    }
    return null;
  },
};
