// Prepares an empty database for the rows of a backup: with the migrations that the backup's version had applied, and
// marked, so that no server starts over what is not whole yet.
import type pg from 'pg';
import type { Logger } from 'pino';
import { DomainError } from '../errors.ts';
import { BOOT_LOCK, checkServer, connectToBoot } from './boot.ts';
import { appliedChecksums, applyMigrations, isRestoring, migrationsOf, RESTORING } from './migrations.ts';
import { ensureRoles, OWNER } from './roles.ts';

const SCHEMAS = ['cairn', 'gateway', 'metadata', 'workflow', 'artifact'] as const;

async function hasSchemas(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM pg_namespace WHERE nspname = ANY($1::text[]) LIMIT 1',
    [SCHEMAS],
  );
  return rowCount === 1;
}

export interface RestorableDatabase {
  /** A session as the owner. */
  readonly client: pg.Client;
  /** Whether a restore before this one was interrupted. */
  readonly wasInterrupted: boolean;
}

/**
 * @param applied the backup's migrations
 * @param assertEmptyStore called before anything is changed
 * @throws DomainError `conflict` where the database is not empty, the login may not become the owner, or a newer version
 * has made the backup
 */
export async function prepareRestore(
  url: string,
  applied: readonly { readonly name: string; readonly checksum: string }[],
  log: Logger,
  assertEmptyStore: (wasInterrupted: boolean) => Promise<void>,
): Promise<RestorableDatabase> {
  const migrations = await migrationsOf(applied);
  const client = await connectToBoot(url);
  client.on('error', (error) => {
    log.warn({ err: error }, 'the connection of the restore was lost');
  });
  try {
    await checkServer(client);
    await client.query('SELECT pg_advisory_lock($1)', [BOOT_LOCK]); // until the session ends: no server boots meanwhile
    const wasInterrupted = await isRestoring(client);
    if (!wasInterrupted && ((await appliedChecksums(client)).size > 0 || (await hasSchemas(client))))
      throw new DomainError(
        'conflict',
        'the database is not empty: a backup is restored into one that has no instance of Cairn, not even one of "cairn init"; create a new database, or name another data directory',
      );
    if (!(await ensureRoles(client)).ownerAvailable)
      throw new DomainError(
        'conflict',
        `a restore needs a login that may become ${OWNER}, like the migrations of a new version: GRANT ${OWNER} to it, or name another in DATABASE_URL`,
      );
    await assertEmptyStore(wasInterrupted);
    if (wasInterrupted)
      await client.query(
        `BEGIN; SET LOCAL ROLE ${OWNER}; DROP SCHEMA IF EXISTS ${SCHEMAS.join()} CASCADE; COMMIT`,
      );
    await client.query(
      `BEGIN; SET LOCAL ROLE ${OWNER}; CREATE SCHEMA cairn; CREATE TABLE ${RESTORING} (since timestamptz NOT NULL DEFAULT now()); COMMIT`,
    );
    await applyMigrations(client, OWNER, migrations);
    await client.query(`SET ROLE ${OWNER}`);
    return { client, wasInterrupted };
  } catch (fault) {
    await client.end();
    throw fault;
  }
}

/** The restore has ended: servers may start. In the transaction of its last statement. */
export async function endRestore(client: pg.ClientBase): Promise<void> {
  await client.query(`DROP TABLE ${RESTORING}`);
}
