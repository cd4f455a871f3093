// SQL of the results that are stale, and of what must be compared again (docs/decisions/0163-stale-results-are-marked.md).
import type { Projects } from '../../../platform/identity.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import { PRODUCTION_VISIBLE } from '../productions/productions.store.ts';

/** Entity types, each with the time of the last change that was looked at. */
export type Positions = Readonly<Record<string, string>>;

export async function findPositions(db: Queryable): Promise<Positions> {
  const { rows } = await db.query<{ positions: Positions }>('SELECT positions FROM artifact.staleness_basis');
  return rows[0]?.positions ?? {};
}

/** The same, for one transaction at a time: whoever writes marks has it. */
export async function lockPositions(db: Queryable): Promise<Positions> {
  const { rows } = await db.query<{ positions: Positions }>(
    'SELECT positions FROM artifact.staleness_basis FOR UPDATE',
  );
  return rows[0]?.positions ?? {};
}

export async function keepPosition(db: Queryable, entityType: string, until: string): Promise<void> {
  await db.query(
    'UPDATE artifact.staleness_basis SET positions = positions || jsonb_build_object($1::text, $2::text)',
    [entityType, until],
  );
}

/** The database's time. */
export async function findClock(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ now: string }>(`SELECT ${instantSql('clock_timestamp()')} AS now`);
  return rows[0]?.now ?? '';
}

/** All that had changed until then was looked at. */
export async function noteComplete(db: Queryable, until: string): Promise<void> {
  await db.query('UPDATE artifact.staleness_basis SET complete_at = greatest(complete_at, $1::timestamptz)', [
    until,
  ]);
}

export async function findComplete(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ until: string | null }>(
    `SELECT ${instantSql('complete_at')} AS until FROM artifact.staleness_basis`,
  );
  return rows[0]?.until ?? null;
}

/** Projects whose members alone see the production `p`, which has ended: as {@link PRODUCTION_VISIBLE} has it. */
const PROJECTS_NAMED = 'ARRAY(SELECT artifact.production_projects(p.criteria, p.plan))';

const DUE_AGAIN = `ON CONFLICT (kind, id) DO UPDATE SET stamp = gen_random_uuid()`;

/**
 * Results that were made with any of the entities are compared again. Each entity is looked up by itself: for many of them
 * together PostgreSQL would read all productions.
 */
export async function makeDependantsDue(db: Queryable, entityIds: readonly string[]): Promise<void> {
  if (entityIds.length === 0) return;
  await db.query(
    `INSERT INTO artifact.staleness_due (kind, id)
     SELECT DISTINCT 'production', p.id FROM unnest($1::text[]) AS k(id) JOIN artifact.production p ON jsonb_path_query_array(p.plan, '$.requires[*].entity_id') ? k.id
     WHERE p.status = 'completed' AND p.runner IS NOT NULL ORDER BY 2 ${DUE_AGAIN}`,
    [entityIds],
  );
}

/**
 * A time before anything was asked for that rules with any of these texts make, or now: with a minute for what is being
 * committed.
 * @param newest when anything of the type had changed last, by the clock that stamps changes: it may be behind this one
 */
export async function findBeginning(db: Queryable, refs: readonly string[], newest: string): Promise<string> {
  const { rows } = await db.query<{ from: string }>(
    `SELECT ${instantSql(`(least(clock_timestamp(), $2::timestamptz,
       (SELECT min(p.requested_at) FROM artifact.production p WHERE p.status IN ('queued', 'running')),
       (SELECT min(p.requested_at) FROM artifact.production p WHERE p.status = 'completed' AND p.runner IS NOT NULL AND p.rule = ANY(ARRAY(
         SELECT r.name || '@' || r.version FROM artifact.rule r WHERE jsonb_path_query_array(r.definition, '$.requires[*].ref') ?| $1::text[])))) - interval '1 minute')`)} AS from`,
    [refs, newest],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database tells no time');
  return row.from;
}

/** Results that these versions of rules made are compared again. */
export async function makeMadeByDue(
  db: Queryable,
  rules: readonly { readonly rule: string; readonly entityType: string }[],
): Promise<void> {
  await db.query(
    `INSERT INTO artifact.staleness_due (kind, id)
     SELECT 'production', p.id FROM artifact.production p JOIN unnest($1::text[], $2::text[]) AS r(rule, entity_type) ON (p.rule, p.entity_type) = (r.rule, r.entity_type)
     WHERE p.status = 'completed' AND p.runner IS NOT NULL ORDER BY p.id ${DUE_AGAIN}`,
    [rules.map(({ rule }) => rule), rules.map(({ entityType }) => entityType)],
  );
}

export interface Due {
  readonly kind: 'production' | 'rule';
  /** Of a production, or the name of a rule. */
  readonly id: string;
  readonly isNew: boolean;
  readonly stamp: string;
}

/** What has been due for longest, without those with these stamps. */
export async function listDue(db: Queryable, without: readonly string[], limit: number): Promise<Due[]> {
  const { rows } = await db.query<Due>(
    `SELECT kind, id, is_new AS "isNew", stamp::text AS stamp FROM artifact.staleness_due
     WHERE stamp <> ALL($1::uuid[]) ORDER BY since, kind, id LIMIT $2`,
    [without, limit],
  );
  return rows;
}

/** Those of them that have not become due again since: for these alone what was found may be written. */
export async function settleDue(db: Queryable, due: readonly Due[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>(
    `DELETE FROM artifact.staleness_due d USING unnest($1::text[], $2::text[], $3::uuid[]) AS k(kind, id, stamp)
     WHERE (d.kind, d.id, d.stamp) = (k.kind, k.id, k.stamp) RETURNING d.id`,
    [due.map(({ kind }) => kind), due.map(({ id }) => id), due.map(({ stamp }) => stamp)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** What a production has made that is still its result. */
export interface Result {
  readonly entityId: string;
  readonly entityType: string;
  readonly productionId: string;
}

/**
 * Times do not go back with the clock: the lock of {@link lockPositions} is held.
 * @returns the ids of those that were not stale before, or were made by another production
 */
export async function markStale(
  db: Queryable,
  results: readonly Result[],
  compared: string,
): Promise<string[]> {
  if (results.length === 0) return [];
  const { rows } = await db.query<{ id: string }>(
    `WITH last AS (
       UPDATE artifact.staleness_basis SET marked_at = greatest(clock_timestamp(), marked_at, (SELECT max(since) FROM artifact.stale_result)) + cardinality($1::text[]) * interval '1 microsecond'
       RETURNING marked_at - cardinality($1::text[]) * interval '1 microsecond' AS since)
     INSERT INTO artifact.stale_result AS s (entity_id, entity_type, production_id, since, projects, rule, compared)
     SELECT k.entity_id, k.entity_type, k.production_id, last.since + k.n * interval '1 microsecond', ${PROJECTS_NAMED}, p.rule, $4::uuid
     FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS k(entity_id, entity_type, production_id, n)
     CROSS JOIN last JOIN artifact.production p ON p.id = k.production_id
     ON CONFLICT (entity_id) DO UPDATE SET production_id = excluded.production_id, entity_type = excluded.entity_type, since = excluded.since,
       projects = excluded.projects, rule = excluded.rule, compared = excluded.compared
       WHERE s.production_id <> excluded.production_id
     RETURNING s.entity_id AS id`,
    [
      results.map(({ entityId }) => entityId),
      results.map(({ entityType }) => entityType),
      results.map(({ productionId }) => productionId),
      compared,
    ],
  );
  const ids = new Set(rows.map(({ id }) => id));
  const others = results.filter(({ entityId }) => !ids.has(entityId));
  if (others.length > 0)
    await db.query('UPDATE artifact.stale_result SET compared = $2 WHERE entity_id = ANY($1::text[])', [
      others.map(({ entityId }) => entityId),
      compared,
    ]);
  return [...ids];
}

/** @returns the ids of those that were stale before */
export async function unmark(
  db: Queryable,
  productions: readonly string[],
  entityIds: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'DELETE FROM artifact.stale_result WHERE production_id = ANY($1::text[]) OR entity_id = ANY($2::text[]) RETURNING entity_id AS id',
    [productions, entityIds],
  );
  return rows.map(({ id }) => id);
}

/** Those of the entities that are stale results. */
export async function findStaleAmong(
  db: Queryable,
  entityIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (entityIds.length === 0) return new Set();
  const { rows } = await db.query<{ id: string }>(
    'SELECT entity_id AS id FROM artifact.stale_result WHERE entity_id = ANY($1::text[])',
    [entityIds],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface StaleResult extends Result {
  /** Grows in the order in which results became stale. */
  readonly since: string;
  readonly rule: string | null;
  /** By which comparison it was found to be stale last. */
  readonly compared: string | null;
}

export interface StaleWanted {
  readonly types: readonly string[] | null;
  /** `name@n`, or a plain name for all its versions. */
  readonly rule: string | null;
  /** Only those that became stale later. */
  readonly after: string | null;
}

/**
 * The next of them in the order in which they became stale, without those of productions of other projects: the mark says
 * which these are, so that those are not opened.
 */
export async function listStaleResults(
  db: Queryable,
  projects: Projects,
  { types, rule, after }: StaleWanted,
  limit: number,
): Promise<StaleResult[]> {
  const { rows } = await db.query<StaleResult>(
    `SELECT s.entity_id AS "entityId", s.entity_type AS "entityType", s.production_id AS "productionId", coalesce(s.rule, p.rule) AS rule, ${instantSql('s.since')} AS since, s.compared::text AS compared
     FROM artifact.stale_result s LEFT JOIN artifact.production p ON s.projects IS NULL AND p.id = s.production_id
     WHERE CASE WHEN s.projects IS NULL THEN p.id IS NOT NULL AND ${PRODUCTION_VISIBLE} ELSE $1::text[] IS NULL OR s.projects <@ $1::text[] END
       AND ($2::text[] IS NULL OR s.entity_type = ANY($2::text[])) AND ($3::timestamptz IS NULL OR s.since > $3::timestamptz)
       AND ($5::text IS NULL OR coalesce(s.rule, p.rule) = $5::text OR starts_with(coalesce(s.rule, p.rule), $5::text || '@'))
     ORDER BY s.since LIMIT $4`,
    [projectList(projects), types, after, limit, rule],
  );
  return rows;
}
