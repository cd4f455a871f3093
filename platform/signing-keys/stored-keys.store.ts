// Reads gateway.signing_key. Times are milliseconds relative to the database's clock, which all processes
// share.
import type { JWK } from 'jose';
import type { Queryable } from '../queryable.ts';

/** The channel that is notified with the new key's id when the keys have changed. */
export const SIGNING_KEYS_CHANGED = 'gateway_signing_keys_changed';

export interface StoredKey {
  readonly kid: string;
  readonly publicJwk: JWK;
  /** Null once the key no longer signs. */
  readonly privateJwk: JWK | null;
  /** Milliseconds until the key signs; negative where it already does. */
  readonly activeInMs: number;
}

/** Returns every key that may still verify a token; the key that became active last comes first. */
export async function listStoredKeys(db: Queryable): Promise<readonly StoredKey[]> {
  const { rows } = await db.query<StoredKey>(
    `SELECT kid, public_jwk AS "publicJwk", private_jwk AS "privateJwk", (extract(epoch FROM active_from - now()) * 1000)::float8 AS "activeInMs"
     FROM gateway.signing_key WHERE retires_at IS NULL OR retires_at > now() ORDER BY active_from DESC, kid`,
  );
  return rows;
}
