// SQL of causal chains: productions, what they were made for and with, and their files. Each statement answers for all
// asked nodes together.
import type { EntityVersion, LinkQuestion } from '../../../platform/causal-links.ts';
import type { Identity } from '../../../platform/identity.ts';
import { listed, prepared } from '../../../platform/prepared.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import { PRODUCTION_VISIBLE } from '../productions/productions.store.ts';

type Bounds = Pick<LinkQuestion, 'limit' | 'asOf'>;
type Seer = Pick<Identity, 'projects' | 'actor'>;

const PRODUCTION = `p.id, ${instantSql('p.requested_at')} AS at, p.requested_by AS actor, p.entity_type AS "entityType", p.rule, p.runner,
  p.request_id::text AS "requestId", p.plan_hash AS "planHash"`;
const UNTIL = `($3::timestamptz IS NULL OR p.requested_at <= $3::timestamptz)`;

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
  { asOf }: Bounds,
  { projects }: Seer,
): Promise<CausedProduction[]> {
  const { rows } = await db.query<CausedProduction>(
    prepared(
      `SELECT ${PRODUCTION} FROM artifact.production p WHERE p.id = ANY(${listed(2)}) AND ${PRODUCTION_VISIBLE} AND ${UNTIL}`,
      [projectList(projects), ids, asOf],
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
  { limit, asOf }: Bounds,
): Promise<ProductionLink[]> {
  const { rows } = await db.query<ProductionLink>(
    prepared(
      `SELECT k.id AS "productionId", c.cause, c.role FROM unnest(${listed(1)}) k(id) CROSS JOIN LATERAL (
       SELECT x.cause, x.role FROM artifact.production_cause x WHERE x.production_id = k.id AND ($2::timestamptz IS NULL OR x.at <= $2::timestamptz)
       ORDER BY x.at, x.cause LIMIT $3::int) c`,
      [productions, asOf, limit],
    ),
  );
  return rows;
}

/** The visible productions that each of the nodes is a cause of. */
export async function listProductionsFor(
  db: Queryable,
  causes: readonly string[],
  { limit, asOf }: Bounds,
  { projects }: Seer,
): Promise<ProductionLink[]> {
  const { rows } = await db.query<ProductionLink>(
    prepared(
      `SELECT k.cause, found.id AS "productionId", found.role FROM unnest(${listed(2)}) k(cause) CROSS JOIN LATERAL (
       SELECT p.id, c.role FROM artifact.production_cause c JOIN artifact.production p ON p.id = c.production_id
       WHERE c.cause = k.cause AND ${PRODUCTION_VISIBLE} AND ${UNTIL} AND ($3::timestamptz IS NULL OR c.at <= $3::timestamptz)
       ORDER BY p.requested_at, p.id LIMIT $4::int) found`,
      [projectList(projects), causes, asOf, limit],
    ),
  );
  return rows;
}

/** The first visible productions that follow each of the plans. */
export async function listPlanned(
  db: Queryable,
  plans: readonly string[],
  { limit, asOf }: Bounds,
  { projects }: Seer,
): Promise<(CausedProduction & { readonly planHash: string })[]> {
  const { rows } = await db.query<CausedProduction & { readonly planHash: string }>(
    prepared(
      `SELECT x.id, x.at, x.actor, x."entityType", x.rule, x.runner, x."requestId", k.hash AS "planHash" FROM unnest(${listed(2)}) k(hash) CROSS JOIN LATERAL (
       SELECT ${PRODUCTION} FROM artifact.production p
       WHERE p.plan_hash = k.hash AND ${PRODUCTION_VISIBLE} AND ${UNTIL} ORDER BY p.requested_at, p.id LIMIT $4::int) x`,
      [projectList(projects), plans, asOf, limit],
    ),
  );
  return rows;
}

/** Files that are known by a content's hash: of the store, or given to a production. */
export interface CausedFile {
  readonly hash: string;
  readonly at: string | null;
  readonly size: number | null;
  readonly mediaType: string | null;
  /** By its own upload, a visible production, or because every project is; otherwise its holders decide. */
  readonly isSeen: boolean;
}

export async function listFiles(
  db: Queryable,
  hashes: readonly string[],
  { asOf }: Bounds,
  { projects, actor }: Seer,
): Promise<CausedFile[]> {
  const { rows } = await db.query<CausedFile>(
    prepared(
      `SELECT k.hash, ${instantSql('o.created_at')} AS at, o.size::float8 AS size, o.media_type AS "mediaType",
       ($1::text[] IS NULL OR EXISTS (SELECT FROM artifact.uploaded_file u WHERE u.hash = k.hash AND u.actor = $4::text AND artifact.reaches($1::text[], u.projects))
         OR EXISTS (SELECT FROM artifact.artifact_entity x JOIN artifact.production p ON p.id = x.production_id WHERE x.hash = k.hash AND ${PRODUCTION_VISIBLE})
         OR EXISTS (SELECT FROM artifact.production_cause c JOIN artifact.production p ON p.id = c.production_id WHERE c.cause = 'file:' || k.hash AND ${PRODUCTION_VISIBLE})) AS "isSeen"
     FROM unnest(${listed(2)}) k(hash) LEFT JOIN artifact.stored_object o ON o.hash = k.hash
     WHERE CASE WHEN o.hash IS NULL THEN EXISTS (SELECT FROM artifact.production_cause c WHERE c.cause = 'file:' || k.hash) ELSE $3::timestamptz IS NULL OR o.created_at <= $3::timestamptz END`,
      [projectList(projects), hashes, asOf, actor],
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
  { limit }: Bounds,
): Promise<FileOrigin[]> {
  const { rows } = await db.query<FileOrigin>(
    prepared(
      `SELECT k.hash, x.production_id AS "productionId", x.entity_id AS id, x.entity_version AS version FROM unnest(${listed(1)}) k(hash) CROSS JOIN LATERAL (
       SELECT DISTINCT a.production_id, a.entity_id, a.entity_version FROM artifact.artifact_entity a
       WHERE a.hash = k.hash AND (a.production_id IS NOT NULL OR a.entity_version IS NOT NULL) ORDER BY a.entity_id, a.entity_version LIMIT $2::int) x`,
      [hashes, limit],
    ),
  );
  return rows;
}

export async function listMadeFiles(
  db: Queryable,
  productions: readonly string[],
  { limit }: Bounds,
): Promise<{ productionId: string; hash: string }[]> {
  const { rows } = await db.query<{ productionId: string; hash: string }>(
    prepared(
      `SELECT k.id AS "productionId", x.hash FROM unnest(${listed(1)}) k(id) CROSS JOIN LATERAL (
       SELECT DISTINCT a.hash FROM artifact.artifact_entity a WHERE a.production_id = k.id ORDER BY a.hash LIMIT $2::int) x`,
      [productions, limit],
    ),
  );
  return rows;
}

export async function listAttachedFiles(
  db: Queryable,
  versions: readonly EntityVersion[],
): Promise<(EntityVersion & { readonly hash: string })[]> {
  const { rows } = await db.query<EntityVersion & { readonly hash: string }>(
    prepared(
      `SELECT DISTINCT k.id, k.version, a.hash FROM unnest(${listed(1)}, (SELECT $2::int[])::int[]) k(id, version)
     JOIN artifact.artifact_entity a ON a.entity_id = k.id AND a.entity_version = k.version`,
      [versions.map(({ id }) => id), versions.map(({ version }) => version)],
    ),
  );
  return rows;
}
