// SQL that reads every table of the product in one moment.
import pg from 'pg';
import { to } from 'pg-copy-streams';
import { LOCKS } from '../../platform/database/advisory-locks.ts';
import { BEGIN_SNAPSHOT } from '../../platform/database/lent-connection.ts';
import { DomainError } from '../../platform/errors.ts';
import type { BackedUpTable } from './backup-format.ts';

/** Those of the components; `cairn` has the list of migrations, which the backup's beginning holds. */
export const PRODUCT_SCHEMAS = ['gateway', 'metadata', 'workflow', 'artifact'] as const;

/** `schema.table`, quoted. */
export const tableName = (name: string): string => name.split('.').map(pg.escapeIdentifier).join('.');
export const columnList = (columns: readonly string[]): string => columns.map(pg.escapeIdentifier).join(', ');

/** Tables with the columns that can be written, those first to which others refer. */
export async function listTables(db: pg.ClientBase): Promise<BackedUpTable[]> {
  const { rows } = await db.query<BackedUpTable & { refersTo: string[] }>(
    `SELECT n.nspname || '.' || c.relname AS name,
       ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
       ARRAY(SELECT rn.nspname || '.' || rc.relname FROM pg_constraint k JOIN pg_class rc ON rc.oid = k.confrelid JOIN pg_namespace rn ON rn.oid = rc.relnamespace
         WHERE k.contype = 'f' AND k.conrelid = c.oid AND k.confrelid <> c.oid) AS "refersTo"
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname = ANY($1::text[]) ORDER BY 1`,
    [PRODUCT_SCHEMAS],
  );
  const ordered: BackedUpTable[] = [];
  const done = new Set<string>();
  for (let left = rows; left.length > 0;) {
    const free = left.filter(({ refersTo }) => refersTo.every((name) => done.has(name)));
    if (free.length === 0)
      throw new Error(`tables refer to each other: ${left.map(({ name }) => name).join()}`);
    for (const { name, columns } of free) {
      ordered.push({ name, columns });
      done.add(name);
    }
    left = left.filter(({ name }) => !done.has(name));
  }
  return ordered;
}

/** Waits for evictions and migrations under way, which are short; then none begins until the session ends. */
export async function lockOutRemovals(client: pg.ClientBase): Promise<void> {
  await client.query(`SET lock_timeout = '60s'`);
  await client.query('SELECT pg_advisory_lock($1)', [LOCKS.backup]).catch((cause: unknown) => {
    throw new DomainError(
      'conflict',
      'another backup of this instance is under way, or a migration: try again when it has ended',
      {},
      { cause },
    );
  });
}

/**
 * Begins a transaction that sees one moment of all tables, and whose tables nobody alters until it ends: rewritten ones
 * would look empty. The locks come first: the moment is that of the first query.
 */
export async function beginSnapshot(db: pg.ClientBase, tables: readonly BackedUpTable[]): Promise<void> {
  await db.query(`${BEGIN_SNAPSHOT}; SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = '60s'`);
  await db.query(`LOCK TABLE ${tables.map(({ name }) => tableName(name)).join(', ')} IN ACCESS SHARE MODE`);
}

export interface CopiedRows extends AsyncIterable<Buffer> {
  /** When all has been read. */
  readonly rowCount: number;
}

export const copyTable = (db: pg.ClientBase, { name, columns }: BackedUpTable): CopiedRows =>
  db.query(to(`COPY ${tableName(name)} (${columnList(columns)}) TO STDOUT`));

/** The files of the store that the moment names, as lines of the backup's list. */
export const copyFileList = (db: pg.ClientBase): CopiedRows =>
  db.query(
    to(
      `COPY (SELECT hash, size FROM artifact.stored_object WHERE evicted_at IS NULL ORDER BY hash COLLATE "C") TO STDOUT`,
    ),
  );

export async function listMigrations(db: pg.ClientBase): Promise<{ name: string; checksum: string }[]> {
  const { rows } = await db.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM cairn.migration ORDER BY name COLLATE "C"',
  );
  return rows;
}

export async function serverVersion(db: pg.ClientBase): Promise<string> {
  const { rows } = await db.query<{ version: string }>(`SELECT current_setting('server_version') AS version`);
  return rows[0]?.version ?? '';
}

/** Servers that have this database open: each has a session of this name (platform/database/lock.ts). */
export async function runningServers(db: pg.ClientBase): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'cairn server, pid %'`,
  );
  return rows[0]?.n ?? 0;
}
