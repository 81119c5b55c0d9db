/** Loaded when a product admin opens the page to teach it to Circuy. */
import { Recorder } from '../recorder/recorder';
import type { Settings } from '../widget/settings';

export function startRecorder(settings: Settings, code: string | null, onQuit: () => void): void {
  void new Recorder(settings, onQuit).start(code);
}
