// Archives of a whole instance, for the operator's commands: written from one moment of the database, and restored into
// an empty one as the role that owns it (docs/reference/archives.md). They are no part of any API: who imports writes
// the log itself.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Beginning, FORMAT, FORMAT_VERSION } from '../platform/archive/archive-format.ts';
import { linesSql } from '../platform/archive/table-section.ts';
import { BEGIN_WALK, walkLines } from '../platform/archive/walk-rows.store.ts';
import { type Archived, type ArchivedFile, writeArchive } from '../platform/archive/write-archive.ts';
import type { Config } from '../platform/config/load-config.ts';
import type { Database } from '../platform/database/connect.ts';
import { mayInitialise } from '../platform/database/may-initialise.ts';
import { openDatabase } from '../platform/database/open.ts';
import { OWNER } from '../platform/database/roles.ts';
import { DomainError, masked } from '../platform/errors.ts';
import type { Queryable } from '../platform/queryable.ts';
import type { AuditLog } from '../router/edge/audit/audit-log.ts';
import { openAuditLog } from '../router/edge/audit/open-audit-log.ts';
import { operatorRecord } from '../router/edge/audit/operator.ts';
import { stdoutSink } from '../router/edge/audit/stdout-sink.ts';
import { ARTIFACT_TABLES } from '../subgraphs/artifact/archive/archived-tables.ts';
import { CONTENTS, keptOf } from '../subgraphs/artifact/archive/restore.store.ts';
import { ContentMissing, type ObjectStore } from '../subgraphs/artifact/storage/object-store.ts';
import { openObjectStore } from '../subgraphs/artifact/storage/open-store.ts';
import { METADATA_TABLES } from '../subgraphs/metadata/archive/archived-tables.ts';
import { lastEvent } from '../subgraphs/metadata/archive/check-restored.store.ts';
import { type ArchiveSummary, type Importer, restore } from './archives/restore.ts';

const TABLES = new Map([...METADATA_TABLES, ...ARTIFACT_TABLES].map((table) => [table.name, table]));

export interface ArchiveOptions {
  readonly config: Config;
  readonly log: Logger;
}

export interface Exporter {
  /** Writes the archive at the pace of `output`, and ends it. */
  write(output: Writable): Promise<ArchiveSummary>;
  close(): Promise<void>;
}

/** @throws DomainError `conflict` where a component has a store elsewhere */
async function open({ config, log }: ArchiveOptions, name: string, claim: boolean): Promise<Database> {
  const elsewhere = Object.entries(config.components).find(
    ([component, { url }]) => url !== undefined && (component === 'metadata' || component === 'artifact'),
  );
  if (elsewhere !== undefined)
    throw new DomainError(
      'conflict',
      `component ${elsewhere[0]} runs elsewhere (components.${elsewhere[0]}.url): archives need its database; use a configuration without that address, on the machine that has the database and the artifact store`,
    );
  return openDatabase({
    ...(config.database.url === undefined ? {} : { url: config.database.url }),
    dataDir: config.database.dataDir,
    binaries: config.database.binaries,
    applicationName: `cairn ${name}`,
    poolSize: 2,
    log,
    claim,
    mayInitialise: mayInitialise(config.server.mode, name === 'import'),
  });
}

/** Records the act: who has taken everything, or brought it, is not in the archive itself. */
async function recorded(
  audit: AuditLog | undefined,
  command: 'export' | 'import',
  work: () => Promise<Archived>,
): Promise<ArchiveSummary> {
  const startedAt = Date.now();
  const record = (status: number, subject: string, details: Readonly<Record<string, unknown>>): void => {
    const changes = [{ action: `archive.${command}`, subject, details }];
    audit?.record(operatorRecord({ path: command, status, startedAt, endedAt: Date.now(), changes }));
  };
  try {
    const { id, manifest } = await work();
    record(200, id, {
      position: manifest.position,
      events: manifest.sections.log.rows,
      files: manifest.files.count,
    });
    return { id, manifest };
  } catch (fault) {
    record(masked(fault).status, 'archive', {
      message: fault instanceof Error ? fault.message : String(fault),
    });
    throw fault;
  }
}

/** Standard output is the archive's, or the command's answer. */
const auditOf = ({ config, log }: ArchiveOptions, { pool }: Database): AuditLog | undefined => {
  const settings = config.observability.auditLog;
  return openAuditLog(
    settings,
    pool,
    log,
    settings.backend === 'stdout' ? stdoutSink(process.stderr) : undefined,
  );
};

async function beginningOf(db: Queryable): Promise<Beginning> {
  const { position, time } = await lastEvent(db);
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    position: position === null ? null : Number(position),
    time,
  };
}

async function* contents(db: Queryable): AsyncGenerator<ArchivedFile, void, undefined> {
  for await (const lines of walkLines(db, CONTENTS)) yield* lines.map(keptOf);
}

const readContent =
  (store: ObjectStore) =>
  async ({ hash }: ArchivedFile): Promise<Readable> =>
    store.read(hash).catch((cause: unknown) => {
      if (!(cause instanceof ContentMissing)) throw cause;
      throw new DomainError(
        'not_found',
        `the artifact store lacks a file that entities have: ${hash}`,
        {},
        { cause },
      );
    });

async function exportWith(client: pg.PoolClient, store: ObjectStore, output: Writable): Promise<Archived> {
  await client.query(BEGIN_WALK);
  return writeArchive(
    {
      beginning: await beginningOf(client),
      sections: [...TABLES.values()].map((table) => ({
        name: table.name,
        batches: walkLines(client, linesSql(table)),
      })),
      files: contents(client),
      content: readContent(store),
    },
    output,
  );
}

/** Reads one moment of the database, beside servers that go on. */
export async function openExporter(options: ArchiveOptions): Promise<Exporter> {
  const database = await open(options, 'export', false);
  const audit = auditOf(options, database);
  return {
    write: (output) =>
      recorded(audit, 'export', async () => {
        const store = await openObjectStore(options.config.artifact.store);
        const client = await database.pool.connect();
        try {
          return await exportWith(client, store, output);
        } finally {
          client.release(true); // with it ends its transaction, at whatever statement
        }
      }),
    async close() {
      await audit?.close();
      await database.close();
    },
  };
}

const importWith = async (
  client: pg.Client,
  { config, log }: ArchiveOptions,
  input: Readable,
): Promise<Archived> =>
  restore(
    client,
    {
      place: {
        store: await openObjectStore(config.artifact.store),
        directory: path.join(config.database.dataDir, `import-${randomUUID()}`),
      },
      clockAheadSeconds: config.metadata.clockAheadSeconds,
      log,
    },
    input,
  );

/** Restores as the owner of the database: no API, and no server's role, writes events that have happened elsewhere. */
export async function openImporter(options: ArchiveOptions): Promise<Importer> {
  const database = await open(options, 'import', true);
  const audit = auditOf(options, database);
  return {
    read: (input) =>
      recorded(audit, 'import', () => {
        if (database.asOwner === undefined)
          throw new DomainError(
            'conflict',
            `an import needs a login that may become ${OWNER}, like the migrations of a new version: GRANT ${OWNER} to it, or name another in DATABASE_URL`,
          );
        return database.asOwner((client) => importWith(client, options, input));
      }),
    async close() {
      await audit?.close();
      await database.close();
    },
  };
}
