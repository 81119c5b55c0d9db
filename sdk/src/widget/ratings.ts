import type { Guide } from '../api/wire';
import { h } from '../ui/element';
import { icon } from '../ui/icons';
import type { Speaker } from './cards';

/** Whom to tell, and whether to ask at all. */
interface Judges {
  mayAsk(): boolean;
  rated(tourId: string, isGood: boolean): void;
}

/** Asks what people think of the guides they got: under an answer, and when a guide is done. Once a guide. */
export class Ratings {
  private readonly asking = new Map<string, HTMLElement[]>();
  private readonly rated = new Set<string>();

  constructor(
    private readonly say: Speaker,
    private readonly judges: Judges,
  ) {}

  /** The two thumbs of an answer; null when there is nothing to ask. */
  thumbs({ tour_id: tourId }: Guide): HTMLElement | null {
    return this.ask(tourId, 'thumbs', (rate) => [
      thumb(true, 'icon-button', 'thumb-up', this.say('thumbUp'), null, rate),
      thumb(false, 'icon-button', 'thumb-down', this.say('thumbDown'), null, rate),
    ]);
  }

  /** The question after a guide that was walked to its end; null when there is nothing to ask. */
  question({ tour_id: tourId }: Guide): HTMLElement | null {
    return this.ask(tourId, 'rating', (rate) => [
      h('p', { class: 'answer-title' }, this.say('rateQuestion')),
      h(
        'div',
        { class: 'choices' },
        thumb(true, 'button quiet', 'rate-up', null, this.say('rateYes'), rate),
        thumb(false, 'button quiet', 'rate-down', null, this.say('rateNo'), rate),
      ),
    ]);
  }

  private ask(
    tourId: string | null,
    kind: 'thumbs' | 'rating',
    parts: (rate: (isGood: boolean) => void) => HTMLElement[],
  ): HTMLElement | null {
    if (tourId === null || this.rated.has(tourId) || !this.judges.mayAsk()) {
      return null;
    }
    const card = h('div', { class: kind === 'rating' ? 'bubble rating' : 'thumbs', hook: kind });
    card.append(
      ...parts((isGood) => {
        this.take(tourId, card, isGood);
      }),
    );
    this.asking.set(tourId, [...(this.asking.get(tourId) ?? []), card]);
    return card;
  }

  private take(tourId: string, pressed: HTMLElement, isGood: boolean): void {
    this.rated.add(tourId);
    for (const card of this.asking.get(tourId) ?? []) {
      if (card !== pressed) {
        card.remove();
      }
    }
    this.asking.delete(tourId);
    pressed.replaceChildren(h('p', { hook: 'rated' }, this.say(isGood ? 'ratedYes' : 'ratedNo')));
    this.judges.rated(tourId, isGood);
  }
}

function thumb(
  isGood: boolean,
  style: string,
  hook: string,
  name: string | null,
  text: string | null,
  rate: (isGood: boolean) => void,
): HTMLElement {
  const named: Record<string, string> = name === null ? {} : { 'aria-label': name, title: name };
  const click = () => {
    rate(isGood);
  };
  return h(
    'button',
    { class: style, hook, attributes: { type: 'button', ...named }, on: { click } },
    icon(isGood ? 'thumbUp' : 'thumbDown'),
    text,
  );
}
