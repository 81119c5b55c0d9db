/** Loaded when the page is idle, or at the first call of the API. */
import { Client } from '../api/client';
import { ApiError } from '../api/errors';
import type { Emitter } from '../core/emitter';
import { answerLocale } from '../core/locale';
import type { WidgetEvents } from '../widget/events';
import type { Privacy } from '../widget/privacy';
import { PLAIN_LOOK, type Settings } from '../widget/settings';
import { Widget } from '../widget/widget';

/** Refusals that no later call would escape: a widget would only disappoint. */
const KEY_REFUSED = new Set(['authentication_required', 'key_unknown', 'origin_not_allowed']);

/**
 * Puts the widget on the page, as its organization wants it; not at all when `ended` comes first or the key
 * is refused.
 */
export async function startWidget(
  settings: Settings,
  events: Emitter<WidgetEvents>,
  privacy: Privacy,
  ended: AbortSignal,
): Promise<Widget | undefined> {
  const { base, key, locale, user } = settings;
  const client = new Client({ base, key, locale: answerLocale(locale), user }, () => privacy.mayKnowAgain);
  let look = PLAIN_LOOK;
  try {
    look = await client.look(ended);
  } catch (error) {
    if (error instanceof ApiError && KEY_REFUSED.has(error.code)) {
      console.error(`Circuy: the server refused this page. ${error.message}`);
      return undefined;
    }
    // Out of reach for now: people may ask later.
  }
  if (ended.aborted) {
    return undefined;
  }
  const widget = new Widget(settings, look, client, events, privacy);
  events.emit('ready', {});
  return widget;
}
