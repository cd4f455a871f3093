// SQL of the configured clients at the last start.
import type { Queryable } from '../../platform/queryable.ts';
import { LOCKS } from '../../platform/database/advisory-locks.ts';

export interface KnownClient {
  readonly clientId: string;
  readonly definition: unknown;
  /** Null for a public client. */
  readonly secretHash: string | null;
}

/** The rows are locked until the transaction ends. */
export async function holdKnownClients(db: Queryable): Promise<KnownClient[]> {
  await db.query('SELECT pg_advisory_xact_lock($1)', [LOCKS.configuredClients]);
  const { rows } = await db.query<KnownClient>(
    'SELECT client_id AS "clientId", definition, secret_hash AS "secretHash" FROM gateway.configured_client',
  );
  return rows;
}

export async function rememberClient(
  db: Queryable,
  { clientId, definition, secretHash }: KnownClient,
): Promise<void> {
  await db.query(
    `INSERT INTO gateway.configured_client (client_id, definition, secret_hash) VALUES ($1, $2, $3)
     ON CONFLICT (client_id) DO UPDATE SET definition = excluded.definition, secret_hash = excluded.secret_hash, since = clock_timestamp()`,
    [clientId, JSON.stringify(definition), secretHash],
  );
}

export async function forgetClient(db: Queryable, clientId: string): Promise<void> {
  await db.query('DELETE FROM gateway.configured_client WHERE client_id = $1', [clientId]);
}
