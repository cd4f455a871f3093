// Forgets what rules and productions were, once an hour, where the configuration says for how long it is kept.
import type { Logger } from 'pino';
import { everyHour } from '../../../platform/hourly.ts';
import { forgetPast } from '../../../platform/past/forget-past.ts';
import type { Queryable } from '../../../platform/queryable.ts';

/** Returns a function that ends it. */
export const startPastRetention = (db: Queryable, days: number, log: Logger): (() => Promise<void>) =>
  everyHour((goesOn) =>
    forgetPast(db, 'artifact', days, log, goesOn).catch((err: unknown) => {
      log.warn({ err }, 'old past states could not be deleted');
    }),
  );
