/** Loaded when a reviewer opens the page to try a version of a guide on it. */
import { Preview } from '../preview/preview';
import type { Settings } from '../widget/settings';

/** Puts the reviewer's bar on the page and plays the guide; `onQuit` is called when the try-out is left. */
export function startPreview(settings: Settings, token: string, onQuit: () => void): Preview {
  const preview = new Preview(settings, token, onQuit);
  void preview.open();
  return preview;
}
