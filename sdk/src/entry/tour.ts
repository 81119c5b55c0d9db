/** Loaded when the first guide starts, or goes on. */
import type { Guide } from '../api/wire';
import { GuideRun } from '../tour/guide_run';
import { stepToResume } from '../tour/itinerary';
import { takeGuide } from '../tour/kept_guide';
import type { RunOptions } from '../tour/running';

export type { EndedRun, Outcome, RunOptions } from '../tour/running';

export function runGuide(guide: Guide, options: RunOptions): GuideRun {
  const run = new GuideRun(guide, options, null);
  run.start();
  return run;
}

/**
 * Goes on with the guide that was running when this tab left the page before. Null when there is none any more, or none of
 * its steps is on this page: then it is forgotten. `optionsFor` is asked once for the guide that goes on.
 */
export function resumeGuide(optionsFor: (guide: Guide) => RunOptions): { guide: Guide; run: GuideRun } | null {
  const kept = takeGuide();
  const index = kept === null ? -1 : stepToResume(kept.guide, kept.index, kept.home, location);
  if (kept === null || index === -1) {
    return null;
  }
  const { guide, home } = kept;
  const run = new GuideRun(guide, optionsFor(guide), { index, home });
  run.start();
  return { guide, run };
}
