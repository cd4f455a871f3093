// What a process does by itself writes: triggers, productions, the first key. A process that was started with a standby
// does it from when the standby is promoted (docs/operations.md#standbys).
import type { Logger } from 'pino';
import { isStandby } from '../../platform/database/standby.ts';
import type { Queryable } from '../../platform/queryable.ts';

const LOOK_MS = 2000;

/** Resolves when `work` is done, or waits for a promotion. Returns what ends the wait, or work under way. */
export async function whenPromoted(
  db: Queryable,
  work: () => Promise<void>,
  log: Logger,
): Promise<() => Promise<void>> {
  if (!(await isStandby(db))) {
    await work();
    return () => Promise.resolve();
  }
  let last: Promise<void> = Promise.resolve();
  let isEnded = false;
  const look = async (): Promise<void> => {
    try {
      if (await isStandby(db)) return;
      await work();
      clearInterval(timer);
      log.info('the database was promoted: this process writes now');
    } catch (err) {
      log.warn({ err }, 'what follows the promotion of the database is tried again');
    }
  };
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking || isEnded) return;
    isLooking = true;
    last = look().finally(() => {
      isLooking = false;
    });
  }, LOOK_MS).unref();
  return async () => {
    isEnded = true;
    clearInterval(timer);
    await last;
  };
}
