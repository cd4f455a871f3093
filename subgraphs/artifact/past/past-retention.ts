// Forgets what rules and productions were, once an hour, where the configuration says for how long it is kept.
import type { Logger } from 'pino';
import { forgetPast } from '../../../platform/past/forget-past.ts';
import type { Queryable } from '../../../platform/queryable.ts';

const HOUR_MS = 3_600_000;

/** Returns a function that ends it. */
export function startPastRetention(db: Queryable, days: number, log: Logger): () => Promise<void> {
  let isOver = false;
  const forget = (): Promise<void> =>
    forgetPast(db, 'artifact', days, log, () => !isOver).catch((err: unknown) => {
      log.warn({ err }, 'old past states could not be deleted');
    });
  let last = forget();
  const timer = setInterval(() => {
    last = last.then(forget);
  }, HOUR_MS).unref();
  return async () => {
    isOver = true;
    clearInterval(timer);
    await last;
  };
}
