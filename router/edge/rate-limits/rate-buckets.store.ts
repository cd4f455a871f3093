// Rate limits in PostgreSQL: the statements on gateway.rate_bucket.
import { createHash } from 'node:crypto';
import type { Queryable } from '../../../platform/queryable.ts';
import type { Rate } from './rate-limiter.ts';
import type { Ask, TokenLease } from './rate-buckets.ts';

interface Row {
  key: Buffer;
  granted: number;
  full_in: number;
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/**
 * Grants tokens in one statement, by the database's clock after the row is locked. Rows are locked in the
 * order of their keys, which avoids deadlocks. A ten-thousandth of a token compensates for rounded instants.
 */
export async function leaseTokens(
  db: Queryable,
  asks: readonly Ask[],
  { perSecond, burst }: Rate,
): Promise<TokenLease[]> {
  const hashes = asks.map(({ key }) => hashOf(key));
  const { rows } = await db.query<Row>(
    `WITH leased AS (
       INSERT INTO gateway.rate_bucket AS b (key, granted, full_at)
       SELECT key, least(want, $4::int), clock_timestamp() + make_interval(secs => least(want, $4::int) / $3::float8)
       FROM unnest($1::bytea[], $2::int[]) AS ask (key, want) ORDER BY key
       ON CONFLICT (key) DO UPDATE SET (granted, full_at) = (
         SELECT g, greatest(b.full_at, at) + make_interval(secs => g / $3::float8)
         FROM (SELECT clock_timestamp() AS at) AS now
         CROSS JOIN LATERAL (SELECT least(EXCLUDED.granted, greatest(0, floor($4::int - greatest(0, extract(epoch FROM b.full_at - at)::float8) * $3::float8 + 0.0001)))::int AS g) AS grant_)
       RETURNING key, granted, full_at)
     SELECT key, granted, greatest(0, extract(epoch FROM full_at - clock_timestamp()))::float8 AS full_in FROM leased`,
    [hashes, asks.map(({ want }) => want), perSecond, burst],
  );
  const found = new Map(rows.map((row) => [row.key.toString('latin1'), row]));
  return hashes.map((hash) => {
    const row = found.get(hash.toString('latin1'));
    if (row === undefined) throw new Error('a rate limit bucket was not answered');
    return { granted: row.granted, fullIn: row.full_in };
  });
}

/** Removes full buckets, which equal absent ones, except those in use just now. */
export async function sweepBuckets(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM gateway.rate_bucket WHERE key IN (
       SELECT key FROM gateway.rate_bucket WHERE full_at < clock_timestamp() LIMIT 20000 FOR UPDATE SKIP LOCKED)`,
  );
  return rowCount ?? 0;
}
