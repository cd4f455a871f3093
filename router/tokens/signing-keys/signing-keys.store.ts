// The statements that create and end keys in gateway.signing_key. Times are returned as milliseconds from now
// by the database's clock, which all processes share.
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { JWK } from 'jose';
import type { Pool, PoolClient } from 'pg';
import type { Queryable } from '../../../platform/queryable.ts';
import { SIGNING_KEYS_CHANGED } from '../../../platform/signing-keys/stored-keys.store.ts';
import { LOCKS } from '../../../platform/database/advisory-locks.ts';

/** Runs `work` under the lock, in one transaction. */
export async function withKeysLocked<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCKS.signingKeys]);
    return work(client);
  });
}

/**
 * Milliseconds since the newest key began to sign; negative if it does not sign yet; undefined without any
 * key.
 */
export async function newestKeyAge(db: Queryable): Promise<number | undefined> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT (extract(epoch FROM now() - active_from) * 1000)::float8 AS age FROM gateway.signing_key WHERE retires_at IS NULL ORDER BY active_from DESC LIMIT 1`,
  );
  return rows[0]?.age;
}

export interface NewSigningKey {
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
  /** Seconds from now until it signs: the time that verifiers have to learn of it. */
  readonly activeInSeconds: number;
  /** Seconds after that for which the earlier keys still verify. */
  readonly overlapSeconds: number;
}

/**
 * Adds a key, replacing one that does not sign yet, sets the end of every earlier one, and notifies all
 * processes at the transaction's end.
 */
export async function insertSigningKey(db: Queryable, key: NewSigningKey): Promise<void> {
  await db.query(
    `WITH unused AS (DELETE FROM gateway.signing_key WHERE active_from > now()),
     retiring AS (UPDATE gateway.signing_key SET retires_at = now() + make_interval(secs => $4::float8 + $5::float8) WHERE retires_at IS NULL AND active_from <= now())
     INSERT INTO gateway.signing_key (kid, public_jwk, private_jwk, active_from) VALUES ($1, $2, $3, now() + make_interval(secs => $4::float8))`,
    [
      key.kid,
      JSON.stringify(key.publicJwk),
      JSON.stringify(key.privateJwk),
      key.activeInSeconds,
      key.overlapSeconds,
    ],
  );
  await db.query('SELECT pg_notify($1, $2)', [SIGNING_KEYS_CHANGED, key.kid]);
}

/**
 * Deletes keys whose tokens have expired, and the private halves of those that have had a successor for
 * longer than a minute.
 */
export async function sweepKeys(db: Queryable): Promise<void> {
  await db.query(
    `WITH gone AS (DELETE FROM gateway.signing_key WHERE retires_at < now())
     UPDATE gateway.signing_key k SET private_jwk = NULL
     WHERE k.private_jwk IS NOT NULL AND k.retires_at >= now()
       AND EXISTS (SELECT FROM gateway.signing_key later WHERE later.active_from > k.active_from AND later.active_from < now() - interval '1 minute')`,
  );
}
