// SQL of causal chains: productions, what they were made for and with, and their files. Each statement answers for all
// asked nodes together.
import type { EntityVersion, LinkQuestion } from '../../../platform/causal-links.ts';
import type { Identity } from '../../../platform/identity.ts';
import { listed, prepared } from '../../../platform/prepared.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import { productionsAt } from '../past/past-productions.ts';
import { PRODUCTION_VISIBLE } from '../productions/productions.store.ts';

/** What came about until an instant, and as it was then as far as past states are kept. */
export interface Bounds extends Pick<LinkQuestion, 'limit' | 'skip' | 'asOf'> {
  /** Whether past states of the instant are kept. */
  readonly isKept: boolean;
}
type Seer = Pick<Identity, 'projects' | 'actor'>;

/** Productions as `p`, and the table `b` by which they are found. */
export const productionRows = ({ asOf, isKept }: Pick<Bounds, 'asOf' | 'isKept'>, parameter = '$3'): string =>
  productionsAt(isKept ? asOf : null, parameter);

/** What changed since is not told where it is not known. */
const columns = ({ asOf, isKept }: Pick<Bounds, 'asOf' | 'isKept'>): string => {
  const then = (column: string): string => (asOf === null || isKept ? `p.${column}` : 'NULL::text');
  return `p.id, ${instantSql('p.requested_at')} AS at, p.requested_by AS actor, p.entity_type AS "entityType", ${then('rule')} AS rule, ${then('runner')} AS runner,
  p.request_id::text AS "requestId", p.plan_hash AS "planHash"`;
};
/** In the past of the instant in the third parameter, if there is one. */
export const before = (time: string): string => `($3::text IS NULL OR ${time} <= $3::text::timestamptz)`;
const UNTIL = before('b.requested_at');

export interface CausedProduction {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly entityType: string;
  readonly rule: string | null;
  readonly runner: string | null;
  readonly requestId: string | null;
  readonly planHash: string | null;
}

export async function listCausedProductions(
  db: Queryable,
  ids: readonly string[],
  bounds: Bounds,
  { projects }: Seer,
): Promise<CausedProduction[]> {
  const { rows } = await db.query<CausedProduction>(
    prepared(
      `SELECT ${columns(bounds)} FROM ${productionRows(bounds)} WHERE b.id = ANY(${listed(2)}) AND ${PRODUCTION_VISIBLE} AND ${UNTIL}`,
      [projectList(projects), ids, bounds.asOf],
    ),
  );
  return rows;
}

export type CauseRole = 'asked' | 'rule' | 'input';
export interface ProductionLink {
  readonly cause: string;
  readonly productionId: string;
  readonly role: CauseRole;
}

/** The causes of productions whose visibility has been checked. */
export async function listCauses(
  db: Queryable,
  productions: readonly string[],
  { limit, skip, asOf }: Bounds,
): Promise<ProductionLink[]> {
  const { rows } = await db.query<ProductionLink>(
    prepared(
      `SELECT k.id AS "productionId", c.cause, c.role FROM unnest(${listed(1)}) k(id) CROSS JOIN LATERAL (
       SELECT x.cause, x.role FROM artifact.production_cause x WHERE x.production_id = k.id AND ($2::timestamptz IS NULL OR x.at <= $2::timestamptz)
       ORDER BY x.at, x.cause LIMIT $3::int OFFSET $4::int) c`,
      [productions, asOf, limit, skip],
    ),
  );
  return rows;
}

/** The visible productions that each of the nodes is a cause of. */
export async function listProductionsFor(
  db: Queryable,
  causes: readonly string[],
  bounds: Bounds,
  { projects }: Seer,
): Promise<ProductionLink[]> {
  const { limit, skip, asOf } = bounds;
  const { rows } = await db.query<ProductionLink>(
    prepared(
      `SELECT k.cause, found.id AS "productionId", found.role FROM unnest(${listed(2)}) k(cause) CROSS JOIN LATERAL (
       SELECT b.id, c.role FROM artifact.production_cause c JOIN (${productionRows(bounds)}) ON b.id = c.production_id
       WHERE c.cause = k.cause AND ${PRODUCTION_VISIBLE} AND ${UNTIL} AND ${before('c.at')}
       ORDER BY b.requested_at, b.id LIMIT $4::int OFFSET $5::int) found`,
      [projectList(projects), causes, asOf, limit, skip],
    ),
  );
  return rows;
}

/** The first visible productions that follow each of the plans. */
export async function listPlanned(
  db: Queryable,
  plans: readonly string[],
  bounds: Bounds,
  { projects }: Seer,
): Promise<(CausedProduction & { readonly planHash: string })[]> {
  const { limit, skip, asOf } = bounds;
  const { rows } = await db.query<CausedProduction & { readonly planHash: string }>(
    prepared(
      `SELECT x.id, x.at, x.actor, x."entityType", x.rule, x.runner, x."requestId", k.hash AS "planHash" FROM unnest(${listed(2)}) k(hash) CROSS JOIN LATERAL (
       SELECT ${columns(bounds)} FROM ${productionRows(bounds)}
       WHERE b.plan_hash = k.hash AND ${PRODUCTION_VISIBLE} AND ${UNTIL} ORDER BY b.requested_at, b.id LIMIT $4::int OFFSET $5::int) x`,
      [projectList(projects), plans, asOf, limit, skip],
    ),
  );
  return rows;
}

/** Of a production `p`: a file `x` of it is its result, also where another one has taken its place since. */
const IS_MADE = `p.status = 'completed' AND x.entity_id = ANY(p.entity_ids)`;

/** Files that are known by a content's hash: of the store, or given to a production. */
export interface CausedFile {
  readonly hash: string;
  /** When it was stored; to members of some projects, since when they may know of it; null where nobody knows. */
  readonly at: string | null;
  readonly size: number | null;
  readonly mediaType: string | null;
  /** By its own upload, a visible production, or because every project is; otherwise its holders decide. */
  readonly isSeen: boolean;
}

export async function listFiles(
  db: Queryable,
  hashes: readonly string[],
  bounds: Bounds,
  { projects, actor }: Seer,
): Promise<CausedFile[]> {
  const { rows } = await db.query<CausedFile>(
    prepared(
      `SELECT k.hash, ${instantSql('CASE WHEN $1::text[] IS NULL THEN o.created_at ELSE seen.at END')} AS at, o.size::float8 AS size, o.media_type AS "mediaType",
       $1::text[] IS NULL OR seen.at IS NOT NULL AS "isSeen"
     FROM unnest(${listed(2)}) k(hash) LEFT JOIN artifact.stored_object o ON o.hash = k.hash LEFT JOIN LATERAL (
       SELECT least(
         (SELECT min(u.uploaded_at) FROM artifact.uploaded_file u WHERE u.hash = k.hash AND u.actor = $4::text AND artifact.reaches($1::text[], u.projects) AND ${before('u.uploaded_at')}),
         (SELECT min(p.finished_at) FROM artifact.artifact_entity x JOIN (${productionRows(bounds)}) ON b.id = x.production_id WHERE x.hash = k.hash AND ${PRODUCTION_VISIBLE} AND ${before('p.finished_at')}),
         (SELECT min(p.finished_at) FROM artifact.production_output x JOIN (${productionRows(bounds)}) ON b.id = x.production_id WHERE x.hash = k.hash AND ${IS_MADE} AND ${PRODUCTION_VISIBLE} AND ${before('p.finished_at')}),
         (SELECT min(c.at) FROM artifact.production_cause c JOIN (${productionRows(bounds)}) ON b.id = c.production_id WHERE c.cause = 'file:' || k.hash AND ${PRODUCTION_VISIBLE} AND ${before('c.at')})) AS at
     ) seen ON $1::text[] IS NOT NULL
     WHERE CASE WHEN o.hash IS NULL THEN EXISTS (SELECT FROM artifact.production_cause c WHERE c.cause = 'file:' || k.hash AND ${before('c.at')}) ELSE ${before('o.created_at')} END`,
      [projectList(projects), hashes, bounds.asOf, actor],
    ),
  );
  return rows;
}

/** Where a stored file came from: the production that made it, or the version of an entity that it was attached with. */
export interface FileOrigin {
  readonly hash: string;
  readonly productionId: string | null;
  readonly id: string;
  readonly version: number | null;
}

export async function listOrigins(
  db: Queryable,
  hashes: readonly string[],
  { limit, skip, asOf }: Bounds,
): Promise<FileOrigin[]> {
  const { rows } = await db.query<FileOrigin>(
    prepared(
      `SELECT k.hash, x.production_id AS "productionId", x.entity_id AS id, x.entity_version AS version FROM unnest(${listed(1)}) k(hash) CROSS JOIN LATERAL (
       SELECT a.production_id, a.entity_id, a.entity_version FROM artifact.artifact_entity a LEFT JOIN artifact.production p ON p.id = a.production_id
       WHERE a.hash = k.hash AND (a.production_id IS NOT NULL OR a.entity_version IS NOT NULL)
         AND ($3::text IS NULL OR a.production_id IS NULL OR p.finished_at <= $3::text::timestamptz)
       UNION SELECT x.production_id, x.entity_id, NULL FROM artifact.production_output x JOIN artifact.production p ON p.id = x.production_id
       WHERE x.hash = k.hash AND ${IS_MADE} AND ${before('p.finished_at')}
       ORDER BY entity_id, entity_version, production_id LIMIT $2::int OFFSET $4::int) x`,
      [hashes, limit, asOf, skip],
    ),
  );
  return rows;
}

export async function listMadeFiles(
  db: Queryable,
  made: readonly string[],
  { limit, skip, asOf }: Bounds,
): Promise<{ productionId: string; hash: string }[]> {
  const { rows } = await db.query<{ productionId: string; hash: string }>(
    prepared(
      `SELECT k.id AS "productionId", x.hash FROM unnest(${listed(1)}) k(id) CROSS JOIN LATERAL (
       SELECT a.hash FROM artifact.artifact_entity a JOIN artifact.production p ON p.id = a.production_id
       WHERE a.production_id = k.id AND ${before('p.finished_at')}
       UNION SELECT x.hash FROM artifact.production_output x JOIN artifact.production p ON p.id = x.production_id
       WHERE x.production_id = k.id AND ${IS_MADE} AND ${before('p.finished_at')} ORDER BY hash LIMIT $2::int OFFSET $4::int) x`,
      [made, limit, asOf, skip],
    ),
  );
  return rows;
}

export async function listAttachedFiles(
  db: Queryable,
  versions: readonly EntityVersion[],
  { limit, skip }: Bounds,
): Promise<(EntityVersion & { readonly hash: string })[]> {
  const { rows } = await db.query<EntityVersion & { readonly hash: string }>(
    prepared(
      `SELECT k.id, k.version, a.hash FROM unnest(${listed(1)}, (SELECT $2::int[])::int[]) k(id, version) CROSS JOIN LATERAL (
       SELECT DISTINCT e.hash FROM artifact.artifact_entity e WHERE e.entity_id = k.id AND e.entity_version = k.version ORDER BY e.hash LIMIT $3::int OFFSET $4::int) a`,
      [versions.map(({ id }) => id), versions.map(({ version }) => version), limit, skip],
    ),
  );
  return rows;
}
