// Whether a token that something was submitted with still stands.
import type { Queryable } from '../../platform/queryable.ts';

/**
 * Whether nothing has ended an access token, its family, the key or the account it came of. That it grows old
 * by itself ends nothing it began.
 */
export async function tokenStands(db: Queryable, family: string, jti: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM gateway.token_family f
       LEFT JOIN gateway.gateway_user u ON f.actor LIKE 'user:%' AND u.name = substr(f.actor, 6)
       LEFT JOIN gateway.api_key k ON f.client_id LIKE 'key\\_%' AND k.id = f.client_id
     WHERE f.id::text = $1 AND f.revoked_at IS NULL AND u.disabled_at IS NULL AND k.revoked_at IS NULL
       AND NOT EXISTS (SELECT FROM gateway.revoked_jti r WHERE r.jti = $2)`,
    [family, jti],
  );
  return (rowCount ?? 0) > 0;
}
