// The statement that reads gateway.signing_key. Times leave as milliseconds from now by the database's clock, which all processes share.
import type { JWK } from 'jose';
import type { Queryable } from '../queryable.ts';

/** Told with the new key's id when the keys have changed. */
export const SIGNING_KEYS_CHANGED = 'gateway_signing_keys_changed';

export interface StoredKey {
  readonly kid: string;
  readonly publicJwk: JWK;
  /** Null once the key signs no more. */
  readonly privateJwk: JWK | null;
  /** Milliseconds until it signs; negative where it does already. */
  readonly activeInMs: number;
}

/** Every key by which a token may still be verified, the one that signs last first. */
export async function listStoredKeys(db: Queryable): Promise<readonly StoredKey[]> {
  const { rows } = await db.query<StoredKey>(
    `SELECT kid, public_jwk AS "publicJwk", private_jwk AS "privateJwk", (extract(epoch FROM active_from - now()) * 1000)::float8 AS "activeInMs"
     FROM gateway.signing_key WHERE retires_at IS NULL OR retires_at > now() ORDER BY active_from DESC, kid`,
  );
  return rows;
}
