/** Loaded when a product admin opens the page to teach it to Circuy. */
import type { PageScanPayload } from '../api/wire';
import { compileUsable } from '../core/masking/extra';
import { environmentOf } from '../dom/environment';
import { scanPage } from '../dom/scanner';
import { readSession } from '../recorder/entrance';
import { Recorder } from '../recorder/recorder';
import type { Settings } from '../widget/settings';

/**
 * Puts the recorder on the page; `onQuit` is called when the admin closes it, `onTalk` when they want to show a task to
 * Léa instead.
 */
export function startRecorder(
  settings: Settings,
  code: string | null,
  onQuit: () => void,
  onTalk: () => void,
): Recorder {
  const recorder = new Recorder(settings, onQuit, onTalk);
  void recorder.start(code);
  return recorder;
}

/** What the recorder of this tab would send of this page; null without a recorder's session. Shows and sends nothing. */
export async function scanThisPage(): Promise<PageScanPayload | null> {
  const session = readSession();
  if (session === null) {
    return null;
  }
  const masks = compileUsable(session.masks).rules;
  const { payload } = await scanPage(environmentOf(window), location.pathname, { masks });
  return payload;
}
