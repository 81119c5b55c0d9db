import type { Say } from '../core/locale';
import type { Notice } from './card';
import type { Sight } from './finder';
import { addressOf } from './itinerary';
import type { SentenceKey } from './sentences';

/** What is said about a step that does not stand on its element; null when it does. */
export function noticeOf(sight: Sight | { kind: 'elsewhere' }, route: string, say: Say<SentenceKey>): Notice | null {
  switch (sight.kind) {
    case 'target':
      return null;
    case 'closed': {
      const { name } = sight.wayIn;
      const text = name === '' ? say('openThisFirst') : say('openFirst', { name });
      return { tone: 'way', text, hint: say('thenInside') };
    }
    case 'elsewhere': {
      const address = addressOf(route, location.origin);
      const notice: Notice = { tone: 'apology', text: say('otherPage', { route }), hint: say('whatToLookFor') };
      return address === null
        ? notice
        : {
            ...notice,
            button: {
              text: say('goThere'),
              press: () => {
                location.assign(address);
              },
            },
          };
    }
    default:
      return { tone: 'apology', text: say(sight.kind), hint: say('whatToLookFor') };
  }
}
