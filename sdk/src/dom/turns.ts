/** Long work in short turns, so that the page stays responsive in between. */

/** One frame of a screen that draws 60 times a second. */
const TURN_MS = 16;

/** Runs `work` to its end; where it stops and a turn is over, the page does first what it has to do. */
export async function inTurns(work: Generator<void>): Promise<void> {
  let started = performance.now();
  while (work.next().done !== true) {
    if (performance.now() - started > TURN_MS) {
      await pageTurn();
      started = performance.now();
    }
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
