// Applies prisma/migrations at start over a connection, without Prisma's command line, engine or downloads.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { DomainError } from '../errors.ts';
import { projectRoot } from '../project-root.ts';
import { WRITE_FORMAT } from './write-format.ts';

export const migrationsDir = path.join(projectRoot, 'prisma', 'migrations');

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = entries
    .filter((e) => e.isDirectory())
    .map((e) => e.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(path.join(dir, name, 'migration.sql'));
      return {
        name,
        sql: bytes.toString('utf8'),
        checksum: createHash('sha256').update(bytes).digest('hex'),
      };
    }),
  );
}

/** What was applied, by its name; empty for a database without an instance. */
export async function appliedChecksums(client: pg.Client): Promise<Map<string, string>> {
  const {
    rows: [found],
  } = await client.query<{ exists: boolean }>(`SELECT to_regclass('cairn.migration') IS NOT NULL AS exists`);
  if (found?.exists !== true) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM cairn.migration',
  );
  return new Map(rows.map((r) => [r.name, r.checksum]));
}

const refuse = (message: string): DomainError => new DomainError('conflict', message);

export interface MigrationState {
  /** Those that are not applied yet, in order. */
  readonly pending: readonly Migration[];
  /** Names of those that a newer version has applied, beside which this one can write. */
  readonly ahead: readonly string[];
}

async function writeFormat(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ format: number }>('SELECT format FROM metadata.write_format');
  return rows[0]?.format ?? WRITE_FORMAT;
}

/**
 * Compares the database with this build.
 * @throws DomainError `conflict` where a newer version has changed what is written, or an applied migration was
 * edited.
 */
export async function migrationState(client: pg.Client, dir = migrationsDir): Promise<MigrationState> {
  const known = await readMigrations(dir);
  const applied = await appliedChecksums(client);
  const names = new Set(known.map((m) => m.name));
  const ahead = [...applied.keys()].filter((name) => !names.has(name)).sort();
  if (ahead.length > 0 && (await writeFormat(client)) > WRITE_FORMAT)
    throw refuse(
      `the database is newer than this version of Cairn: it has the migrations ${ahead.join(', ')}; start the version that applied them, or a newer one`,
    );
  const edited = known.find((m) => applied.has(m.name) && applied.get(m.name) !== m.checksum);
  if (edited)
    throw refuse(
      `migration ${edited.name} was edited after it had been applied; restore it and write a new one`,
    );
  return { pending: known.filter((m) => !applied.has(m.name)), ahead };
}

/** Stands in a database as long as a restore fills it. */
export const RESTORING = 'cairn.restoring';

export async function isRestoring(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    RESTORING,
  ]);
  return rows[0]?.exists === true;
}

/** @throws DomainError `conflict` where a restore was interrupted, or is under way */
export async function assertNotRestoring(client: pg.Client): Promise<void> {
  if (await isRestoring(client))
    throw refuse(
      'the database is filled by a restore that has not ended, or was interrupted: run "cairn restore" again, which begins anew, or use another place',
    );
}

/**
 * Those that an older version had applied, in order.
 * @throws DomainError `conflict` where this version does not know all of them
 */
export async function migrationsOf(
  applied: readonly Pick<Migration, 'name' | 'checksum'>[],
  dir = migrationsDir,
): Promise<Migration[]> {
  const known = await readMigrations(dir);
  const ahead = applied.filter(({ name }) => !known.some((migration) => migration.name === name));
  if (ahead.length > 0)
    throw refuse(
      `the backup was made by a newer version of Cairn: it has the migrations ${ahead.map(({ name }) => name).join(', ')}; restore it by that version, or a newer one`,
    );
  const wanted = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const edited = known.find(({ name, checksum }) => wanted.has(name) && wanted.get(name) !== checksum);
  if (edited) throw refuse(`migration ${edited.name} is another one than in the backup's version`);
  return known.filter(({ name }) => wanted.has(name));
}

const BOOKKEEPING = `
  CREATE SCHEMA IF NOT EXISTS cairn;
  CREATE TABLE IF NOT EXISTS cairn.migration (
    name       text        PRIMARY KEY,
    checksum   text        NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  );`;

/**
 * Applies pending migrations as the role `owner`, each in one transaction. The caller holds the boot lock.
 * @throws DomainError `internal_error` naming a migration that failed.
 */
export async function applyMigrations(
  client: pg.Client,
  owner: string,
  pending: readonly Migration[],
): Promise<void> {
  for (const { name, sql, checksum } of pending) {
    try {
      await client.query(`BEGIN; SET LOCAL ROLE ${client.escapeIdentifier(owner)}; ${BOOKKEEPING}`);
      await client.query(sql);
      await client.query('INSERT INTO cairn.migration (name, checksum) VALUES ($1, $2)', [name, checksum]);
      await client.query('COMMIT');
    } catch (cause) {
      await client.query('ROLLBACK');
      throw new DomainError(
        'internal_error',
        `migration ${name} failed and was rolled back: ${cause instanceof Error ? cause.message : String(cause)}`,
        {},
        { cause },
      );
    }
  }
}
