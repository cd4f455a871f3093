// Deletes expired rows once an hour, in one of all processes.
import type { Logger } from 'pino';
import type { Queryable } from '../../../platform/queryable.ts';
import type { JobKind } from '../jobs/start-jobs.ts';
import { forgetPast } from '../../../platform/past/forget-past.ts';
import { forget, type Kept } from './retention.store.ts';

/** Retention in days. */
export type Retention = Readonly<Record<Kept | 'past', number>>;

const HOUR_MS = 3_600_000;
const ALL: readonly Kept[] = ['runs', 'firings', 'observations', 'deliveries'];

export function retentionJobs(db: Queryable, retention: Retention, log: Logger): JobKind {
  const forgetRecords = async (what: Kept): Promise<void> => {
    const gone = await forget(db, what, retention[what]);
    if (gone > 0)
      log.info(
        { what, gone, days: retention[what] },
        'records beyond the configured retention period were deleted',
      );
  };
  return {
    name: 'forget',
    keys: ['old'],
    async perform(_, clock) {
      const work = [
        ...ALL.map((what) => () => forgetRecords(what)),
        () => forgetPast(db, 'workflow', retention.past, log),
      ];
      const faults: unknown[] = [];
      // one after the other, and what fails keeps nothing else
      for (const each of work)
        await each().catch((error: unknown) => {
          faults.push(error);
        });
      if (faults.length > 0)
        throw new AggregateError(faults, `retention failed: ${faults.map(String).join('; ')}`);
      return new Date(clock.now() + HOUR_MS);
    },
  };
}
