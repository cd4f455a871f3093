// The statements on gateway.api_key. Timestamps are returned as text with microseconds; every end of a key is
// announced in its own transaction.
import { isRole, type Projects, type Role } from '../../platform/identity.ts';
import { instantSql, type Queryable } from '../../platform/queryable.ts';
import { announceInvalidation } from '../credential-invalidation/credential-invalidation.store.ts';

/** The visible part of a key: everything except its secret. */
export interface ApiKey {
  readonly id: string;
  readonly label: string;
  readonly role: Role;
  readonly project: string | null;
  readonly owner: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expires: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

export type NewKey = Pick<ApiKey, 'id' | 'label' | 'role' | 'project' | 'owner' | 'createdBy' | 'expires'> & {
  readonly secretHash: Buffer;
};

const columns = (
  of: string,
): string => `${of}.id, ${of}.label, ${of}.role, ${of}.project, ${of}.owner, ${of}.created_by AS "createdBy",
  ${instantSql(`${of}.created_at`)} AS "createdAt", ${instantSql(`${of}.expires_at`)} AS expires,
  ${instantSql(`${of}.last_used_at`)} AS "lastUsedAt", ${instantSql(`${of}.revoked_at`)} AS "revokedAt"`;

export async function insertKey(db: Queryable, key: NewKey): Promise<ApiKey> {
  const { rows } = await db.query<ApiKey>(
    `INSERT INTO gateway.api_key AS k (id, label, role, project, secret_hash, owner, created_by, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${columns('k')}`,
    [key.id, key.label, key.role, key.project, key.secretHash, key.owner, key.createdBy, key.expires],
  );
  const [inserted] = rows;
  if (inserted === undefined) throw new Error('INSERT … RETURNING returned no row');
  return inserted;
}

async function findKey(db: Queryable, id: string): Promise<ApiKey | undefined> {
  const { rows } = await db.query<ApiKey>(`SELECT ${columns('k')} FROM gateway.api_key k WHERE k.id = $1`, [
    id,
  ]);
  return rows[0];
}

export interface KeyListing {
  /** Only this actor's keys. */
  readonly owner: string | null;
  /** Only the actor's own keys, and others' that reach no further than these projects. */
  readonly within: { readonly actor: string; readonly projects: readonly string[] } | null;
  /** After this one, in order of creation. */
  readonly after: { readonly createdAt: string; readonly id: string } | null;
  readonly limit: number;
  readonly offset: number;
}

async function listKeys(
  db: Queryable,
  { owner, within, after, limit, offset }: KeyListing,
): Promise<readonly ApiKey[]> {
  const { rows } = await db.query<ApiKey>(
    `SELECT ${columns('k')} FROM gateway.api_key k
     WHERE ($1::text IS NULL OR k.owner = $1) AND ($2::timestamptz IS NULL OR (k.created_at, k.id) > ($2, $3::text))
       AND ($6::text[] IS NULL OR k.owner = $7 OR k.project = ANY ($6) OR k.project IS NULL AND k.role NOT IN ('admin', 'service')
         AND EXISTS (SELECT FROM gateway.gateway_user u WHERE k.owner = 'user:' || u.name AND NOT u.all_projects AND u.projects <@ $6))
     ORDER BY k.created_at, k.id LIMIT $4 OFFSET $5`,
    [
      owner,
      after?.createdAt ?? null,
      after?.id ?? null,
      limit,
      offset,
      within?.projects ?? null,
      within?.actor ?? null,
    ],
  );
  return rows;
}

/** Revokes a key; idempotent: a second call announces it again and returns the first time. */
async function revokeKey(
  db: Queryable,
  id: string,
  by: string,
  reason: string | null,
): Promise<string | undefined> {
  const { rows } = await db.query<{ revokedAt: string }>(
    `WITH ended AS (
       UPDATE gateway.api_key SET revoked_at = clock_timestamp(), revoked_by = $2, revoke_reason = $3 WHERE id = $1 AND revoked_at IS NULL RETURNING id, revoked_at)
     SELECT ${instantSql('revoked_at')} AS "revokedAt", ${announceInvalidation('key', 'id')} FROM ended`,
    [id, by, reason],
  );
  if (rows[0] !== undefined) return rows[0].revokedAt;
  const before = await db.query<{ revokedAt: string }>(
    `SELECT ${instantSql('revoked_at')} AS "revokedAt", ${announceInvalidation('key', 'id')} FROM gateway.api_key WHERE id = $1 AND revoked_at IS NOT NULL`,
    [id],
  );
  return before.rows[0]?.revokedAt;
}

/**
 * Replaces an active key by a new one with the same label, role, project, owner and expiry, in one statement:
 * of concurrent rotations exactly one succeeds. Undefined if the key is not active.
 */
async function rotateKey(
  db: Queryable,
  id: string,
  by: string,
  next: { readonly id: string; readonly secretHash: Buffer },
): Promise<{ created: ApiKey; revokedAt: string } | undefined> {
  const { rows } = await db.query<ApiKey & { endedAt: string }>(
    `WITH ended AS (
       UPDATE gateway.api_key SET revoked_at = clock_timestamp(), revoked_by = $2, revoke_reason = 'rotated'
       WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp()) RETURNING *),
     created AS (
       INSERT INTO gateway.api_key (id, label, role, project, secret_hash, owner, created_by, expires_at, rotated_from)
       SELECT $3, label, role, project, $4, owner, $2, expires_at, id FROM ended RETURNING *)
     SELECT ${columns('created')}, ${instantSql('ended.revoked_at')} AS "endedAt", ${announceInvalidation('key', 'ended.id')} FROM created, ended`,
    [id, by, next.id, next.secretHash],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { endedAt, ...created } = row;
  return { created, revokedAt: endedAt };
}

/** The key of a secret, as the verifier needs it. */
export interface KeyStanding {
  readonly id: string;
  readonly label: string;
  readonly role: Role;
  readonly owner: string;
  readonly projects: Projects;
  /** The key is revoked, or its owner's account is disabled. */
  readonly revoked: boolean;
  /** Milliseconds since the epoch; infinite without expiry. */
  readonly expiresAt: number;
}

interface StandingRow {
  id: string;
  label: string;
  role: string;
  owner: string;
  project: string | null;
  revoked: boolean;
  expires: number | null;
  all_projects: boolean | null;
  owner_projects: string[] | null;
}

/**
 * A key's project restricts it to that one; otherwise a key has its owner's projects, or all for owners
 * without a local account.
 */
const projectsOf = (
  row: Pick<StandingRow, 'project' | 'all_projects' | 'owner_projects' | 'role'>,
): Projects => {
  if (row.project !== null) return [row.project];
  return row.role === 'admin' ||
    row.role === 'service' ||
    row.owner_projects === null ||
    row.all_projects === true
    ? '*'
    : row.owner_projects;
};

const STANDING = `SELECT k.id, k.label, k.role, k.owner, k.project, k.revoked_at IS NOT NULL OR u.disabled_at IS NOT NULL AS revoked,
       (extract(epoch FROM k.expires_at) * 1000)::float8 AS expires, u.all_projects, u.projects AS owner_projects
     FROM gateway.api_key k LEFT JOIN gateway.gateway_user u ON k.owner LIKE 'user:%' AND u.name = substr(k.owner, 6)`;

const standingOf = (row: StandingRow | undefined): KeyStanding | undefined =>
  row === undefined || !isRole(row.role)
    ? undefined
    : {
        id: row.id,
        label: row.label,
        role: row.role,
        owner: row.owner,
        projects: projectsOf(row),
        revoked: row.revoked,
        expiresAt: row.expires ?? Infinity,
      };

export async function findStanding(db: Queryable, secretHash: Buffer): Promise<KeyStanding | undefined> {
  return standingOf(
    (await db.query<StandingRow>(`${STANDING} WHERE k.secret_hash = $1`, [secretHash])).rows[0],
  );
}

/** The same for a key by its id. */
export async function findStandingById(db: Queryable, id: string): Promise<KeyStanding | undefined> {
  return standingOf((await db.query<StandingRow>(`${STANDING} WHERE k.id = $1`, [id])).rows[0]);
}

/** The projects of a local account; all of them for other actors. */
async function findOwnerProjects(db: Queryable, owner: string): Promise<Projects> {
  const { rows } = await db.query<{ all_projects: boolean; owner_projects: string[] }>(
    `SELECT all_projects, projects AS owner_projects FROM gateway.gateway_user WHERE $1 LIKE 'user:%' AND name = substr($1, 6)`,
    [owner],
  );
  const [row] = rows;
  return row === undefined || row.all_projects ? '*' : row.owner_projects;
}

/** Records when keys were used; the latest time wins, in whatever order they are written. */
export async function touchKeys(db: Queryable, uses: ReadonlyMap<string, Date>): Promise<void> {
  await db.query(
    `UPDATE gateway.api_key k SET last_used_at = greatest(k.last_used_at, used.at) FROM unnest($1::text[], $2::timestamptz[]) AS used (id, at) WHERE k.id = used.id`,
    [[...uses.keys()], [...uses.values()]],
  );
}

export async function hasAdminKey(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM gateway.api_key WHERE role = 'admin') AS found`,
  );
  return rows[0]?.found === true;
}

/** The statements that the service needs, over one database. */
export const createApiKeyStore = (db: Queryable) => ({
  insert: (key: NewKey) => insertKey(db, key),
  find: (id: string) => findKey(db, id),
  list: (listing: KeyListing) => listKeys(db, listing),
  revoke: (id: string, by: string, reason: string | null) => revokeKey(db, id, by, reason),
  rotate: (id: string, by: string, next: { readonly id: string; readonly secretHash: Buffer }) =>
    rotateKey(db, id, by, next),
  ownerProjects: (owner: string) => findOwnerProjects(db, owner),
});
export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;
