// SQL of what few changes make stale, where nothing else is to be looked at: it is compared before anything is noted, and
// written only where nobody else has looked meanwhile (docs/decisions/0191-few-changes-are-compared-at-once.md).
import { listed, prepared } from '../../../platform/prepared.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import type { StaleResult } from './listed-marks.store.ts';
import {
  type Finding,
  type Positions,
  RECORDED,
  type Recorded,
  recordedIn,
  type RecordedRow,
  REQUIRED,
} from './stale-results.store.ts';

/**
 * Productions that were made with any of the entities, each of which is looked up by itself, however many of them there are.
 * @param limit of pairs of a production and an entity
 * @returns null where there are more
 */
export async function listMadeWith(
  db: Queryable,
  entityIds: readonly string[],
  limit: number,
): Promise<Recorded[] | null> {
  const { rows } = await db.query<RecordedRow>(
    prepared(
      `SELECT ${RECORDED} FROM unnest(${listed(1)}) AS k(id) CROSS JOIN LATERAL (
         SELECT made.* FROM artifact.production made WHERE jsonb_path_query_array(made.plan, '$.requires[*].entity_id') ? k.id
           AND made.status = 'completed' AND made.runner IS NOT NULL OFFSET 0) p CROSS JOIN ${REQUIRED}
       LIMIT (SELECT $2::int)`,
      [entityIds, limit + 1],
    ),
  );
  if (rows.length > limit) return null;
  return [...new Map(rows.map((row) => [row.id, recordedIn(row)])).values()];
}

/** What marks were in when the look began, and how far it has looked. */
interface Moved {
  readonly from: string;
  readonly to: Positions;
  /** Until when all that has changed was looked at then. */
  readonly until: string;
}

/** What was written of marks, to those that were read before it: all others are as they were. */
export interface Written {
  /** Whether anything is due after it. */
  readonly isDue: boolean;
  /** What marks were in before it, and what they are in now. */
  readonly from: string;
  readonly state: string;
  /** Results that have no mark any more. */
  readonly unmarked: readonly string[];
  /** New ones, in the order in which their results became stale. */
  readonly marked: readonly StaleResult[];
  /** Results whose mark is of this comparison now. */
  readonly kept: readonly string[];
  readonly comparison: string;
}

interface WrittenRow extends Pick<Written, 'isDue' | 'state' | 'unmarked' | 'kept'> {
  readonly marked: readonly string[];
  readonly times: readonly string[];
}

/**
 * Marks results or takes marks away, together with how far was looked. The commit is not waited for: what is lost of it is
 * looked at again.
 * @returns null where anything was looked at, compared, or became due since the look began: then nothing is written
 */
export async function keepChanged(
  db: Queryable,
  { from, to, until }: Moved,
  comparison: string,
  compared: readonly (Finding & { readonly id: string; readonly rule: string | null })[],
): Promise<Written | null> {
  const results = new Map(
    compared.flatMap(({ rule, results: of }) => of.map((one) => [one.entityId, { ...one, rule }] as const)),
  );
  const standing = [...results.values()];
  const { rows } = await db.query<WrittenRow | { isDue: null }>(
    prepared(
      `SELECT w.is_due AS "isDue", w.state, w.unmarked, w.marked, w.kept,
         ARRAY(SELECT ${instantSql("(w.last_since - n * interval '1 microsecond')")} FROM generate_series(cardinality(w.marked) - 1, 0, -1) n) AS times
       FROM artifact.keep_few($1::text, $2::jsonb, $3::timestamptz, $4::uuid, $5::text[], $6::boolean[], $7::text[], $8::text[], $9::text[]) w`,
      [
        from,
        JSON.stringify(to),
        until,
        comparison,
        compared.map(({ id }) => id),
        compared.map(({ isStale }) => isStale),
        standing.map(({ productionId }) => productionId),
        standing.map(({ entityId }) => entityId),
        standing.map(({ entityType }) => entityType),
      ],
    ),
  );
  const [row] = rows;
  if (row === undefined || row.isDue === null) return null;
  const { isDue, state, unmarked, kept, times } = row;
  const marked = row.marked.flatMap((entityId, n) => {
    const one = results.get(entityId);
    return one === undefined ? [] : [{ ...one, since: times[n] ?? '', compared: comparison }];
  });
  return { isDue, from, state, unmarked, kept, marked, comparison };
}

/** All marks as they are now, of all as they were. */
export function marksAfter(
  { unmarked, marked, kept, comparison }: Written,
  before: readonly StaleResult[],
): readonly StaleResult[] {
  const gone = new Set([...unmarked, ...marked.map(({ entityId }) => entityId)]);
  const again = new Set(kept);
  return [
    ...before
      .filter(({ entityId }) => !gone.has(entityId))
      .map((one) => (again.has(one.entityId) ? { ...one, compared: comparison } : one)),
    ...marked,
  ];
}
