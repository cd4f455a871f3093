// SQL of the number of entities at a moment: the nearest stored counts before it, plus the changes in the log
// since.
import type { Queryable } from '../../../platform/queryable.ts';
import type { PageRequest } from '../reading/page-request.ts';
import { visibleSql } from '../reading/visibility.ts';
import { stateOf } from '../reading/states.ts';

/** The only columns that decide: type, project and availability. */
export type Counted = Pick<PageRequest, 'types' | 'availableOnly' | 'identity'> & { readonly at: string };

/** Updates that may have moved an entity to another project; the rows of provenance_moves_idx. */
const MOVES = `p.event_type = 'EntityUpdated' AND ((p.payload -> 'changed_fields')::jsonb ? 'project')`;

/**
 * Stores the present counts with the log's last position and returns their number. Call it under the log's
 * lock, after the writes.
 */
export async function keepCounts(db: Queryable): Promise<number> {
  const { rowCount } =
    await db.query(`INSERT INTO metadata.entity_count_at (position, entity_type, project, is_available, n)
    SELECT (SELECT max(position) FROM metadata.provenance), entity_type, project, is_available, n FROM metadata.entity_count
    ON CONFLICT (position, entity_type, project, is_available) DO NOTHING`);
  return rowCount ?? 0;
}

async function markBefore(db: Queryable, at: string): Promise<string> {
  const { rows } = await db.query<{ position: string | null }>({
    name: 'counts-mark',
    text: 'SELECT max(position) AS position FROM metadata.entity_count_at WHERE position <= $1::bigint',
    values: [at],
  });
  return rows[0]?.position ?? '0';
}

export async function countAt(db: Queryable, counted: Counted): Promise<number> {
  const mark = await markBefore(db, counted.at);
  const values: unknown[] = [];
  const { rows } = await db.query<{ n: string }>(countAtSql(counted, mark, values), values);
  return Number(rows[0]?.n ?? 0);
}

function countAtSql(
  { types, availableOnly, identity, at }: Counted,
  mark: string,
  params: unknown[],
): string {
  const place = (value: unknown, type: string): string => `$${params.push(value)}::${type}`;
  const [from, to] = [place(mark, 'bigint'), place(at, 'bigint')];
  const named = types === null ? null : place(types, 'text[]');
  const typed = (alias: string): string =>
    named === null ? '' : ` AND ${alias}.entity_type = ANY(${named})`;
  const scoped = identity.projects !== '*';
  const shown = `${availableOnly ? 'e.is_available' : 'true'} AND ${visibleSql(identity, 'e', params)}`;
  const kept =
    `SELECT coalesce(sum(k.n), 0) FROM metadata.entity_count_at k WHERE k.position = ${from}${typed('k')}${availableOnly ? ' AND k.is_available' : ''}` +
    (scoped ? ` AND k.project = ANY(${place(['', ...identity.projects], 'text[]')})` : '');
  const touched = (position: string): string =>
    `SELECT count(*) FROM touched t JOIN metadata.entity b ON b.id = t.id AND b.first_event <= ${position} CROSS JOIN ${stateOf(position)} WHERE ${shown}`;
  return `WITH touched AS MATERIALIZED (SELECT DISTINCT p.entity_id AS id FROM metadata.provenance p
      WHERE p.position > ${from} AND p.position <= ${to}${typed('p')} AND (p.event_type IN ('EntityCreated', 'AvailabilityChanged')${scoped ? ` OR ${MOVES}` : ''}))
    SELECT (${kept}) + (${touched(to)}) - (${touched(from)}) AS n`;
}
