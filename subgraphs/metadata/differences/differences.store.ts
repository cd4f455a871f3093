// SQL of what changed between two positions of the log: found by the log's index over positions, and each entity's own
// events, so that it costs what changed between them, whatever else there is.
import type { Queryable } from '../../../platform/queryable.ts';
import { joined, type PageScope, place, typeSql, whereSql } from '../entities/page-parts.ts';
import { eventsFor } from '../entities/page-sql.ts';
import { eventsAt, stateOf } from '../reading/states.ts';
import { withinTime } from '../within-time.ts';

/** A set of entities at two positions, of which either may be the earlier. */
export interface ComparedSets {
  readonly scope: PageScope;
  readonly from: string;
  readonly to: string;
}

/** A part of the log between them. */
export interface LogSpan {
  /** The position after which it begins, and the one with which it ends. */
  readonly after: string;
  readonly upto: string;
  /** As many entities at most. */
  readonly limit: number;
}

/** An entity with events between the positions. */
export interface ChangedEntity {
  /** Of its first event after the earlier one. */
  readonly position: string;
  readonly id: string;
  /** Whether the set has it at `from`, and at `to`, as far as the database decides. */
  readonly was: boolean;
  readonly is: boolean;
  /** Whether it has other data, or another availability. */
  readonly differs: boolean;
}

/** The state at the position if it is in the set. A limit keeps it a look-up for each entity. */
function memberSql({ scope }: ComparedSets, at: string, params: unknown[]): string {
  const events = eventsFor(scope, eventsAt(at));
  return `LATERAL (SELECT e.id, e.data, e.is_available FROM ${stateOf(at)}${events} WHERE b.first_event <= ${at} AND ${whereSql(scope, params)} LIMIT 1)`;
}

/** Entities of the span in the order of their first events, also those that do not differ. */
export async function changedEntities(
  db: Queryable,
  sets: ComparedSets,
  { after, upto, limit }: LogSpan,
): Promise<readonly ChangedEntity[]> {
  const values: unknown[] = [];
  const [from, to] = [sets.from, sets.to].map((position) => place(values, position, 'bigint'));
  if (from === undefined || to === undefined) throw new Error('a position was not placed');
  const span = joined([
    `p.position > ${place(values, after, 'bigint')}`,
    `p.position <= ${place(values, upto, 'bigint')}`,
    'p.entity_id IS NOT NULL',
    ...typeSql(sets.scope.types, 'p', values),
    // a subquery with a limit is looked up by the index, where a join could read the whole log
    `p.position = (SELECT f.position FROM metadata.provenance f WHERE f.entity_id = p.entity_id AND f.position > least(${from}, ${to}) ORDER BY f.position LIMIT 1)`,
  ]);
  const text = `SELECT k.position::text, b.id, x.id IS NOT NULL AS was, y.id IS NOT NULL AS is,
      x.data IS DISTINCT FROM y.data OR x.is_available IS DISTINCT FROM y.is_available AS differs
    FROM (SELECT p.position, p.entity_id FROM metadata.provenance p WHERE ${span} ORDER BY p.position LIMIT ${Math.trunc(limit)}) k
    CROSS JOIN LATERAL (SELECT b.* FROM metadata.entity b WHERE b.id = k.entity_id LIMIT 1) b
    LEFT JOIN ${memberSql(sets, from, values)} x ON true
    LEFT JOIN ${memberSql(sets, to, values)} y ON true
    ORDER BY k.position`;
  const { rows } = await withinTime(db.query<ChangedEntity>({ text, values }));
  return rows;
}
