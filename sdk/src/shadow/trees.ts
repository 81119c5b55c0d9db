/**
 * The documents and shadow roots that people act in: the page, its same-origin frames and its open shadow roots, also those
 * that come later. What crosses no border of a tree (`change`, `submit`, a frame's events) is listened to in each.
 */
import type { Environment, Tree } from '../dom/environment';
import { HOSTS, isOwnTag } from '../dom/own_ui';

const LOOK_AFTER_MS = 300;
const MOST_TREES = 200;
/** Bears on a document that it is recorded: by one recorder, whoever else comes. */
const CLAIM = Symbol.for('circuy.demonstration');

type Claimed = Document & { [CLAIM]?: true };

/** Whether this page is in a frame of one that has Circuy, which sees into it. */
export function isInsideRecorded(): boolean {
  try {
    for (let inner: Window = window; inner.parent !== inner; inner = inner.parent) {
      if ('Circuy' in inner.parent || inner.parent.document.querySelector(HOSTS.recorder) !== null) {
        return true;
      }
    }
  } catch {
    // A page of another site sees nothing of what is in its frames.
  }
  return false;
}

export class Trees {
  private readonly entered = new Map<Tree, AbortController>();
  private readonly life = new AbortController();
  private observer: MutationObserver | null = null;
  private pending: ReturnType<typeof setTimeout> | null = null;

  /** `onEnter` listens in a tree until its signal is aborted. */
  constructor(
    private readonly env: Environment,
    private readonly onEnter: (tree: Tree, signal: AbortSignal) => void,
  ) {}

  /** Begins with the page. False when another recorder has it. */
  open(): boolean {
    const page = this.env.page();
    if ((page as Claimed)[CLAIM] === true) {
      return false;
    }
    this.observer = new MutationObserver(() => {
      this.lookSoon();
    });
    this.enter(page);
    this.look();
    return true;
  }

  /** Enters the shadow roots that an event went through. */
  follow(path: readonly EventTarget[]): void {
    for (const one of path) {
      if ('host' in one && 'mode' in one) {
        this.enter(one as ShadowRoot);
      }
    }
  }

  close(): void {
    this.life.abort();
    this.observer?.disconnect();
    if (this.pending !== null) {
      clearTimeout(this.pending);
    }
    for (const tree of [...this.entered.keys()]) {
      this.leave(tree);
    }
  }

  private enter(tree: Tree): void {
    if (this.entered.has(tree) || this.entered.size >= MOST_TREES) {
      return;
    }
    if (isDocument(tree)) {
      if ((tree as Claimed)[CLAIM] === true) {
        return;
      }
      (tree as Claimed)[CLAIM] = true;
    } else if (isOwnTag(this.env.tag(tree.host))) {
      return;
    }
    const inside = new AbortController();
    this.entered.set(tree, inside);
    this.observer?.observe(tree, { subtree: true, childList: true });
    // A frame tells that it has loaded to nobody but itself, and to those who listen on its way.
    const onLoad = () => {
      this.look();
    };
    EventTarget.prototype.addEventListener.call(tree, 'load', onLoad, { capture: true, signal: inside.signal });
    this.onEnter(tree, inside.signal);
  }

  private leave(tree: Tree): void {
    this.entered.get(tree)?.abort();
    this.entered.delete(tree);
    if (isDocument(tree)) {
      Reflect.deleteProperty(tree, CLAIM);
    }
  }

  private lookSoon(): void {
    this.pending ??= setTimeout(() => {
      this.pending = null;
      this.look();
    }, LOOK_AFTER_MS);
  }

  /** Enters what has come, leaves what has gone. */
  private look(): void {
    const { env } = this;
    for (const tree of [...this.entered.keys()]) {
      if (!this.isThere(tree)) {
        this.leave(tree);
      }
    }
    // Those that are entered meanwhile are looked into as well.
    for (const tree of this.entered.keys()) {
      for (const element of env.select(tree, '*')) {
        const inner = env.shadowOf(element) ?? (env.tag(element) === 'iframe' ? env.framedDocument(element) : null);
        if (inner !== null) {
          this.enter(inner);
        }
      }
    }
  }

  private isThere(tree: Tree): boolean {
    const { env } = this;
    if (tree === env.page()) {
      return true;
    }
    const host = env.hostOf(tree);
    if (!host?.isConnected) {
      return false;
    }
    return env.shadowOf(host) === tree || env.framedDocument(host) === tree;
  }
}

function isDocument(tree: Tree): tree is Document {
  return tree.nodeType === Node.DOCUMENT_NODE;
}
