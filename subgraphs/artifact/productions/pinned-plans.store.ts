// SQL of what productions of a refresh were planned with.
import type { LeasedJob } from '../../../platform/lease-queue/queue-table.store.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { Pin } from '../planning/pinned-plan.ts';

export async function keepPin(db: Queryable, production: string, pin: Pin): Promise<void> {
  await db.query('INSERT INTO artifact.pinned_plan (production_id, pin) VALUES ($1, $2)', [
    production,
    JSON.stringify(pin),
  ]);
}

/** Null for a production that uses what there is when it begins. */
export async function findPin(db: Queryable, production: string): Promise<Pin | null> {
  const { rows } = await db.query<{ pin: Pin }>(
    'SELECT pin FROM artifact.pinned_plan WHERE production_id = $1',
    [production],
  );
  return rows[0]?.pin ?? null;
}

/** Somebody who has seen no plan waits for it as well: from now on it uses what there is. The production is locked. */
export async function forgetPin(db: Queryable, production: string): Promise<void> {
  await db.query('DELETE FROM artifact.pinned_plan WHERE production_id = $1', [production]);
}

/** Whether it is kept to its plan still; until the transaction ends nobody joins it. */
export async function isPinned(db: Queryable, { id }: LeasedJob): Promise<boolean> {
  await db.query('SELECT FROM artifact.production WHERE id = $1 FOR UPDATE', [id]);
  return (await findPin(db, id)) !== null;
}
