// SQL of the types whose stored instants have been converted.
import type { Queryable } from '../../../platform/queryable.ts';

export async function typesKept(db: Queryable): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ entity_type: string }>('SELECT entity_type FROM metadata.instants_kept');
  return new Set(rows.map((row) => row.entity_type));
}

export async function markKept(db: Queryable, entityType: string): Promise<void> {
  await db.query(
    'INSERT INTO metadata.instants_kept (entity_type) VALUES ($1) ON CONFLICT (entity_type) DO NOTHING',
    [entityType],
  );
}
