// Restores a backup into an empty place: database and store (docs/reference/backups.md#restore).
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { bootDatabase } from '../../platform/database/boot.ts';
import type { ReachedServer } from '../../platform/database/open.ts';
import { endRestore, prepareRestore } from '../../platform/database/restore-into.ts';
import { OWNER } from '../../platform/database/roles.ts';
import { DomainError } from '../../platform/errors.ts';
import type { ObjectStore } from '../../subgraphs/artifact/storage/object-store.ts';
import { findContradiction } from '../../subgraphs/metadata/archive/check-restored.store.ts';
import { continueLog } from '../../subgraphs/metadata/archive/restore.store.ts';
import { indexMarkedFields } from '../../subgraphs/metadata/archive/index-marked-fields.ts';
import {
  type BackedUpTable,
  type BackupBeginning,
  type BackupManifest,
  refusedBackup,
} from './backup-format.ts';
import { listTables } from './dump.store.ts';
import {
  analyseTables,
  clearTables,
  continueCounting,
  countRows,
  fillTable,
  type TableWriter,
  withoutTriggers,
} from './load.store.ts';
import { type BackupSink, readBackup } from './read-backup.ts';
import { completeRecord } from './record.store.ts';
import { endSessions, pauseTriggers, settle } from './settle.store.ts';
import type { BackupSource } from './target.ts';

export interface RestoreChoices {
  /** End all sign-ins. */
  readonly revokeSessions: boolean;
  /** Pause all triggers. */
  readonly pauseTriggers: boolean;
}

export interface RestorePlace {
  readonly server: ReachedServer;
  readonly store: ObjectStore;
  /** For content on its way into the store. */
  readonly incoming: string;
  readonly log: Logger;
  /** Who restores: `os:<account>`. */
  readonly actor: string;
}

/** Fills the tables and the store. */
class Restoration implements BackupSink {
  readonly #place: RestorePlace;
  #client: pg.Client | undefined;
  #tables: ReadonlyMap<string, BackedUpTable> = new Map();
  #writer: { readonly table: string; readonly rows: TableWriter } | undefined;
  #switchOn = (): Promise<void> => Promise.resolve();

  constructor(place: RestorePlace) {
    this.#place = place;
  }

  get client(): pg.Client {
    if (this.#client === undefined) throw refusedBackup('is empty');
    return this.#client;
  }

  async begin({ migrations, tables }: BackupBeginning): Promise<void> {
    const { server, store, log } = this.#place;
    const { client, wasInterrupted } = await prepareRestore(
      server.bootUrl,
      migrations,
      log,
      async (again) => {
        if (again || (await store.isEmpty())) return;
        throw new DomainError(
          'conflict',
          'the artifact store is not empty: a backup is restored into one that has no files; name another in artifact.store',
        );
      },
    );
    this.#client = client;
    if (wasInterrupted) log.warn('a restore into this database was interrupted: it begins anew');
    await client.query(
      'BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0',
    );
    const here = await listTables(client);
    this.#tables = new Map(here.map((table) => [table.name, table]));
    for (const table of tables) this.#assertKnown(table);
    if (tables.length !== here.length) throw refusedBackup('lacks tables that its version of Cairn has');
    this.#switchOn = await withoutTriggers(client);
    await clearTables(client, here);
  }

  /** Names of tables and columns are those of this database: what a backup says is compared with them. */
  #assertKnown({ name, columns }: BackedUpTable): void {
    const table = this.#tables.get(name);
    if (table === undefined || [...table.columns].sort().join() !== [...columns].sort().join())
      throw refusedBackup(`has a table that its version of Cairn does not have: ${name}`);
  }

  async rows(table: string, content: Buffer, columns: readonly string[]): Promise<void> {
    if (this.#writer?.table !== table) {
      const rows = fillTable(this.client, { name: table, columns });
      rows.on('error', () => undefined); // thrown at the next piece, or at the end
      this.#writer = { table, rows };
    }
    const { rows } = this.#writer;
    if (rows.errored) throw rows.errored;
    if (!rows.write(content)) await once(rows, 'drain');
  }

  async endTable(table: string): Promise<number> {
    const rows = this.#writer?.table === table ? this.#writer.rows : undefined;
    if (rows === undefined) return 0;
    if (rows.errored) throw rows.errored;
    rows.end();
    await finished(rows);
    return rows.rowCount;
  }

  async file(_hash: string, content: AsyncIterable<Buffer>): Promise<void> {
    const { store, incoming } = this.#place;
    await mkdir(incoming, { recursive: true, mode: 0o700 });
    const spooled = path.join(incoming, randomUUID());
    try {
      await pipeline(Readable.from(content), createWriteStream(spooled, { flags: 'wx', mode: 0o600 }));
      await store.keep(spooled);
    } finally {
      await rm(spooled, { force: true });
    }
  }

  /** Everything is there as the manifest says. */
  async commit(): Promise<void> {
    await continueLog(this.client);
    await continueCounting(this.client);
    await this.#switchOn();
    await this.client.query('COMMIT');
    await analyseTables(this.client, [...this.#tables.values()]);
  }

  async close(): Promise<void> {
    await rm(this.#place.incoming, { recursive: true, force: true });
    await this.#client?.end();
  }
}

/** After the migrations of this version. @throws DomainError for what contradicts the log */
async function finishRestore(
  client: pg.Client,
  manifest: BackupManifest,
  { actor }: RestorePlace,
  choices: RestoreChoices,
): Promise<void> {
  await client.query('BEGIN; SET LOCAL statement_timeout = 0');
  const found = await findContradiction(client);
  if (found !== null)
    throw refusedBackup(
      `contradicts itself: it has ${found.what} (${found.which}); the database that was backed up has it too`,
    );
  await settle(client);
  await completeRecord(client, manifest, 'restored_at');
  await indexMarkedFields(client);
  if (choices.revokeSessions) await endSessions(client);
  if (choices.pauseTriggers) await pauseTriggers(client, actor);
  await endRestore(client);
  await client.query('COMMIT');
  await analyseTables(
    client,
    manifest.tables.filter(({ name }) => name.startsWith('metadata.')),
  );
}

/** Counts again what stands in the database before anything is settled. */
async function recount(client: pg.Client, { sections, tables }: BackupManifest): Promise<void> {
  for (const { name } of tables) {
    const wanted = sections.find((section) => section.name === name)?.rows ?? 0;
    const there = await countRows(client, name);
    if (there !== wanted)
      throw refusedBackup(`was not restored whole: ${name} has ${there} rows instead of ${wanted}`);
  }
}

/**
 * All of it. What fails leaves the place marked: no server starts over it, and another restore begins anew.
 * @throws DomainError `conflict` for a place that is not empty, `validation_failed` for what is no whole backup
 */
export async function restoreBackup(
  source: BackupSource,
  place: RestorePlace,
  choices: RestoreChoices,
): Promise<BackupManifest> {
  const restoration = new Restoration(place);
  try {
    const manifest = await readBackup(source, restoration);
    await recount(restoration.client, manifest);
    await restoration.commit();
    await restoration.client.query('RESET ROLE; SELECT pg_advisory_unlock_all()'); // a boot follows
    const { server, log } = place;
    await bootDatabase({
      url: server.bootUrl,
      log,
      isRestoring: true,
      ...(server.appPassword === undefined ? {} : { appPassword: server.appPassword }),
    });
    await restoration.client.query(`SET ROLE ${OWNER}`);
    await finishRestore(restoration.client, manifest, place, choices);
    return manifest;
  } finally {
    await restoration.close();
  }
}
