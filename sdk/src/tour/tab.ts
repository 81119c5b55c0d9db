/** A guide and the pages that its tab shows one after the other. */
import type { Guide } from '../api/wire';
import { stepToResume } from './itinerary';
import { keepGuide, takeGuide } from './kept_guide';

/** A page that is brought back is shown before the one that is left has said where it was. */
const LEFT_WITHIN_MS = 200;

interface Running {
  guide: Guide;
  /** The path of the page that the guide was started on. */
  home: string;
  /** The step that is shown, from 0. */
  at: () => number;
  goTo: (index: number) => void;
  end: () => void;
}

/** Hands the guide on to the next page of this tab, and back to this one when the browser shows it as it was left. */
export function keepAcrossPages({ guide, home, at, goTo, end }: Running, signal: AbortSignal): void {
  window.addEventListener(
    'pagehide',
    () => {
      keepGuide({ guide, index: at(), home });
    },
    { signal },
  );
  // The pages in between may have gone on with the guide, or ended it.
  const goOn = () => {
    const kept = takeGuide();
    const isSame = kept !== null && JSON.stringify(kept.guide) === JSON.stringify(guide);
    const index = isSame ? stepToResume(guide, kept.index, home, location) : -1;
    if (index === -1) {
      end();
    } else if (index !== at() && !signal.aborted) {
      goTo(index);
    }
  };
  window.addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (persisted) {
        setTimeout(goOn, LEFT_WITHIN_MS);
      }
    },
    { signal },
  );
}
