// The statements that end tokens, and the one that lists ended ones. Every end is announced in its own
// transaction.
import type { Queryable } from '../../platform/queryable.ts';
import { announceInvalidation } from '../credential-invalidation/credential-invalidation.store.ts';

/**
 * Ids of revoked tokens and families whose access tokens may still be in use; after their expiry by the
 * clocks of all hosts they are not needed.
 */
export async function listRevoked(db: Queryable): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT jti AS id FROM gateway.revoked_jti WHERE expires_at > now() - interval '5 minutes'
     UNION ALL SELECT id::text FROM gateway.token_family WHERE revoked_at IS NOT NULL AND access_until > now() - interval '5 minutes'
     UNION ALL SELECT f.id::text FROM gateway.token_family f JOIN gateway.api_key k ON k.id = f.client_id
       WHERE f.client_id LIKE 'key\\_%' AND f.access_until > now() - interval '5 minutes' AND k.revoked_at IS NOT NULL
     UNION ALL SELECT f.id::text FROM gateway.gateway_user u JOIN gateway.token_family f ON f.actor = 'user:' || u.name
       WHERE u.disabled_at IS NOT NULL AND f.access_until > now() - interval '5 minutes'`,
  );
  return rows.map(({ id }) => id);
}

/** Revokes one access token; returns whether it was known. */
export async function revokeJti(db: Queryable, jti: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH token AS (SELECT jti, expires_at FROM gateway.access_token WHERE jti = $1 AND expires_at > now()),
     revoked AS (INSERT INTO gateway.revoked_jti (jti, expires_at) SELECT jti, expires_at FROM token ON CONFLICT (jti) DO NOTHING)
     SELECT ${announceInvalidation('token', 'jti')} FROM token`,
    [jti],
  );
  return (rowCount ?? 0) > 0;
}

/**
 * Revokes the family of a refresh token, whatever the state of that token; returns the family, if it is
 * known.
 */
export async function revokeByRefreshToken(db: Queryable, hash: Buffer): Promise<string | undefined> {
  const { rows } = await db.query<{ family: string }>(
    `WITH token AS (SELECT family_id FROM gateway.refresh_token WHERE hash = $1),
     revoked AS (UPDATE gateway.token_family f SET revoked_at = clock_timestamp() FROM token WHERE f.id = token.family_id AND f.revoked_at IS NULL)
     SELECT family_id AS family, ${announceInvalidation('token', 'family_id::text')} FROM token`,
    [hash],
  );
  return rows[0]?.family;
}

/** Revokes a family; false if it was already revoked. */
export async function revokeFamily(db: Queryable, family: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH revoked AS (UPDATE gateway.token_family SET revoked_at = clock_timestamp() WHERE id = $1 AND revoked_at IS NULL RETURNING id)
     SELECT ${announceInvalidation('token', 'id::text')} FROM revoked`,
    [family],
  );
  return rowCount === 1;
}

/**
 * Ends what was given to clients that are neither configured nor API keys, whoever knew them: another process may still
 * have served such a client when it was removed. Announced once, since there may be many.
 */
export async function revokeFamiliesOfOthers(db: Queryable, configured: readonly string[]): Promise<void> {
  await db.query(
    `WITH ended AS (UPDATE gateway.token_family f SET revoked_at = clock_timestamp() WHERE f.revoked_at IS NULL AND f.client_id <> ALL ($1::text[])
       AND NOT EXISTS (SELECT FROM gateway.api_key k WHERE k.id = f.client_id) RETURNING f.id)
     SELECT ${announceInvalidation('all', 'gen_random_uuid()::text')} WHERE EXISTS (SELECT FROM ended)`,
    [configured],
  );
}
