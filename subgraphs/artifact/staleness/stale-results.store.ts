// SQL of the results that are stale, and of what must be compared again (docs/decisions/0163-stale-results-are-marked.md).
import { prepared } from '../../../platform/prepared.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import { RULE_REVISION } from '../planning/candidates.store.ts';
import type { ComparedProduction } from '../productions/production.ts';
import type { RecordedPlan } from './input-changes.ts';

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

/** What a look begins with. */
export interface StaleBasis {
  readonly now: string;
  readonly positions: Positions;
  /** Of the rules. */
  readonly revision: string;
  readonly isDue: boolean;
  /** Of all of them but the time, and of when marks were written last: where it is the same, they are, too. */
  readonly state: string;
}

/** Of the one row of `b`, of `r`, the revision of the rules, and of `d`, whether anything is due: read once. */
export const STATE = 'artifact.staleness_state(b.positions, b.marked_at, r.revision, d.is_due)';
export const STATE_FROM = `artifact.staleness_basis b CROSS JOIN artifact.rule_revision r
       CROSS JOIN (SELECT EXISTS (SELECT FROM artifact.staleness_due) AS is_due OFFSET 0) d`;

/** At one time: nothing that was committed before it is missing. */
export async function findBasis(db: Queryable): Promise<StaleBasis> {
  const { rows } = await db.query<StaleBasis>(
    prepared(
      `SELECT ${instantSql('statement_timestamp()')} AS now, b.positions, ${RULE_REVISION} AS revision, d.is_due AS "isDue", ${STATE} AS state FROM ${STATE_FROM}`,
      [],
    ),
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database does not tell how far was looked');
  return row;
}

/**
 * Its commit is on the disk with the next one that is waited for: what is lost before is looked at once more.
 */
const LATER_ON_DISK = `later AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

/** All that had changed until then was looked at. */
export async function noteComplete(db: Queryable, until: string): Promise<void> {
  await db.query(
    prepared(
      `WITH ${LATER_ON_DISK} UPDATE artifact.staleness_basis SET complete_at = greatest(complete_at, $1::timestamptz) FROM later`,
      [until],
    ),
  );
}

export async function findComplete(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ until: string | null }>(
    `SELECT ${instantSql('complete_at')} AS until FROM artifact.staleness_basis`,
  );
  return rows[0]?.until ?? null;
}

const DUE_AGAIN = `ON CONFLICT (kind, id) DO UPDATE SET stamp = gen_random_uuid()`;

/**
 * Advances the position of a type, unless somebody else has, and makes due what was made with any of the entities. Each
 * entity is looked up by itself: for many of them together PostgreSQL would read all productions. What was made after this
 * statement began is due by itself.
 * @returns false where somebody else has
 */
export async function noteChanged(
  db: Queryable,
  { entityType, from, until }: { readonly entityType: string; readonly from: string; readonly until: string },
  entityIds: readonly string[],
): Promise<boolean> {
  const { rows } = await db.query(
    prepared(
      `WITH ${LATER_ON_DISK},
     moved AS (
       UPDATE artifact.staleness_basis SET positions = positions || jsonb_build_object($1::text, $3::text) WHERE positions ->> $1::text = $2::text RETURNING id),
     noted AS (
       INSERT INTO artifact.staleness_due (kind, id)
       SELECT DISTINCT 'production', p.id FROM unnest($4::text[]) AS k(id) JOIN artifact.production p ON jsonb_path_query_array(p.plan, '$.requires[*].entity_id') ? k.id
       WHERE EXISTS (SELECT FROM moved) AND p.status = 'completed' AND p.runner IS NOT NULL ORDER BY 2 ${DUE_AGAIN})
     SELECT moved.id FROM moved CROSS JOIN later`,
      [entityType, from, until, entityIds],
    ),
  );
  return rows.length > 0;
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

interface DueRow {
  readonly kind: 'production' | 'rule';
  /** Of a production, or the name of a rule. */
  readonly id: string;
  readonly isNew: boolean;
  readonly stamp: string;
}

/** A production, with what comparing it takes. */
export interface Recorded {
  readonly production: ComparedProduction;
  readonly plan: RecordedPlan;
  /** Entities that it has made and nothing else has made again since. */
  readonly standing: readonly string[];
  /** Versions of the entities that it was given. */
  readonly given: readonly string[];
  /** Of the entities that it required those that are stale results. */
  readonly stale: readonly string[];
  /** Whether any production made something of what it required. */
  readonly isOfMade: boolean;
}

export interface Due extends DueRow {
  /** Null for a rule, and where there is no such production. */
  readonly recorded: Recorded | null;
}

/** No other production is known to have made it, and none later; without OFFSET 0 all later ones would be read. */
const STANDING = `NOT EXISTS (SELECT FROM artifact.entity_identity i WHERE i.entity_id = e.id AND i.production_id <> p.id)
  AND NOT EXISTS (SELECT FROM (SELECT b.id, b.requested_at FROM artifact.production b WHERE b.entity_ids @> ARRAY[e.id] OFFSET 0) o
    WHERE (o.requested_at, o.id) > (p.requested_at, p.id) AND NOT EXISTS (SELECT FROM artifact.entity_identity i WHERE i.entity_id = e.id AND i.production_id <> o.id))`;

/**
 * What comparing takes of productions `p`, and nothing else: of many of them each column takes its time. The ids of what it
 * required are those of {@link REQUIRED}.
 */
export const RECORDED = `p.id, p.entity_type AS "entityType", p.rule, p.parameters, p.inputs, p.produced, p.input_files AS "inputFiles", p.images, NULL::text AS "asOf",
       p.plan ->> 'workflow_hash' AS "workflowHash", p.plan -> 'criteria' AS criteria, p.plan -> 'bindings' AS bindings, q.required,
       ARRAY(SELECT e.id FROM unnest(p.entity_ids) AS e(id) WHERE ${STANDING}) AS standing,
       ARRAY(SELECT c.cause FROM artifact.production_cause c WHERE c.production_id = p.id AND c.role = 'input') AS given,
       ARRAY(SELECT s.entity_id FROM artifact.stale_result s WHERE s.entity_id = ANY(q.required)) AS stale,
       EXISTS (SELECT FROM artifact.production o WHERE o.entity_ids && q.required) AS "isOfMade"`;
export const REQUIRED = `LATERAL (SELECT ARRAY(SELECT r.id #>> '{}' FROM jsonb_path_query(p.plan, '$.requires[*].entity_id') AS r(id) WHERE r.id <> 'null') AS required OFFSET 0) q`;
export type RecordedRow = ComparedProduction & RecordedPlan & Omit<Recorded, 'production' | 'plan'>;
export const recordedIn = ({
  workflowHash,
  criteria,
  bindings,
  required,
  standing,
  given,
  stale,
  isOfMade,
  ...production
}: RecordedRow): Recorded => ({
  production,
  plan: { workflowHash, criteria, bindings, required },
  standing,
  given,
  stale,
  isOfMade,
});

/** What has been due for longest, without those with these stamps. */
export async function listDue(db: Queryable, without: readonly string[], limit: number): Promise<Due[]> {
  const { rows } = await db.query<(RecordedRow | { readonly id: null }) & { readonly due: DueRow }>(
    prepared(
      `SELECT jsonb_build_object('kind', d.kind, 'id', d.id, 'isNew', d.is_new, 'stamp', d.stamp) AS due, ${RECORDED}
     FROM (SELECT * FROM artifact.staleness_due WHERE stamp <> ALL($1::uuid[]) ORDER BY since, kind, id LIMIT $2) d
     LEFT JOIN artifact.production p ON d.kind = 'production' AND p.id = d.id LEFT JOIN ${REQUIRED} ON true ORDER BY d.since, d.kind, d.id`,
      [without, limit],
    ),
  );
  return rows.map(({ due, ...row }) => ({ ...due, recorded: row.id === null ? null : recordedIn(row) }));
}

/** Those of them that have not become due again since: for these alone what was found may be written. */
export async function settleDue(db: Queryable, due: readonly DueRow[]): Promise<ReadonlySet<string>> {
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

/** What was found of a production. */
export interface Finding {
  readonly isStale: boolean;
  readonly results: readonly Result[];
}

/** Of one that was due. */
export interface Compared extends Finding {
  readonly due: Pick<DueRow, 'id' | 'stamp' | 'isNew'>;
}

/**
 * Marks results or takes marks away, in one transaction, and makes due what was made of those whose mark has come or gone.
 * What has become due again since is left as it is.
 * @returns whether anything is due after it
 */
export async function keepCompared(
  db: Queryable,
  comparison: string,
  compared: readonly Compared[],
): Promise<boolean> {
  const results = compared.flatMap((one) => one.results);
  const { rows } = await db.query<{ isDue: boolean }>(
    prepared(
      'SELECT artifact.keep_compared($1::uuid, $2::text[], $3::uuid[], $4::boolean[], $5::boolean[], $6::text[], $7::text[], $8::text[]) AS "isDue"',
      [
        comparison,
        compared.map(({ due }) => due.id),
        compared.map(({ due }) => due.stamp),
        compared.map(({ due }) => due.isNew),
        compared.map(({ isStale }) => isStale),
        results.map(({ productionId }) => productionId),
        results.map(({ entityId }) => entityId),
        results.map(({ entityType }) => entityType),
      ],
    ),
  );
  return rows[0]?.isDue ?? true;
}
