/**
 * Makes locators in an old page and tries them in a new one, as `CircuyLocators`. Needs `CircuyScan` and
 * `PlaywrightInjected`; `LocatorPeers` are used when they are there.
 *
 * Which element of the new page is the same one is decided here by keys that both pages must hold exactly once:
 *   - "text": tag, type, name attribute, accessible name and last parts of the link, as people would know it;
 *   - "attributes", where the text is another one: tag, type, and the name, id or link that the page's code gives it
 *     (a link with a query tells a state of the page and not an element);
 *   - "language", for the same page in two languages: the attributes with the whole link, else the place in the page.
 */
globalThis.CircuyLocators = (() => {
  const VOLATILE_ID = /\d{3,}|^:|[0-9a-f]{8}/i;

  const generators = {
    playwright: (element) => PlaywrightInjected.generateSelectorSimple(element),
    ...globalThis.LocatorPeers,
  };

  function candidates() {
    const reader = CircuyScan.reader();
    const found = [...document.querySelectorAll('body *')].filter(
      (element) => element.localName === 'label' || reader.kindOf(element) !== null,
    );
    return { found, nameOf: (element) => reader.nameOf(element) || hiddenText(element) };
  }

  /** What stands in a closed part says nothing yet to a screen reader; it is the same element all the same. */
  function hiddenText(element) {
    return element.checkVisibility({ visibilityProperty: true }) ? '' : element.textContent.replace(/\s+/g, ' ').trim();
  }

  function attribute(element, name) {
    return element.getAttribute(name) ?? '';
  }

  /** One part alone says too little: "docs/layout.html" is not "forms/layout.html". */
  function lastParts(href) {
    return href
      .split('/')
      .filter((part) => !['', '.', '..'].includes(part))
      .slice(-2)
      .join('/');
  }

  function pathOf(href) {
    return href.includes('?') ? '' : href.replace(/^(?:\.{1,2}\/)+/, '');
  }

  function textKey(element, nameOf) {
    const name = nameOf(element);
    const parts = [attribute(element, 'type'), attribute(element, 'name'), name, lastParts(attribute(element, 'href'))];
    return name === '' && parts[1] === '' ? '' : JSON.stringify([element.localName, ...parts]);
  }

  function attributeKey(element, hrefOf) {
    const id = attribute(element, 'id');
    const given = [attribute(element, 'name'), VOLATILE_ID.test(id) ? '' : id, hrefOf(attribute(element, 'href'))];
    const isGiven = given.some((value) => value !== '' && value !== '#');
    return isGiven ? JSON.stringify([element.localName, attribute(element, 'type'), ...given]) : '';
  }

  function placeKey(element) {
    const steps = [];
    for (let current = element; current !== null; current = current.parentElement) {
      const same = [...(current.parentElement?.children ?? [])].filter((one) => one.localName === current.localName);
      steps.push(`${current.localName}:${same.indexOf(current)}`);
    }
    return JSON.stringify([steps.join('<'), attribute(element, 'type'), attribute(element, 'class')]);
  }

  const keys = {
    text: textKey,
    attributes: (element) => attributeKey(element, pathOf),
    language: (element) => attributeKey(element, (href) => href) || placeKey(element),
  };

  /** Elements of this page, and what they are called, by their key: for the keys that one element alone has. */
  function unique(identity) {
    const { found, nameOf } = candidates();
    const byKey = new Map();
    for (const element of found) {
      const key = keys[identity](element, nameOf);
      if (key !== '') {
        byKey.set(key, byKey.has(key) ? null : { element, called: nameOf(element) });
      }
    }
    return new Map([...byKey].filter(([, entry]) => entry !== null));
  }

  /** Keys of this page with what they call, by identity. */
  function keysOf(identities) {
    return Object.fromEntries(
      identities.map((identity) => [identity, [...unique(identity)].map(([key, { called }]) => [key, called])]),
    );
  }

  /**
   * The scan's nodes that the new page has too, with every generator's selector for them; null where a generator failed
   * or its time for this page was over. What has kept its text is known by it, and by nothing else.
   */
  async function collect(wanted, generatorMs) {
    const scanned = await CircuyScan.scan();
    const nodes = new Map(scanned.payload.nodes.map((node) => [scanned.elements.get(node.id), node]));
    const items = new Map();
    for (const [identity, keysThere] of Object.entries(wanted)) {
      const there = new Map(keysThere);
      for (const [key, { element, called }] of unique(identity)) {
        const isNew = identity !== 'attributes' || there.get(key) !== called;
        if (there.has(key) && isNew && nodes.has(element) && !items.has(element)) {
          items.set(element, { identity, key, called, node: nodes.get(element), selectors: {} });
        }
      }
    }
    for (const [name, generate] of Object.entries(generators)) {
      const until = performance.now() + generatorMs;
      for (const [element, item] of items) {
        item.selectors[name] = performance.now() < until ? attempt(() => generate(element)) : null;
      }
    }
    return [...items.values()];
  }

  /** What became of each item here: by generator, "found", "wrong", "none" or "unasked" (its time was over). */
  async function verify(items) {
    const truths = new Map();
    for (const { identity } of items) {
      truths.set(identity, truths.get(identity) ?? unique(identity));
    }
    const outcomes = items.map(({ identity, key, selectors }) => {
      const truth = truths.get(identity).get(key).element;
      return Object.fromEntries(
        Object.entries(selectors).map(([name, selector]) => [name, outcome(name, selector, truth)]),
      );
    });
    // The parts that the elements are in are opened first, as a guide would have done: it only points at what is on
    // screen. The peers above do not look at that, and their role selectors would see other elements.
    for (const { identity, key } of items) {
      open(truths.get(identity).get(key).element);
    }
    const found = await Promise.all(items.map(({ node }) => CircuyScan.resolve(node, 1_500)));
    return items.map(({ identity, key }, index) => {
      const truth = truths.get(identity).get(key).element;
      const own = found[index];
      return {
        ...outcomes[index],
        ours: own === null ? 'none' : own.element === truth ? 'found' : 'wrong',
        by: own?.by ?? '',
        hit: own === null || own.element === truth ? '' : describe(own.element),
      };
    });
  }

  function outcome(name, selector, truth) {
    if (selector === null) {
      return 'unasked';
    }
    const matches = attempt(() => matchesOf(name, selector)) ?? [];
    // Playwright refuses what matches more than once; the users of the others take the first.
    if (matches.length === 0 || (name === 'playwright' && matches.length > 1)) {
      return 'none';
    }
    return matches[0] === truth ? 'found' : 'wrong';
  }

  function matchesOf(name, selector) {
    return name === 'playwright'
      ? PlaywrightInjected.querySelectorAll(PlaywrightInjected.parseSelector(selector), document)
      : [...document.querySelectorAll(selector)];
  }

  function open(element) {
    const around = [];
    for (let current = element; current !== null; current = current.parentElement) {
      around.unshift(current);
    }
    for (const part of around) {
      if (part.localName === 'details') {
        part.open = true;
      }
      const { display, visibility } = getComputedStyle(part);
      if (display === 'none') {
        part.style.setProperty('display', 'block', 'important');
      }
      if (visibility !== 'visible') {
        part.style.setProperty('visibility', 'visible', 'important');
      }
      if (part.matches('.collapse, .modal, .tab-pane, .nav-treeview') && part.offsetHeight === 0) {
        part.style.setProperty('height', 'auto', 'important');
      }
    }
  }

  function describe(element) {
    return `<${element.localName}> ${CircuyScan.reader().nameOf(element).slice(0, 40)}`;
  }

  function attempt(run) {
    try {
      return run();
    } catch {
      return null;
    }
  }

  /** Milliseconds that the locators of all elements of interest cost, and how many elements the page has. */
  function cost() {
    const { found } = candidates();
    const times = [];
    for (let run = 0; run < 4; run += 1) {
      const started = performance.now();
      const locate = CircuyScan.locators();
      for (const element of found) {
        locate(element);
      }
      times.push(performance.now() - started);
    }
    // The first run warms the engine up; of the others the quickest, for a busy machine only ever adds time.
    return { elements: document.querySelectorAll('*').length, ms: Math.min(...times.slice(1)) };
  }

  return { keysOf, collect, verify, cost };
})();
