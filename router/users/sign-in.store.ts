// The statements on gateway.sign_in_failure: attempts are counted before they are checked, so that concurrent
// attempts all count.
import type { Queryable } from '../../platform/queryable.ts';

/** Minutes after its first failure during which a subject's failures count. */
const WINDOW = 15;

/** Counts an attempt of each subject as a failure, and returns the current counts by position. */
async function countAttempt(db: Queryable, subjects: readonly Buffer[]): Promise<readonly number[]> {
  const { rows } = await db.query<{ subject: Buffer; failures: number }>(
    `INSERT INTO gateway.sign_in_failure AS f (subject, failures, since) SELECT subject, 1, now() FROM unnest($1::bytea[]) AS s (subject) ORDER BY subject
     ON CONFLICT (subject) DO UPDATE SET failures = CASE WHEN f.since < now() - interval '${WINDOW} minutes' THEN 1 ELSE f.failures + 1 END,
       since = CASE WHEN f.since < now() - interval '${WINDOW} minutes' THEN now() ELSE f.since END
     RETURNING subject, failures`,
    [subjects],
  );
  return subjects.map((subject) => rows.find((row) => row.subject.equals(subject))?.failures ?? 0);
}

/** Uncounts an attempt that succeeded. */
async function forgiveAttempt(db: Queryable, subjects: readonly Buffer[]): Promise<void> {
  await db.query(
    `UPDATE gateway.sign_in_failure SET failures = failures - 1 WHERE subject = ANY ($1::bytea[]) AND failures > 0`,
    [subjects],
  );
}

async function sweepAttempts(db: Queryable): Promise<void> {
  await db.query(`DELETE FROM gateway.sign_in_failure WHERE since < now() - interval '${WINDOW} minutes'`);
}

export const createSignInStore = (db: Queryable) => ({
  count: (subjects: readonly Buffer[]) => countAttempt(db, subjects),
  forgive: (subjects: readonly Buffer[]) => forgiveAttempt(db, subjects),
  sweep: () => sweepAttempts(db),
});
export type SignInStore = ReturnType<typeof createSignInStore>;
