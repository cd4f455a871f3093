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

/** Productions in progress that the requester waits for. */
export async function listAwaited(db: Queryable, waiter: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT w.production_id AS id FROM artifact.production_waiter w JOIN artifact.production p ON p.id = w.production_id
     WHERE w.waiter = $1 AND p.status IN ('queued', 'running')`,
    [waiter],
  );
  return rows.map(({ id }) => id);
}
