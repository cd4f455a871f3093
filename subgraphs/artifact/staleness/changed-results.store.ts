// SQL of what few changes make stale, where nothing else is to be looked at: it is compared before anything is noted, and
// written only where nobody else has looked meanwhile (docs/decisions/0191-few-changes-are-compared-at-once.md).
import { prepared } from '../../../platform/prepared.ts';
import type { Queryable } from '../../../platform/queryable.ts';
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
      `SELECT ${RECORDED} FROM unnest($1::text[]) AS k(id) CROSS JOIN LATERAL (
         SELECT made.* FROM artifact.production made WHERE jsonb_path_query_array(made.plan, '$.requires[*].entity_id') ? k.id
           AND made.status = 'completed' AND made.runner IS NOT NULL OFFSET 0) p CROSS JOIN ${REQUIRED}
       LIMIT $2`,
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
}

/**
 * Marks results or takes marks away, together with how far was looked. The commit is not waited for: what is lost of it is
 * looked at again.
 * @returns whether anything is due after it; null where anything was looked at, compared, or became due since the look began:
 * then nothing is written
 */
export async function keepChanged(
  db: Queryable,
  { from, to }: Moved,
  comparison: string,
  compared: readonly (Finding & { readonly id: string })[],
): Promise<boolean | null> {
  const results = compared.flatMap((one) => one.results);
  const { rows } = await db.query<{ isDue: boolean | null }>(
    prepared(
      'SELECT artifact.keep_changed($1::text, $2::jsonb, $3::uuid, $4::text[], $5::boolean[], $6::text[], $7::text[], $8::text[]) AS "isDue"',
      [
        from,
        JSON.stringify(to),
        comparison,
        compared.map(({ id }) => id),
        compared.map(({ isStale }) => isStale),
        results.map(({ productionId }) => productionId),
        results.map(({ entityId }) => entityId),
        results.map(({ entityType }) => entityType),
      ],
    ),
  );
  return rows[0]?.isDue ?? null;
}
