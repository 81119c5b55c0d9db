/** Loaded when the first guide starts. */
import type { Guide } from '../api/wire';
import { GuideRun, type RunOptions } from '../tour/guide_run';

export type { EndedRun, Outcome, RunOptions } from '../tour/guide_run';

export function runGuide(guide: Guide, options: RunOptions): GuideRun {
  const run = new GuideRun(guide, options);
  void run.start();
  return run;
}
