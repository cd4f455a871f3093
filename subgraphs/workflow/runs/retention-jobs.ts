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

export const retentionJobs = (db: Queryable, retention: Retention, log: Logger): JobKind => ({
  name: 'forget',
  keys: ['old'],
  async perform(_, clock) {
    for (const what of ALL) {
      const gone = await forget(db, what, retention[what]);
      if (gone > 0)
        log.info(
          { what, gone, days: retention[what] },
          'records beyond the configured retention period were deleted',
        );
    }
    await forgetPast(db, 'workflow', retention.past, log);
    return new Date(clock.now() + HOUR_MS);
  },
});
