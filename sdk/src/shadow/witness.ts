/**
 * Watches a person work on the page. Each listener comes before the page's own: what is acted on is described as it was
 * before the page reacted.
 */
import type { Cleaning } from '../dom/cleaning';
import type { Environment, Tree } from '../dom/environment';
import { kindOf } from '../dom/kinds';
import { inputType } from '../dom/roles';
import {
  actorOf,
  fieldOf,
  isChanged,
  isGone,
  isOwn,
  isPressedByKey,
  isToggled,
  isWritten,
  leadsAway,
  type Actor,
} from './actors';
import { blindnessAt, foreignFrameIn } from './blind_spots';
import { PageReading } from './page_reading';
import { pickedIn } from './picked_options';
import { Portraits, type Portrait } from './portraits';
import { Secrets } from './secrets';
import { Trees } from './trees';
import { valuesOf, type Values } from './values';
import type { Act, Blindness, ObservedTarget } from './wire';
import { Writing } from './writing';

/** The same thing on the same element in so short a time is one thing: a label hands its click to its control. */
const SAME_WITHIN_MS = 250;
/** Enter in a field makes the browser press the form's button at once. */
const IMPLIED_WITHIN_MS = 100;

/** "action": somebody did it. "effect": it followed from that. "noise": it seems to mean nothing. */
export type Nature = 'action' | 'effect' | 'noise';

export interface WitnessNews {
  /** Gives the sequence number of what is noted. */
  act: (act: Act, nature: Nature) => number;
  /** What was only guessed at the time is now known. */
  amend: (sequence: number, change: Partial<Act>) => void;
  blind: (reason: Blindness, target: ObservedTarget | null, frame: string) => void;
  /** Something was done that may lead to another page. */
  left: (by: 'link' | 'form' | 'other') => void;
}

interface Press {
  actor: Actor;
  portrait: Portrait;
  /** What is picked of a list that the page draws. */
  picked: Partial<Act>;
  isTold: boolean;
}

export class Witness {
  private readonly page: PageReading;
  private readonly portraits: Portraits;
  private readonly secrets: Secrets;
  private readonly values: Values;
  private readonly writing: Writing;
  private readonly trees: Trees;
  private press: Press | null = null;
  private last: { kind: string; element: Element; at: number } | null = null;
  private entered = { at: -Infinity, field: null as Element | null };

  constructor(
    private readonly env: Environment,
    cleaning: Cleaning,
    private readonly news: WitnessNews,
  ) {
    this.page = new PageReading(env, cleaning);
    this.portraits = new Portraits(env, this.page, cleaning);
    this.secrets = new Secrets(env);
    this.values = valuesOf(env);
    this.writing = new Writing(this.portraits, this.secrets, this.values, cleaning, (act) => {
      news.act(act, 'action');
    });
    this.trees = new Trees(env, (tree, signal) => {
      this.listen(tree, signal);
    });
  }

  /** False when another recorder has this page. */
  open(): boolean {
    return this.trees.open();
  }

  /** Tells what is still being written: the page may go. */
  settle(): void {
    this.writing.settleAll();
  }

  close(): void {
    this.writing.drop();
    this.trees.close();
    this.secrets.close();
    this.page.close();
  }

  private listen(tree: Tree, signal: AbortSignal): void {
    this.secrets.watch(tree);
    const view = 'defaultView' in tree ? tree.defaultView : null;
    const on = (target: EventTarget, name: string, hear: (event: Event, path: EventTarget[]) => void) => {
      const heard = (event: Event) => {
        const path = event.composedPath();
        if (event.isTrusted && !isOwn(this.env, path)) {
          hear(event, path);
        }
      };
      EventTarget.prototype.addEventListener.call(target, name, heard, { capture: true, passive: true, signal });
    };
    // These two stay inside of their tree.
    on(tree, 'change', this.onChange);
    on(tree, 'submit', this.onSubmit);
    if (view !== null) {
      on(view, 'pointerdown', this.onPointerDown);
      on(view, 'pointerup', this.onPointerUp);
      on(view, 'click', this.onClick);
      on(view, 'dblclick', this.onDoubleClick);
      on(view, 'keydown', this.onKeyDown);
      on(view, 'input', this.onInput);
      on(view, 'focusout', this.onFocusOut);
      const onBlur = () => {
        setTimeout(() => {
          this.lookForForeignFrame(tree as Document);
        }, 0);
      };
      EventTarget.prototype.addEventListener.call(view, 'blur', onBlur, { signal });
    }
  }

  private readonly onPointerDown = (event: Event, path: EventTarget[]): void => {
    this.trees.follow(path);
    const actor = (event as PointerEvent).button === 0 ? actorOf(this.env, path) : null;
    if (actor === null) {
      this.press = null;
      return;
    }
    this.writing.settleAll(actor.element);
    this.lookForBlindness(path[0] as Element, actor);
    this.press = this.pressOf(actor);
  };

  /** A list may close at the press already: then no click comes from the option that was meant. */
  private readonly onPointerUp = (): void => {
    const { press } = this;
    setTimeout(() => {
      if (press !== null && !press.isTold && this.press === press && isGone(this.env, press.actor.element)) {
        this.clicked(press, 1);
      }
    }, 0);
  };

  private readonly onClick = (event: Event, path: EventTarget[]): void => {
    const { detail } = event as MouseEvent;
    const actor = actorOf(this.env, path);
    if (actor === null || (detail === 0 && this.isImplied(event, actor))) {
      return;
    }
    const { press } = this;
    const isPressed = press?.actor.element === actor.element;
    const isPressGone = press !== null && !press.isTold && isGone(this.env, press.actor.element);
    if (press !== null && (isPressed || isPressGone)) {
      this.clicked(press, detail);
      return;
    }
    const late = this.pressOf(actor);
    if (late !== null) {
      this.clicked(late, detail);
    }
  };

  private clicked(press: Press, detail: number): void {
    const { actor, portrait, picked } = press;
    press.isTold = true;
    if (isChanged(this.env, actor.element) || this.isSame('click', actor.element)) {
      return;
    }
    this.writing.settleAll(actor.element);
    this.news.left(leadsAway(this.env, actor.element) ? 'link' : 'other');
    if (isToggled(this.env, actor.element)) {
      this.toggled(portrait);
      return;
    }
    const nature = portrait.target.interactive ? 'action' : 'noise';
    this.news.act({ kind: 'click', detail, ...told(portrait), ...picked }, nature);
  }

  private readonly onDoubleClick = (_: Event, path: EventTarget[]): void => {
    const actor = actorOf(this.env, path);
    const portrait =
      actor === null || this.press?.actor.element === actor.element
        ? (this.press?.portrait ?? null)
        : this.portraits.of(actor);
    if (portrait !== null && !isChanged(this.env, portrait.element)) {
      // What was two clicks until now goes with it.
      this.news.act({ kind: 'dblclick', detail: 2, ...told(portrait) }, 'effect');
    }
  };

  private readonly onKeyDown = (event: Event, path: EventTarget[]): void => {
    const { key, repeat, isComposing, ctrlKey, metaKey } = event as KeyboardEvent;
    const named = key === ' ' ? 'Space' : key;
    if (repeat || isComposing || !['Enter', 'Space', 'Escape'].includes(named)) {
      return;
    }
    this.trees.follow(path);
    const actor = actorOf(this.env, path);
    if (actor === null) {
      return;
    }
    const { element } = actor;
    const picked = named === 'Enter' ? this.activeOption(element) : null;
    if (picked !== null) {
      this.settle();
      this.press = null;
      this.clicked(picked, 0);
      return;
    }
    const isField = isWritten(this.env, element);
    const isOneLine = this.env.tag(element) === 'input';
    const isTyped = isField && (named === 'Space' || (named === 'Enter' && !isOneLine && !ctrlKey && !metaKey));
    const portrait = isTyped ? null : this.portraits.of(actor);
    if (portrait === null) {
      return;
    }
    if (named !== 'Escape' && isPressedByKey(this.env, element)) {
      this.press = this.pressOf(actor);
      return;
    }
    this.writing.settleAll();
    if (named === 'Space' && isToggled(this.env, element)) {
      this.toggled(portrait);
      return;
    }
    if (named === 'Enter') {
      this.entered = { at: event.timeStamp, field: element };
      this.news.left('other');
    }
    const isAction = named === 'Escape' || portrait.target.interactive;
    this.news.act({ kind: 'key', key: named, ...told(portrait) }, isAction ? 'action' : 'noise');
  };

  private readonly onInput = (_: Event, path: EventTarget[]): void => {
    const field = fieldOf(this.env, path);
    if (field === null) {
      const actor = actorOf(this.env, path);
      if (actor !== null) {
        this.lookForBlindness(path[0] as Element, actor);
      }
    } else if (!isChanged(this.env, field) || inputType(this.env, field) === 'range') {
      this.writing.wrote(field, this.portraitOf(field));
    }
  };

  private readonly onChange = (_: Event, path: EventTarget[]): void => {
    const field = path[0] as Element;
    const tag = this.env.tag(field);
    const type = tag === 'input' ? inputType(this.env, field) : '';
    const portrait = this.portraitOf(field);
    if (tag === 'select') {
      this.writing.chose(field, portrait);
    } else if (type === 'checkbox' || type === 'radio') {
      this.writing.ticked(field, portrait);
    } else if (type === 'file') {
      this.writing.picked(field, portrait);
    } else if (isWritten(this.env, field)) {
      this.writing.wrote(field, portrait);
      this.writing.settle(field);
    }
  };

  private readonly onFocusOut = (_: Event, path: EventTarget[]): void => {
    const field = fieldOf(this.env, path) ?? (path[0] as Element);
    this.writing.settle(field);
  };

  private readonly onSubmit = (_: Event, path: EventTarget[]): void => {
    this.writing.settleAll();
    const form = path[0] as Element;
    const portrait = this.portraits.of({ element: form, kind: kindOf(this.env, form) });
    this.news.left('form');
    if (portrait !== null) {
      this.news.act({ kind: 'submit', ...told(portrait) }, 'effect');
    }
  };

  /** A box that a script draws says afterwards whether it is ticked. */
  private toggled(portrait: Portrait): void {
    const { element } = portrait;
    const isOn = () => (this.env.attribute(element, 'aria-checked') ?? '') === 'true';
    const sequence = this.news.act({ kind: 'check', checked: !isOn(), ...told(portrait) }, 'action');
    setTimeout(() => {
      if (element.isConnected) {
        this.news.amend(sequence, { checked: isOn() });
      }
    }, 60);
  }

  /** What Enter picks in a list that is steered from its field. */
  private activeOption(field: Element): Press | null {
    const id = this.env.attribute(field, 'aria-activedescendant') ?? '';
    const element = id === '' ? null : this.env.byId(id, field);
    const actor = element === null ? null : { element, kind: kindOf(this.env, element) };
    return actor === null ? null : this.pressOf(actor);
  }

  private pressOf(actor: Actor): Press | null {
    const portrait = this.portraits.of(actor);
    return portrait === null
      ? null
      : { actor, portrait, picked: pickedIn(this.env, this.portraits, portrait), isTold: false };
  }

  private portraitOf(element: Element): Portrait | null {
    return this.press?.actor.element === element ? this.press.portrait : null;
  }

  private isImplied(event: Event, { element }: Actor): boolean {
    const { at, field } = this.entered;
    return field !== null && field !== element && event.timeStamp - at < IMPLIED_WITHIN_MS;
  }

  private isSame(kind: string, element: Element): boolean {
    const before = this.last;
    const at = performance.now();
    this.last = { kind, element, at };
    return before?.kind === kind && before.element === element && at - before.at < SAME_WITHIN_MS;
  }

  private lookForBlindness(innermost: Element, actor: Actor): void {
    const isMeant = actor.kind !== null && actor.element !== innermost;
    const reason = isMeant ? null : blindnessAt(this.env, innermost);
    if (reason !== null) {
      this.tellBlind(reason, innermost);
    }
  }

  private lookForForeignFrame(page: Document): void {
    const frame = foreignFrameIn(this.env, page);
    if (frame !== null) {
      this.tellBlind('cross_origin_frame', frame);
    }
  }

  private tellBlind(reason: Blindness, element: Element): void {
    const portrait = this.portraits.of({ element, kind: null });
    this.news.blind(reason, portrait?.target ?? null, portrait?.frame ?? '');
  }
}

function told({ target, frame }: Portrait): Partial<Act> {
  return frame === '' ? { target } : { target, frame };
}
