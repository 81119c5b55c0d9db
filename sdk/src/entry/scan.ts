/**
 * The scanner by itself, as `CircuyScan`: for a page that is looked at from outside (`make bench-scan`,
 * `make bench-locators`, a test). It opens nothing, sends nothing and changes nothing on the page.
 */
import type { A11yNode, PageScanPayload } from '../api/wire';
import { once } from '../core/once';
import { Cleaning } from '../dom/cleaning';
import { environmentOf } from '../dom/environment';
import { kindOf as kindIn } from '../dom/kinds';
import { Labels } from '../dom/labels';
import { Locators, type Locator } from '../dom/locators';
import { Names } from '../dom/names';
import { PageIndex } from '../dom/page_index';
import * as Pages from '../dom/scanner';
import { lookFor, type Found } from '../dom/targets';

/** This page's readers, taken once: before a script of the page may have changed them, and warm for the next scan. */
const page = once(() => environmentOf(window));

export interface ScanOptions extends Pages.ScanOptions {
  /** The path that the page stands for, when it is not the one it was opened at. */
  path?: string;
}

export interface Scanned {
  payload: PageScanPayload;
  stats: { nodes: number; masked: number; truncated: boolean; failed: number };
  /** The element that people act on, for each node. */
  elements: ReadonlyMap<string, Element>;
  /** Each node in a few words, the form in which a model reads it: its id, its kind and its name. */
  lines: ReadonlyMap<string, string>;
}

/** Scans this page. */
export async function scan({ path = location.pathname, ...options }: ScanOptions = {}): Promise<Scanned> {
  const { payload, elements, kinds, masked, truncated, failed } = await Pages.scanPage(page(), path, options);
  return {
    payload,
    stats: { nodes: payload.nodes.length, masked, truncated, failed },
    elements,
    lines: new Map(payload.nodes.map((node) => [node.id, lineOf(node, kinds.get(node.id) ?? node.tag)])),
  };
}

/** What the scanner reads of single elements, without scanning: which ones it looks at, and what it calls them. */
export interface Reader {
  kindOf(element: Element): string | null;
  nameOf(element: Element): string;
}

/** A reader of this page as it is now: labels are looked up once. */
export function reader(): Reader {
  const env = page();
  const names = new Names(env, new Labels(env, document).of);
  return {
    kindOf: (element) => kindIn(env, element)?.kind ?? null,
    nameOf: (element) => names.of(element),
  };
}

/** Gives locators on this page as it is now; the whole page is indexed here, once. */
export function locators(): (element: Element) => Locator | null {
  const env = page();
  const made = new Locators(env, PageIndex.of(env, document), new Cleaning([]).isClean);
  return (element) => made.of(element);
}

/** Finds a scanned node again, as a guide does on a later page: null when nothing showed up within `patience` ms. */
export function resolve(
  node: Pick<A11yNode, 'selector' | 'fallbackSelector' | 'fingerprint'>,
  patience: number,
): Promise<Found | null> {
  const target = {
    selector: node.selector,
    fallback: node.fallbackSelector ?? '',
    fingerprint: node.fingerprint ?? '',
  };
  return lookFor(page(), target, AbortSignal.timeout(patience));
}

function lineOf(node: A11yNode, kind: string): string {
  return [node.id, kind, node.label ?? node.placeholder ?? ''].join(' ').trimEnd();
}
