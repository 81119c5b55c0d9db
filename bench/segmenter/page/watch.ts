/**
 * The SDK's own recorder on a page of the bench, and what the bench needs to act there: which elements there are, each
 * with a number that lasts as long as it does. Time that a person would have waited is added to the clock.
 */
import { Cleaning } from '../../../sdk/src/dom/cleaning';
import { environmentOf } from '../../../sdk/src/dom/environment';
import { addressOf } from '../../../sdk/src/shadow/addresses';
import { watchRoutes } from '../../../sdk/src/shadow/routes';
import { Witness } from '../../../sdk/src/shadow/witness';
import type { Act, ObservedEvent } from '../../../sdk/src/shadow/wire';

type Seen = ObservedEvent & { number: number };

const PRESSED = 'button, a, [role=tab], [role=button], h3.ui-accordion-header, input[type=submit], .pressed';
const FILLED = 'input, textarea, select';
const UNWRITTEN = ['checkbox', 'radio', 'button', 'submit', 'range', 'color', 'hidden', 'file'];

const cleaning = new Cleaning([]);
let numbers = new WeakMap<Element, number>();
const elements = new Map<number, Element>();
/** Those that the bench acts on. */
let handled = new WeakSet<Element>();
let events: Seen[] = [];
let witness: Witness | null = null;
let sequence = 0;
let lag = 0;

function number(element: Element): number {
  let known = numbers.get(element);
  if (known === undefined) {
    known = elements.size + 1;
    numbers.set(element, known);
    elements.set(known, element);
  }
  return known;
}

function handle(element: Element): number {
  handled.add(element);
  return number(element);
}

function note(act: Omit<ObservedEvent, 'sequence' | 'at' | 'url' | 'title' | 'trusted'>): number {
  const found = act.target?.selector === undefined ? null : document.querySelector(act.target.selector);
  events.push({
    ...act,
    sequence,
    at: (Date.now() + lag) / 1_000,
    url: addressOf(location.href, cleaning),
    title: document.title,
    trusted: true,
    number: found === null ? 0 : number(meant(found)),
  });
  sequence += 1;
  return sequence - 1;
}

/** People press the icon in a button and mean the button: what the bench acts on stands for what is in it. */
function meant(found: Element): Element {
  for (let one: Element | null = found; one !== null; one = one.parentElement) {
    if (handled.has(one)) {
      return one;
    }
  }
  const inside = [...found.querySelectorAll('*')].filter((one) => handled.has(one));
  return inside.length === 1 ? (inside[0] as Element) : found;
}

export function start(): void {
  numbers = new WeakMap();
  handled = new WeakSet();
  events = [];
  sequence = 0;
  lag = 0;
  witness?.close();
  witness = new Witness(environmentOf(window), cleaning, {
    act: (act: Act) => note(act),
    amend: (at, change) => {
      Object.assign(events[at] ?? {}, change);
    },
    blind: (reason) => {
      note({ kind: 'unseen', reason });
    },
    left: () => undefined,
  });
  witness.open();
}

watchRoutes(({ cause, from }) => {
  const before = addressOf(from, cleaning);
  if (witness !== null && before !== addressOf(location.href, cleaning)) {
    note({ kind: 'navigate', cause, from_url: before });
  }
}, new AbortController().signal);

export function wait(milliseconds: number): void {
  lag += milliseconds;
}

export function take(): Seen[] {
  witness?.settle();
  witness?.close();
  witness = null;
  return events;
}

/** What can be acted on now, inside of `selector`, in the order of the page. */
export function survey(selector: string): object[] {
  const area = document.querySelector(selector);
  const found = area === null ? [] : [...area.querySelectorAll(`${PRESSED}, ${FILLED}`)];
  const innermost = found.filter((one) => isThere(one) && !found.some((other) => one !== other && one.contains(other)));
  return innermost.map((element) => {
    const input = element as HTMLInputElement;
    const isField = element.matches(FILLED);
    const isWritten = isField && element.tagName !== 'SELECT' && !UNWRITTEN.includes(input.type);
    return {
      number: handle(element),
      tag: element.tagName.toLowerCase(),
      type: isField ? input.type : '',
      group: isField ? input.name : '',
      text: (element.textContent ?? '').trim(),
      kind: isWritten ? 'text' : element.tagName === 'SELECT' ? 'list' : 'pressed',
      checked: input.checked === true,
      options: element.tagName === 'SELECT' ? [...(element as HTMLSelectElement).options].map((one) => one.label) : [],
      chosen: element.tagName === 'SELECT' ? (element as HTMLSelectElement).selectedIndex : -1,
      size: element.tagName === 'SELECT' ? (element as HTMLSelectElement).size : 0,
      isFree: !input.disabled && !input.readOnly,
    };
  });
}

/** Where to press an element, or the label of a box; null when it is not to be seen, or something lies over it. */
export function placeOf(known: number, byLabel: boolean): { x: number; y: number; w: number; h: number } | null {
  const element = elements.get(known) as HTMLInputElement | undefined;
  const shown = (byLabel && element?.labels?.[0]) || element;
  if (shown === undefined || !isThere(shown)) {
    return null;
  }
  shown.scrollIntoView({ block: 'nearest' });
  const box = shown.getClientRects()[0] ?? shown.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  if (top === null || !(shown.contains(top) || top.contains(shown))) {
    return null;
  }
  return { x: box.x, y: box.y, w: box.width, h: box.height };
}

export function focus(known: number): void {
  (elements.get(known) as HTMLElement | undefined)?.focus();
}

export function numberOf(selector: string, at = 0): number {
  const found = [...document.querySelectorAll(selector)].filter(isThere)[at];
  return found === undefined ? 0 : handle(found);
}

function isThere(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return element.isConnected && width > 1 && height > 1 && getComputedStyle(element).visibility === 'visible';
}
