// SQL of metadata's gauges: the end of an index, and counts that are kept.
import type { Queryable } from '../../../platform/queryable.ts';

export interface LogState {
  readonly position: number;
  readonly entities: number;
}

export async function readLogState(db: Queryable): Promise<LogState> {
  const { rows } = await db.query<LogState>({
    name: 'metrics-log-state',
    text: `SELECT coalesce((SELECT max(position) FROM metadata.provenance), 0)::float8 AS position,
      coalesce((SELECT sum(n) FROM metadata.entity_count WHERE is_available), 0)::float8 AS entities`,
  });
  return rows[0] ?? { position: 0, entities: 0 };
}
