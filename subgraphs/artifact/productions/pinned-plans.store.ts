// SQL of what productions of a refresh were planned with.
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
