// Forgets what rows of a component were before a number of days (docs/decisions/0166-how-long-the-past-is-kept.md).
import type { Logger } from 'pino';
import type { Queryable } from '../queryable.ts';
import { forgetPastStates, type PastSchema } from './past.store.ts';

/** States of one statement, so that nobody waits for it. */
const AT_ONCE = 5000;

/**
 * What earlier calls have announced is deleted, then the next instant is announced: from it on reads as of a time are
 * answered. Several processes may do so at once.
 */
export async function forgetPast(
  db: Queryable,
  schema: PastSchema,
  days: number,
  log: Logger,
  goesOn: () => boolean = () => true,
): Promise<void> {
  let states = 0;
  for (let gone = AT_ONCE; gone === AT_ONCE && goesOn(); states += gone)
    gone = await forgetPastStates(db, schema, days, AT_ONCE);
  if (states > 0)
    log.info(
      { what: `past of ${schema}`, gone: states, days },
      'past states beyond the configured retention period were deleted',
    );
}
