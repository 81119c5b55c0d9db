import type { Guide } from '../api/wire';
import type { Say } from '../core/locale';
import type { PreviewMessageKey } from '../core/preview_messages';
import { dots } from '../ui/dots';
import { h } from '../ui/element';
import { icon, type IconName } from '../ui/icons';
import { isWorrying, type StepSight } from './states';

type Speaker = Say<PreviewMessageKey>;
export type Tone = 'working' | 'good' | 'bad' | 'plain';

export interface BarActions {
  replay: () => void;
  goTo: (index: number) => void;
  pick: () => void;
  confirm: () => void;
  cancel: () => void;
  quit: () => void;
}

/** The reviewer's bar: which version is tried, how each step finds its element, and what can be done about it. */
export class Bar {
  readonly element: HTMLElement;
  private readonly title: HTMLElement;
  private readonly where = h('p', { class: 'where', hook: 'preview-where' });
  private readonly steps: HTMLElement;
  private readonly status = h('div', { class: 'status-slot', attributes: { role: 'status' } });
  private readonly replay: HTMLButtonElement;
  private readonly pick: HTMLButtonElement;
  private readonly confirm: HTMLButtonElement;
  private readonly cancel: HTMLButtonElement;

  constructor(
    private readonly say: Speaker,
    private readonly actions: BarActions,
  ) {
    this.title = h('h2', { class: 'title', hook: 'preview-title', attributes: { dir: 'auto' } }, say('name'));
    this.steps = h('ol', { class: 'steps', hook: 'preview-steps', attributes: { 'aria-label': say('steps') } });
    this.replay = button(say('replay'), 'preview-replay', 'quiet', actions.replay, 'retry');
    this.pick = button(say('reattach'), 'preview-pick', '', actions.pick);
    this.confirm = button(say('pickHere'), 'pick-confirm', '', actions.confirm, 'check');
    this.cancel = button(say('cancel'), 'pick-cancel', 'quiet', actions.cancel);
    const quit = button(say('quit'), 'preview-quit', 'quiet leave', actions.quit, 'close');
    this.element = h(
      'section',
      { class: 'bar', hook: 'preview', attributes: { 'aria-label': say('name'), tabindex: '-1' } },
      h('span', { class: 'mark' }, icon('mark')),
      h('div', { class: 'titles' }, this.title, this.where),
      h('div', { class: 'tools' }, this.replay, this.pick, this.confirm, this.cancel),
      quit,
      this.steps,
      this.status,
    );
    this.setMode('empty');
  }

  /** "empty": there is no guide to act on. "tour": it can be played, and changed if `isEditable`. "picking". */
  setMode(mode: 'empty' | 'tour' | 'picking', isEditable = false): void {
    this.replay.hidden = mode !== 'tour';
    this.pick.hidden = mode !== 'tour' || !isEditable;
    this.confirm.hidden = this.cancel.hidden = mode !== 'picking';
    this.steps.hidden = mode !== 'tour';
    this.element.classList.toggle('picking', mode === 'picking');
    this.allow('confirm', false);
  }

  allow(what: 'confirm' | 'pick', isAllowed: boolean): void {
    this[what].disabled = !isAllowed;
  }

  setGuide(guide: Guide): void {
    this.title.textContent = this.say('trying', { title: guide.title });
    this.steps.replaceChildren(
      ...guide.steps.map((step, index) =>
        h(
          'li',
          {},
          h(
            'button',
            {
              class: 'step',
              hook: 'preview-step',
              attributes: { type: 'button' },
              on: {
                click: () => {
                  this.actions.goTo(index);
                },
              },
            },
            h('span', { class: 'number' }, String(index + 1)),
            h('span', { class: 'name', attributes: { dir: 'auto' } }, step.title),
            h('span', { class: 'state' }),
          ),
        ),
      ),
    );
  }

  /** Says which step is shown; -1 when none is. */
  setPlace(version: number, index: number): void {
    const chips = this.chips();
    const count = chips.length;
    const place = index === -1 ? [] : [this.say('stepOf', { count: index + 1, total: count })];
    this.where.textContent = [this.say('version', { version }), ...place].join(' · ');
    chips.forEach((chip, i) => {
      chip.toggleAttribute('aria-current', i === index);
      if (i === index) {
        chip.setAttribute('aria-current', 'step');
        this.bringIntoView(chip);
      }
    });
  }

  setWhere(text: string): void {
    this.where.textContent = text;
  }

  setSights(sights: readonly StepSight[]): void {
    this.chips().forEach((chip, index) => {
      const state = sights[index]?.state ?? 'missing';
      if (chip.dataset.state === state) {
        return;
      }
      const isBad = state === 'missing' || state === 'ambiguous';
      const tone = isBad ? 'bad' : isWorrying(state) ? 'warn' : state === 'primary' ? 'good' : 'calm';
      chip.dataset.state = state;
      chip.className = `step ${tone}`;
      const said = chip.querySelector('.state');
      said?.replaceChildren(
        icon(tone === 'good' ? 'check' : tone === 'calm' ? 'clock' : 'alert'),
        this.say(`state_${state}`),
      );
    });
  }

  /** One line on how things go; empty to say nothing. */
  setStatus(tone: Tone, text: string, ...more: HTMLElement[]): void {
    const mark = { working: dots, good: () => icon('check'), bad: () => icon('alert'), plain: () => '' }[tone]();
    this.status.replaceChildren(
      ...(text === ''
        ? []
        : [
            h(
              'div',
              { class: `status ${tone}`, hook: 'preview-status', attributes: { 'data-tone': tone } },
              mark,
              h('p', {}, text),
              ...more,
            ),
          ]),
    );
  }

  private chips(): HTMLElement[] {
    return [...this.steps.querySelectorAll<HTMLElement>('.step')];
  }

  /** Within the list alone: the page must not scroll for it. */
  private bringIntoView(chip: HTMLElement): void {
    this.steps.scrollLeft = chip.offsetLeft - this.steps.offsetLeft - 40;
  }
}

export function button(
  text: string,
  hook: string,
  look: string,
  press: () => void,
  mark?: IconName,
): HTMLButtonElement {
  return h(
    'button',
    {
      class: `button ${look}`.trim(),
      hook,
      attributes: { type: 'button', 'aria-label': text, title: text },
      on: { click: press },
    },
    mark === undefined ? null : icon(mark),
    h('span', {}, text),
  );
}
