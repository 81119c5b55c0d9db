/** Long work in short turns, so that the page stays responsive in between. */

/** One frame of a screen that draws 60 times a second. */
const TURN_MS = 16;

export class Turns {
  private started = performance.now();

  isOver(): boolean {
    return performance.now() - this.started > TURN_MS;
  }

  /** Comes back when the page has done what it had to do. */
  async next(): Promise<void> {
    await pageTurn();
    this.started = performance.now();
  }
}

/** A message to oneself, not a timer: browsers hold timers back, most of all in a tab that is not looked at. */
function pageTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
