const SAMPLED = 'circuy.sampled';

/**
 * What may be sent and kept. Until `consent` is told, questions are asked under the visitor's own token and tours are
 * reported. A browser that asks not to be tracked (Do Not Track, Global Privacy Control) is never reported on,
 * whatever the page says.
 */
export class Privacy {
  /** What the person told the page: true, false, or null when it did not say. */
  consent: boolean | null = null;

  /** Whether a person may be known again: by a token kept in the browser, or by the id that the page vouches for. */
  get mayKnowAgain(): boolean {
    return this.consent !== false;
  }

  /** Whether what happens in tours may be reported. */
  get mayReport(): boolean {
    return this.consent !== false && !asksNotToBeTracked();
  }
}

function asksNotToBeTracked(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return globalPrivacyControl === true || doNotTrack === '1' || doNotTrack === 'yes';
}

/** Whether this visit is one of the `percent` in a hundred that report. Drawn once a tab: a tour may cross pages. */
export function isSampled(percent: number): boolean {
  if (percent >= 100 || percent <= 0) {
    return percent >= 100;
  }
  try {
    const drawn = Number(sessionStorage.getItem(SAMPLED) ?? NaN);
    if (drawn >= 0 && drawn < 100) {
      return drawn < percent;
    }
    const draw = Math.random() * 100;
    sessionStorage.setItem(SAMPLED, String(draw));
    return draw < percent;
  } catch {
    return Math.random() * 100 < percent;
  }
}
