// SQL of the requesters whose rights a production may use.
import type { Queryable } from '../../../platform/queryable.ts';
import type { RequesterJson } from './production-queue.store.ts';

/** The waiting requesters with their rights, longest wait first. */
export async function listAskers(db: Queryable, id: string): Promise<RequesterJson[]> {
  const { rows } = await db.query<{ asker: RequesterJson }>(
    'SELECT asker FROM artifact.production_waiter WHERE production_id = $1 AND asker IS NOT NULL ORDER BY since, waiter',
    [id],
  );
  return rows.map(({ asker }) => asker);
}

/** Assigns the production to another waiting requester. */
export async function adoptProduction(db: Queryable, id: string, asker: RequesterJson): Promise<void> {
  await db.query('UPDATE artifact.production SET caller = $2, requested_by = $3 WHERE id = $1', [
    id,
    JSON.stringify(asker),
    asker.actor,
  ]);
}
