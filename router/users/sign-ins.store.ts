// SQL of sign-ins in use: sessions of browsers, and families of tokens; and of the actors who have any, an account
// or a key.
import type { Role } from '../../platform/identity.ts';
import { instantSql, type Queryable } from '../../platform/queryable.ts';
import { announceInvalidation } from '../credential-invalidation/credential-invalidation.store.ts';

export interface SignInInUse {
  readonly id: string;
  readonly kind: 'browser' | 'tokens';
  readonly actor: string;
  readonly client: string | null;
  readonly keyId: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface KnownActor {
  readonly actor: string;
  readonly isLocal: boolean;
  readonly roles: Role[];
  readonly projects: string[] | null;
  readonly disabledAt: string | null;
  readonly keys: number;
  readonly browsers: number;
  readonly tokens: number;
  readonly keyUsedAt: string | null;
}

export interface EndedSignIns {
  readonly browsers: number;
  readonly tokens: number;
}

export interface SignInPlace {
  readonly createdAt: string;
  readonly id: string;
}

/** A session's own hash is what its cookie is looked up by: nobody else is told it. */
const SESSION_ID = `'ses_' || left(encode(sha256(s.hash), 'hex'), 32)`;
const BROWSERS = `gateway.portal_session s WHERE s.expires_at > now()`;
/** The last of its refresh tokens that can still be used. */
const REFRESHED = `(SELECT max(t.expires_at) FROM gateway.refresh_token t WHERE t.family_id = f.id AND t.consumed_at IS NULL AND t.expires_at > now())`;
const FAMILIES = `gateway.token_family f WHERE f.revoked_at IS NULL AND (f.access_until > now() OR ${REFRESHED} IS NOT NULL)`;

const SIGN_INS = `(
  SELECT ${SESSION_ID} AS id, 'browser' AS kind, s.actor, NULL AS client, s.key_id AS "keyId", s.created_at, s.expires_at FROM ${BROWSERS}
  UNION ALL
  SELECT f.id::text, 'tokens', f.actor, f.client_id, CASE WHEN f.client_id LIKE 'key\\_%' THEN f.client_id END, f.created_at, greatest(f.access_until, ${REFRESHED}) FROM ${FAMILIES}
) AS i`;

async function listSignIns(
  db: Queryable,
  actor: string | null,
  after: SignInPlace | null,
  limit: number,
): Promise<readonly SignInInUse[]> {
  const { rows } = await db.query<SignInInUse>(
    `SELECT i.id, i.kind, i.actor, i.client, i."keyId", ${instantSql('i.created_at')} AS "createdAt", ${instantSql('i.expires_at')} AS "expiresAt"
     FROM ${SIGN_INS} WHERE ($1::text IS NULL OR i.actor = $1) AND ($2::timestamptz IS NULL OR (i.created_at, i.id COLLATE "C") < ($2, $3::text))
     ORDER BY i.created_at DESC, i.id COLLATE "C" DESC LIMIT $4::int`,
    [actor, after?.createdAt ?? null, after?.id ?? null, limit],
  );
  return rows;
}

async function findSignIn(
  db: Queryable,
  id: string,
): Promise<Pick<SignInInUse, 'actor' | 'keyId'> | undefined> {
  const { rows } = await db.query<Pick<SignInInUse, 'actor' | 'keyId'>>(
    `SELECT i.actor, i."keyId" FROM ${SIGN_INS} WHERE i.id = $1`,
    [id],
  );
  return rows[0];
}

/** Actors by name, after one. */
async function listActors(
  db: Queryable,
  after: string | null,
  limit: number,
): Promise<readonly KnownActor[]> {
  const { rows } = await db.query<KnownActor>(
    `WITH keys AS (SELECT * FROM gateway.api_key k WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())),
     browsers AS (SELECT s.actor, s.roles FROM ${BROWSERS}), families AS (SELECT f.actor FROM ${FAMILIES}),
     known AS (SELECT 'user:' || name AS actor FROM gateway.gateway_user UNION SELECT owner FROM gateway.api_key UNION SELECT actor FROM browsers UNION SELECT actor FROM families)
     SELECT n.actor, u.name IS NOT NULL AS "isLocal",
       coalesce(u.roles, ARRAY(SELECT role FROM keys k WHERE k.owner = n.actor UNION SELECT unnest(b.roles) FROM browsers b WHERE b.actor = n.actor ORDER BY 1)) AS roles,
       CASE WHEN u.all_projects THEN NULL ELSE u.projects END AS projects, ${instantSql('u.disabled_at')} AS "disabledAt",
       (SELECT count(*) FROM keys k WHERE k.owner = n.actor)::int AS keys, (SELECT count(*) FROM browsers b WHERE b.actor = n.actor)::int AS browsers,
       (SELECT count(*) FROM families f WHERE f.actor = n.actor)::int AS tokens,
       (SELECT ${instantSql('max(k.last_used_at)')} FROM gateway.api_key k WHERE k.owner = n.actor) AS "keyUsedAt"
     FROM known n LEFT JOIN gateway.gateway_user u ON n.actor = 'user:' || u.name
     WHERE $1::text IS NULL OR n.actor COLLATE "C" > $1 ORDER BY n.actor COLLATE "C" LIMIT $2::int`,
    [after, limit],
  );
  return rows;
}

/** The number of sign-ins by tokens of each client. */
async function countByClient(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ client: string; n: number }>(
    `SELECT f.client_id AS client, count(*)::int AS n FROM ${FAMILIES} GROUP BY 1`,
  );
  return new Map(rows.map(({ client, n }) => [client, n]));
}

/** Ends one, which is announced where it was there. */
async function endSignIn(db: Queryable, id: string, notice: string): Promise<EndedSignIns> {
  const { rows } = await db.query<EndedSignIns>(
    `WITH sessions AS (DELETE FROM gateway.portal_session s WHERE ${SESSION_ID} = $1 RETURNING 1),
     families AS (UPDATE gateway.token_family f SET revoked_at = clock_timestamp() WHERE f.id::text = $1 AND f.revoked_at IS NULL RETURNING 1)
     SELECT (SELECT count(*) FROM sessions)::int AS browsers, (SELECT count(*) FROM families)::int AS tokens, ${announceInvalidation('all', '$2::text')}`,
    [id, notice],
  );
  return rows[0] ?? { browsers: 0, tokens: 0 };
}

/** Ends all of an actor, and what would become one; with a key, those that it has opened. */
async function endAllSignIns(
  db: Queryable,
  actor: string,
  keyId: string | null,
  notice: string,
): Promise<EndedSignIns> {
  const { rows } = await db.query<EndedSignIns>(
    `WITH live AS (SELECT f.id FROM ${FAMILIES} AND f.actor = $1),
     sessions AS (DELETE FROM gateway.portal_session s WHERE s.actor = $1 AND ($2::text IS NULL OR s.key_id = $2) RETURNING s.expires_at > now() AS counts),
     families AS (UPDATE gateway.token_family f SET revoked_at = clock_timestamp() WHERE f.actor = $1 AND ($2::text IS NULL OR f.client_id = $2) AND f.revoked_at IS NULL RETURNING f.id),
     devices AS (UPDATE gateway.device_code d SET status = 'denied' WHERE d.actor = $1 AND $2::text IS NULL AND d.status = 'approved'),
     codes AS (DELETE FROM gateway.authorization_code c WHERE c.actor = $1 AND $2::text IS NULL AND c.consumed_at IS NULL),
     links AS (DELETE FROM gateway.sign_in_link l WHERE l.actor = $1 AND ($2::text IS NULL OR l.key_id = $2))
     SELECT (SELECT count(*) FROM sessions WHERE counts)::int AS browsers, (SELECT count(*) FROM live JOIN families USING (id))::int AS tokens, ${announceInvalidation('all', '$3::text')}`,
    [actor, keyId, notice],
  );
  return rows[0] ?? { browsers: 0, tokens: 0 };
}

export const createSignInsStore = (db: Queryable) => ({
  list: (actor: string | null, after: SignInPlace | null, limit: number) =>
    listSignIns(db, actor, after, limit),
  find: (id: string) => findSignIn(db, id),
  actors: (after: string | null, limit: number) => listActors(db, after, limit),
  countByClient: () => countByClient(db),
  end: (id: string, notice: string) => endSignIn(db, id, notice),
  endAll: (actor: string, keyId: string | null, notice: string) => endAllSignIns(db, actor, keyId, notice),
});
export type SignInsStore = ReturnType<typeof createSignInsStore>;
