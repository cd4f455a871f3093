// SQL of the requesters that wait for productions: a production without any is cancelled.
import type { Queryable } from '../../../platform/queryable.ts';
import type { RequesterJson } from './production-queue.store.ts';

/** A repeated request updates the rights. */
export async function addWaiter(
  db: Queryable,
  id: string,
  waiter: string,
  asker: RequesterJson,
): Promise<void> {
  await db.query(
    'INSERT INTO artifact.production_waiter (production_id, waiter, asker) VALUES ($1, $2, $3) ON CONFLICT (production_id, waiter) DO UPDATE SET asker = excluded.asker',
    [id, waiter, JSON.stringify(asker)],
  );
}

/**
 * Removes one waiter and locks the production until the end of the transaction.
 * @returns how many are left
 */
export async function removeWaiter(db: Queryable, id: string, waiter: string): Promise<number> {
  await db.query('SELECT 1 FROM artifact.production WHERE id = $1 FOR UPDATE', [id]);
  await db.query('DELETE FROM artifact.production_waiter WHERE production_id = $1 AND waiter = $2', [
    id,
    waiter,
  ]);
  return countWaiters(db, id);
}

export async function countWaiters(db: Queryable, id: string): Promise<number> {
  const { rows } = await db.query<{ waiters: number }>(
    'SELECT count(*)::int AS waiters FROM artifact.production_waiter WHERE production_id = $1',
    [id],
  );
  return rows[0]?.waiters ?? 0;
}

/** Those that waited at an instant: each is as it was before the first change since, or as it is now. */
export async function countPastWaiters(db: Queryable, id: string, asOf: string): Promise<number> {
  const { rows } = await db.query<{ waiters: number }>(
    `WITH changed AS (SELECT DISTINCT ON (s.key) s.key, s.state IS NOT NULL AS waited FROM artifact.past_state s
       WHERE s.relation = 'production_waiter' AND s.key >= $1 || ' ' COLLATE "C" AND s.key < $1 || '!' COLLATE "C" AND s.until > $2::timestamptz
       ORDER BY s.key, s.until, s.id)
     SELECT ((SELECT count(*) FROM changed WHERE waited)
       + (SELECT count(*) FROM artifact.production_waiter w WHERE w.production_id = $1 AND NOT EXISTS (
           SELECT FROM changed c WHERE c.key = ($1 || ' ' || w.waiter) COLLATE "C")))::int AS waiters`,
    [id, asOf],
  );
  return rows[0]?.waiters ?? 0;
}

/** Productions in progress that the requester waits for. */
export async function listAwaited(db: Queryable, waiter: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT w.production_id AS id FROM artifact.production_waiter w JOIN artifact.production p ON p.id = w.production_id
     WHERE w.waiter = $1 AND p.status IN ('queued', 'running')`,
    [waiter],
  );
  return rows.map(({ id }) => id);
}
