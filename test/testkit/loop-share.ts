// How work is spread over the event loop, said without a clock's limits: by the part of it that is longest.
import { setImmediate as othersTurn } from 'node:timers/promises';

/**
 * The longest time for which others had to wait, as a share of all the time for which the loop was busy: 1
 * where the work is done in one go, however fast this machine is.
 */
export async function loopShare(run: () => Promise<unknown>): Promise<number> {
  const NOTICED_MS = 1;
  let [longest, busy, isRunning] = [0, 0, true];
  const watching = (async () => {
    while (isRunning) {
      const { active: before } = performance.eventLoopUtilization();
      await othersTurn();
      const took = performance.eventLoopUtilization().active - before;
      if (took < NOTICED_MS) continue;
      longest = Math.max(longest, took);
      busy += took;
    }
  })();
  try {
    await run();
  } finally {
    isRunning = false;
    await watching;
  }
  return busy === 0 ? 0 : longest / busy;
}
