// How much work is done in one turn of the event loop, counted in pieces and not by a clock.
import { vi } from 'vitest';

/**
 * The most pieces of work that are done in one turn, while the clock goes on a millisecond each time that somebody
 * looks at it. `done` is to say how many pieces are done so far.
 */
export async function mostPerTurn(done: () => number, run: () => Promise<unknown>): Promise<number> {
  let time = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time++);
  let [most, before, isRunning] = [0, done(), true];
  const watch = (): void => {
    most = Math.max(most, done() - before);
    before = done();
    if (isRunning) setImmediate(watch);
  };
  setImmediate(watch);
  try {
    await run();
    watch();
  } finally {
    isRunning = false;
    clock.mockRestore();
  }
  return most;
}
