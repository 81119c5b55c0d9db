/**
 * Measures contenders inside one page, as `CircuyBench`. Needs `CircuyScan`; `PlaywrightInjected` and `CircuyPeers` are
 * used when they are there. A contender gives `{ text, lines }`: what a model would read, and the line of each element.
 */
globalThis.CircuyBench = (() => {
  const SAMPLE_MS = 60;
  const SLOW_MS = 1_000;
  const QUICK_MS = 200;
  const NO_LIMITS = { limits: { nodes: Infinity, bytes: Infinity } };
  /** The elements that the specification of a scan names. */
  const SPECIFIED =
    'a,button,input,select,textarea,[role="button"],[role="checkbox"],[role="menuitem"],[data-testid],h1,h2,h3,form';
  const SKIPPED = 'script, style, template, noscript, head, svg, iframe, object, embed, datalist';

  async function ours() {
    const scanned = await CircuyScan.scan(NO_LIMITS);
    return { scanned, text: [...scanned.lines.values()].join('\n'), lines: () => linesByElement(scanned) };
  }

  /** The same scan without its locators. */
  async function withoutLocators() {
    const scanned = await CircuyWithoutLocators.scan(NO_LIMITS);
    return { text: String(scanned.stats.nodes), lines: () => new Map() };
  }

  /**
   * The specification's scan as one would first write it, with the usual library for names and roles: find the elements,
   * leave out what is not rendered, read the rest. No locators, contexts, masks or fingerprints.
   */
  function standard() {
    const { computeAccessibleName, getRole } = CircuyStandard;
    const nodes = [];
    for (const element of document.querySelectorAll(SPECIFIED)) {
      if (element.checkVisibility({ visibilityProperty: true })) {
        nodes.push({
          tag: element.localName,
          type: element.getAttribute('type'),
          label: computeAccessibleName(element).slice(0, 30),
          placeholder: element.getAttribute('placeholder'),
          role: getRole(element),
        });
      }
    }
    return { text: String(nodes.length), lines: () => new Map() };
  }

  /**
   * The floor, what our own scan cannot do without: walk through the page, look whether each element of a kind it keeps is there, and
   * read names with our own code.
   */
  function floor() {
    const reader = CircuyScan.reader();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT, (element) =>
      element.matches(SKIPPED) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    );
    let letters = 0;
    for (let element = walker.currentNode; element !== null; element = walker.nextNode()) {
      if (reader.kindOf(element) !== null) {
        const isThere = element.checkVisibility({ visibilityProperty: true });
        const box = element.getBoundingClientRect();
        if ((isThere && box.width > 1 && getComputedStyle(element).opacity !== '0') || keptByOurs.has(element)) {
          letters += reader.nameOf(element).length;
        }
      }
    }
    return { text: String(letters), lines: () => new Map() };
  }

  function playwright(mode) {
    const text = PlaywrightInjected.ariaSnapshot(document.body, { mode });
    return { text, lines: () => playwrightLines(text) };
  }

  function playwrightLines(text) {
    const byRef = new Map();
    for (const line of text.split('\n')) {
      const ref = /\[ref=(\w+)\]/.exec(line)?.[1];
      if (ref !== undefined) {
        byRef.set(ref, line.trim());
      }
    }
    const refs = PlaywrightInjected._lastAriaSnapshotForQuery.refs;
    return new Map([...refs].flatMap(([element, ref]) => (byRef.has(ref) ? [[element, byRef.get(ref)]] : [])));
  }

  const contenders = {
    ours,
    floor,
    withoutLocators,
    standard,
    aria: () => playwright('default'),
    ariaAi: () => playwright('ai'),
    ...globalThis.CircuyPeers,
  };

  /** Milliseconds of one run, once warm: what is quick runs many times in a sample, for engines warm up; what is slow runs once in all. */
  async function sample(run) {
    const started = performance.now();
    await run();
    const first = performance.now() - started;
    if (first > SLOW_MS) {
      return first;
    }
    const rounds = Math.max(1, Math.round(SAMPLE_MS / Math.max(first, 0.05)));
    const again = performance.now();
    for (let round = 0; round < rounds; round += 1) {
      await run();
    }
    return (performance.now() - again) / rounds;
  }

  function median(values) {
    const sorted = values.toSorted((a, b) => a - b);
    return sorted[Math.floor((sorted.length - 1) / 2)];
  }

  async function repeat(times, measure) {
    const values = [];
    while (values.length < times) {
      values.push(await measure());
    }
    return values;
  }

  /** Ours and the floors by turns, so that a busy machine slows them all. */
  async function measureOurs(runs) {
    const { scanned } = await ours();
    const { stats } = await CircuyScan.scan();
    keptByOurs = new Set(scanned.elements.values());
    const times = { ours: [], floor: [], withoutLocators: [], standard: [] };
    for (let run = 0; run < runs; run += 1) {
      for (const [name, values] of Object.entries(times)) {
        if (name !== 'standard' || globalThis.CircuyStandard !== undefined) {
          values.push(await sample(contenders[name]));
        }
      }
    }
    const { text } = await ours();
    return {
      elements: document.querySelectorAll('*').length,
      nodes: scanned.stats.nodes,
      truncated: stats.truncated,
      ours: median(times.ours),
      floor: median(times.floor),
      withoutLocators: median(times.withoutLocators),
      standard: times.standard.length === 0 ? null : median(times.standard),
      // A busy machine only ever makes a stretch longer.
      longestTask: Math.min(...(await repeat(3, () => longestTask(ours)))),
      text,
      payloadBytes: bytesOf(JSON.stringify(scanned.payload)),
    };
  }

  async function measurePeer(name) {
    const started = performance.now();
    const { text, lines } = await contenders[name]();
    const first = performance.now() - started;
    const ms = first > SLOW_MS ? first : median(await repeat(first > QUICK_MS ? 1 : 3, () => sample(contenders[name])));
    return { ms, text, shared: await sharedBytes(lines()) };
  }

  /** Bytes of our lines and of theirs, for the elements that both of us name. */
  async function sharedBytes(theirs) {
    const mine = linesByElement(await CircuyScan.scan(NO_LIMITS));
    const shared = { ours: 0, theirs: 0 };
    for (const [element, line] of theirs) {
      const own = mine.get(element);
      if (own !== undefined) {
        shared.ours += bytesOf(own);
        shared.theirs += bytesOf(line);
      }
    }
    return shared;
  }

  /** The longest stretch, in ms, in which the page could do nothing else while `run` went on. */
  async function longestTask(run) {
    const { port1, port2 } = new MessageChannel();
    let last = performance.now();
    let longest = 0;
    let isOver = false;
    const beat = () => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    };
    const ended = new Promise((resolve) => {
      port1.onmessage = () => {
        beat();
        if (isOver) {
          port1.close();
          resolve();
        } else {
          port2.postMessage(null);
        }
      };
    });
    port2.postMessage(null);
    await new Promise((resolve) => setTimeout(resolve, 0));
    last = performance.now();
    await run();
    isOver = true;
    await ended;
    return longest;
  }

  /** Whether the scan keeps each of these, given by their selectors: itself or, where its label stands for it, the label. */
  async function kept(selectors) {
    const { elements } = await CircuyScan.scan(NO_LIMITS);
    const anchors = new Set(elements.values());
    return selectors.map((selector) => {
      const element = document.querySelector(selector);
      return element !== null && (anchors.has(element) || [...(element.labels ?? [])].some((l) => anchors.has(l)));
    });
  }

  function linesByElement({ elements, lines }) {
    return new Map([...elements].map(([id, element]) => [element, lines.get(id)]));
  }

  function bytesOf(text) {
    return new TextEncoder().encode(text).length;
  }

  return { measureOurs, measurePeer, kept };
})();
