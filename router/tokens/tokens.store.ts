// The statements that issue tokens. Each consumes the grant and records the tokens in one statement, so that
// exactly one of concurrent requests wins, and nothing is issued twice. In all of them projects null means
// all projects.
import type { Projects, Role } from '../../platform/identity.ts';
import { projectList, type Queryable } from '../../platform/queryable.ts';
import { announceInvalidation } from '../credential-invalidation/credential-invalidation.store.ts';
import { revokeByRefreshToken, revokeFamily, revokeJti } from './revocations.store.ts';

/** The record of new tokens: created before the statement, stored only if it succeeds. */
export interface NewTokens {
  readonly family: string;
  readonly jti: string;
  /** Seconds since the epoch. */
  readonly accessExpires: number;
  /** Null without a refresh token. */
  readonly refreshHash: Buffer | null;
  readonly refreshSeconds: number;
  /** Maximum age of a refresh token, counted from the family's first token. */
  readonly familySeconds: number;
}

/** The owner of new tokens. */
export interface Granted {
  readonly clientId: string;
  readonly actor: string;
  readonly roles: readonly Role[];
  readonly projects: Projects;
}

interface GrantedRow {
  client_id: string;
  actor: string;
  roles: Role[];
  projects: string[] | null;
}

const granted = (row: GrantedRow | undefined): Granted | undefined =>
  row === undefined
    ? undefined
    : { clientId: row.client_id, actor: row.actor, roles: row.roles, projects: row.projects ?? '*' };

/**
 * Parameters 1–6 record the tokens; `source`, from 7 on, returns at most one row (client_id, actor, roles,
 * projects).
 */
async function open(
  db: Queryable,
  tokens: NewTokens,
  source: string,
  parameters: readonly unknown[],
): Promise<Granted | undefined> {
  const { rows } = await db.query<GrantedRow>(
    `WITH source AS (${source}),
     family AS (INSERT INTO gateway.token_family (id, actor, client_id, access_until) SELECT $1::uuid, actor, client_id, to_timestamp($3) FROM source),
     access AS (INSERT INTO gateway.access_token (jti, family_id, expires_at) SELECT $2, $1::uuid, to_timestamp($3) FROM source),
     refresh AS (INSERT INTO gateway.refresh_token (hash, family_id, generation, client_id, actor, roles, projects, expires_at)
       SELECT $4::bytea, $1::uuid, 1, client_id, actor, roles, projects, clock_timestamp() + make_interval(secs => least($5::float8, $6::float8)) FROM source WHERE $4::bytea IS NOT NULL)
     SELECT client_id, actor, roles, projects FROM source`,
    [
      tokens.family,
      tokens.jti,
      tokens.accessExpires,
      tokens.refreshHash,
      tokens.refreshSeconds,
      tokens.familySeconds,
      ...parameters,
    ],
  );
  return granted(rows[0]);
}

/** Records tokens for an authenticated client. */
async function openForClient(db: Queryable, tokens: NewTokens, to: Granted): Promise<void> {
  await open(
    db,
    tokens,
    `SELECT $7::text AS client_id, $8::text AS actor, $9::text[] AS roles, $10::text[] AS projects`,
    [to.clientId, to.actor, to.roles, projectList(to.projects)],
  );
}

/** Accounts that have been disabled meanwhile get no tokens. */
const ACCOUNT_STANDS = `NOT EXISTS (SELECT FROM gateway.gateway_user u WHERE 'user:' || u.name = actor AND u.disabled_at IS NOT NULL)`;

/** Redeems an approved device code; undefined if this client has none that is approved and valid. */
const openForDevice = (
  db: Queryable,
  tokens: NewTokens,
  code: { readonly hash: Buffer; readonly clientId: string },
): Promise<Granted | undefined> =>
  open(
    db,
    tokens,
    `UPDATE gateway.device_code SET status = 'redeemed'
   WHERE hash = $7 AND client_id = $8 AND status = 'approved' AND expires_at > clock_timestamp() AND ${ACCOUNT_STANDS} RETURNING client_id, actor, roles, projects`,
    [code.hash, code.clientId],
  );

/**
 * Redeems an authorization code; undefined if it is used, expired, another client's, or for another redirect
 * URI or verifier.
 */
const openForCode = (
  db: Queryable,
  tokens: NewTokens,
  code: {
    readonly hash: Buffer;
    readonly clientId: string;
    readonly redirectUri: string;
    readonly challenge: string;
  },
): Promise<Granted | undefined> =>
  open(
    db,
    tokens,
    `UPDATE gateway.authorization_code SET consumed_at = clock_timestamp(), family_id = $1::uuid
   WHERE hash = $7 AND client_id = $8 AND redirect_uri = $9 AND code_challenge = $10 AND consumed_at IS NULL AND expires_at > clock_timestamp() AND ${ACCOUNT_STANDS}
   RETURNING client_id, actor, roles, projects`,
    [code.hash, code.clientId, code.redirectUri, code.challenge],
  );

/** If an API key is the client, its end is the end of its tokens. */
const KEY_STANDS = `k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())`;

export interface TokenRotation extends Omit<NewTokens, 'family' | 'refreshHash'> {
  readonly spentHash: Buffer;
  readonly refreshHash: Buffer;
  /** The client's current rights, for tokens it holds for itself; null for users' tokens. */
  readonly rights: { readonly roles: readonly Role[]; readonly projects: Projects } | null;
}

/**
 * Consumes a refresh token and records its successor. The family's row is locked first, so that a revocation
 * happens entirely before or after. A user's roles and projects are the account's current ones. Undefined if
 * the token is unknown, used, expired, or its family has ended.
 */
async function rotate(
  db: Queryable,
  { spentHash, jti, accessExpires, refreshHash, refreshSeconds, familySeconds, rights }: TokenRotation,
): Promise<(Granted & { family: string }) | undefined> {
  const { rows } = await db.query<GrantedRow & { family_id: string }>(
    `WITH live AS (
       SELECT f.id, f.actor, f.client_id, f.created_at + make_interval(secs => $8) AS ends FROM gateway.token_family f
       WHERE f.id = (SELECT family_id FROM gateway.refresh_token WHERE hash = $1) AND f.revoked_at IS NULL FOR NO KEY UPDATE),
     spent AS (
       UPDATE gateway.refresh_token t SET consumed_at = clock_timestamp()
       FROM live LEFT JOIN gateway.gateway_user u ON live.actor = 'user:' || u.name LEFT JOIN gateway.api_key k ON k.id = live.client_id
       WHERE t.hash = $1 AND t.family_id = live.id AND t.consumed_at IS NULL AND t.expires_at > clock_timestamp() AND live.ends > clock_timestamp() AND u.disabled_at IS NULL AND ${KEY_STANDS}
       RETURNING t.family_id, live.ends, t.generation, t.client_id, t.actor, coalesce($6::text[], u.roles, t.roles) AS roles,
         CASE WHEN $6::text[] IS NOT NULL THEN $7::text[] WHEN u.name IS NULL THEN t.projects WHEN u.all_projects THEN NULL ELSE u.projects END AS projects),
     family AS (UPDATE gateway.token_family f SET access_until = greatest(f.access_until, to_timestamp($3)) FROM spent WHERE f.id = spent.family_id),
     access AS (INSERT INTO gateway.access_token (jti, family_id, expires_at) SELECT $2, family_id, to_timestamp($3) FROM spent),
     refresh AS (INSERT INTO gateway.refresh_token (hash, family_id, generation, client_id, actor, roles, projects, expires_at)
       SELECT $4::bytea, family_id, generation + 1, client_id, actor, roles, projects, least(clock_timestamp() + make_interval(secs => $5), ends) FROM spent)
     SELECT family_id, client_id, actor, roles, projects FROM spent`,
    [
      spentHash,
      jti,
      accessExpires,
      refreshHash,
      refreshSeconds,
      rights?.roles ?? null,
      rights === null ? null : projectList(rights.projects),
      familySeconds,
    ],
  );
  const [row] = rows;
  const to = granted(row);
  return to === undefined || row === undefined ? undefined : { ...to, family: row.family_id };
}

export interface RefreshStanding {
  readonly family: string;
  readonly clientId: string;
  readonly actor: string;
  /** It was rotated, or its family was revoked, its account disabled, or its API key has ended. */
  readonly ended: boolean;
  readonly consumed: boolean;
  readonly expired: boolean;
  /** End of its family, or of its API key, in seconds since the epoch. */
  readonly until: number;
}

async function findRefreshToken(
  db: Queryable,
  hash: Buffer,
  familySeconds: number,
): Promise<RefreshStanding | undefined> {
  const { rows } = await db.query<RefreshStanding>(
    `SELECT t.family_id AS family, t.client_id AS "clientId", t.actor, t.consumed_at IS NOT NULL AS consumed, t.expires_at <= clock_timestamp() OR f.created_at + make_interval(secs => $2) <= clock_timestamp() AS expired,
       t.consumed_at IS NOT NULL OR f.revoked_at IS NOT NULL OR u.disabled_at IS NOT NULL OR NOT (${KEY_STANDS}) AS ended,
       extract(epoch FROM least(k.expires_at, f.created_at + make_interval(secs => $2)))::float8 AS until
     FROM gateway.refresh_token t JOIN gateway.token_family f ON f.id = t.family_id
     LEFT JOIN gateway.gateway_user u ON t.actor = 'user:' || u.name LEFT JOIN gateway.api_key k ON k.id = t.client_id
     WHERE t.hash = $1`,
    [hash, familySeconds],
  );
  return rows[0];
}

/** An authorization code that is used twice ends the family that it issued, if any (RFC 6749, 4.1.2). */
async function revokeByCode(db: Queryable, hash: Buffer): Promise<string | undefined> {
  const { rows } = await db.query<{ family: string }>(
    `WITH code AS (SELECT family_id FROM gateway.authorization_code WHERE hash = $1 AND consumed_at IS NOT NULL AND family_id IS NOT NULL),
     revoked AS (UPDATE gateway.token_family f SET revoked_at = clock_timestamp() FROM code WHERE f.id = code.family_id AND f.revoked_at IS NULL)
     SELECT family_id AS family, ${announceInvalidation('token', 'family_id::text')} FROM code`,
    [hash],
  );
  return rows[0]?.family;
}

/** Number of valid refresh tokens. */
export async function countActive(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM gateway.refresh_token t JOIN gateway.token_family f ON f.id = t.family_id
     LEFT JOIN gateway.gateway_user u ON t.actor = 'user:' || u.name LEFT JOIN gateway.api_key k ON k.id = t.client_id
     WHERE t.expires_at > now() AND t.consumed_at IS NULL AND f.revoked_at IS NULL AND u.disabled_at IS NULL AND ${KEY_STANDS}`,
  );
  return rows[0]?.n ?? 0;
}

/**
 * Deletes expired rows that are no longer needed: codes and tokens a day after their end, refresh tokens
 * after thirty days (until then they are answered `expired_token` or `revoked_token`), families with their
 * last token, and thirty days after they began, because work requested with one may act that long
 * (docs/decisions/0060).
 */
export async function sweepTokens(db: Queryable): Promise<void> {
  for (const statement of [
    `DELETE FROM gateway.device_code WHERE expires_at < now() - interval '1 day'`,
    `DELETE FROM gateway.authorization_code WHERE expires_at < now() - interval '1 day'`,
    `DELETE FROM gateway.revoked_jti WHERE expires_at < now() - interval '30 days'`,
    `DELETE FROM gateway.access_token WHERE expires_at < now() - interval '1 day'`,
    `DELETE FROM gateway.refresh_token WHERE expires_at < now() - interval '30 days'`,
    `DELETE FROM gateway.token_family f WHERE f.created_at < now() - interval '30 days'
       AND NOT EXISTS (SELECT FROM gateway.refresh_token t WHERE t.family_id = f.id) AND NOT EXISTS (SELECT FROM gateway.access_token a WHERE a.family_id = f.id)`,
  ])
    await db.query(statement);
}

/** The statements that the token service needs. */
export const createTokenStore = (db: Queryable) => ({
  openForClient: (tokens: NewTokens, to: Granted) => openForClient(db, tokens, to),
  openForDevice: (tokens: NewTokens, code: Parameters<typeof openForDevice>[2]) =>
    openForDevice(db, tokens, code),
  openForCode: (tokens: NewTokens, code: Parameters<typeof openForCode>[2]) => openForCode(db, tokens, code),
  rotate: (rotation: TokenRotation) => rotate(db, rotation),
  findRefreshToken: (hash: Buffer, familySeconds: number) => findRefreshToken(db, hash, familySeconds),
  revokeByCode: (hash: Buffer) => revokeByCode(db, hash),
  revokeByRefreshToken: (hash: Buffer) => revokeByRefreshToken(db, hash),
  revokeFamily: (family: string) => revokeFamily(db, family),
  revokeJti: (jti: string) => revokeJti(db, jti),
});
export type TokenStore = ReturnType<typeof createTokenStore>;
