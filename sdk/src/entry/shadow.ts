/** Loaded when a member of the organization speaks to Léa, and on each page that she is shown a task on. */
import { readSession } from '../recorder/entrance';
import { Lea, type Leaving } from '../shadow/lea';
import { isInsideRecorded } from '../shadow/trees';
import type { Settings } from '../widget/settings';

/**
 * Puts Léa on the page. Nothing in a frame of a page that has her: what is done there is seen from that page, and twice
 * is once too many. Leaves at once when the session is over.
 */
export function startShadow(settings: Settings, leaving: Leaving): Pick<Lea, 'remove'> {
  const session = readSession();
  const nothing = { remove: () => undefined };
  if (isInsideRecorded()) {
    return nothing;
  }
  if (session === null) {
    queueMicrotask(leaving.quit);
    return nothing;
  }
  return new Lea(settings, session, leaving);
}
