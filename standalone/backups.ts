// Backups of a whole instance, for the operator's commands: database and store of one moment, beside running servers
// (docs/reference/backups.md). No part of any API: who backs up reads all, secrets included; who restores writes all.
import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Writable } from 'node:stream';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../platform/config/load-config.ts';
import { connectToBoot } from '../platform/database/boot.ts';
import { hasCluster } from '../platform/database/embedded/cluster.ts';
import { appliedChecksums, assertNotRestoring } from '../platform/database/migrations.ts';
import { assumeReader } from '../platform/database/roles.ts';
import { DomainError } from '../platform/errors.ts';
import { productVersion } from '../platform/product-version.ts';
import { systemErrorCode } from '../platform/system-error-code.ts';
import { openObjectStore } from '../subgraphs/artifact/storage/open-store.ts';
import { type BackupBeginning, type BackupManifest, refusedBackup } from './backups/backup-format.ts';
import { readMoment } from './archiving/moment.ts';
import { chainFor } from './archiving/choose-chain.ts';
import { type RestoredMoment, restoreUntil } from './archiving/restore-until.ts';
import {
  beginSnapshot,
  listMigrations,
  listTables,
  lockOutRemovals,
  runningServers,
  serverVersion,
} from './backups/dump.store.ts';
import { blobsOf, type NamedPart, sourceOf, targetOf, recordedPlace } from './backups/place.ts';
import { reached } from './backups/reached.ts';
import { readBackup } from './backups/read-backup.ts';
import { recordAct } from './backups/record-act.ts';
import { withRecord } from './backups/with-record.ts';
import { type KeptBackup, listBackups } from './backups/repository.ts';
import { restoreBackup, type RestoreChoices } from './backups/restore.ts';
import type { Secrets } from './backups/sealing.ts';
import { type BackupProgress, writeBackup } from './backups/write-backup.ts';

interface PlaceOptions {
  readonly config: Config;
  readonly log: Logger;
  /** A file, a directory, `s3://bucket/prefix`, or `-`. */
  readonly place: string;
  readonly cwd: string;
  readonly secrets: Secrets;
}

export interface CreateOptions extends PlaceOptions {
  readonly stdout: Writable;
  readonly signal: AbortSignal;
  /** Filled while the backup is written. */
  readonly progress: BackupProgress;
}

export interface Created {
  readonly address: string;
  readonly manifest: BackupManifest;
  /** Servers that went on meanwhile. */
  readonly servers: number;
}

export interface CreatedBackup extends Created {
  /** Whether the database has a record of it. */
  readonly isRecorded: boolean;
}

/** PostgreSQL's code for a disk that is full; the others are the system's. */
const NO_ROOM: readonly unknown[] = ['ENOSPC', 'EDQUOT', '53100'];

/** Says where a disk is full; other faults are told as they are. */
const noRoom =
  (message: string) =>
  (fault: unknown): never => {
    throw NO_ROOM.includes(systemErrorCode(fault))
      ? new DomainError('component_unavailable', message, {}, { cause: fault })
      : fault;
  };

const namedOf = ({ config, place, cwd, secrets }: PlaceOptions): NamedPart => ({
  name: place,
  cwd,
  store: config.artifact.store,
  secrets,
});

/** @throws DomainError `conflict` where a component has a database elsewhere */
function assertHere({ components }: Config): void {
  const elsewhere = (['metadata', 'workflow', 'artifact'] as const).find(
    (name) => components[name]?.url !== undefined,
  );
  if (elsewhere !== undefined)
    throw new DomainError(
      'conflict',
      `component ${elsewhere} runs elsewhere (components.${elsewhere}.url): backups need its database; use a configuration without that address, on the machine that has the database and the artifact store`,
    );
}

async function beginningOf(client: pg.Client): Promise<BackupBeginning> {
  const created = new Date();
  return {
    format: 'cairn-backup',
    version: 1,
    id: `${created.toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`,
    created: created.toISOString(),
    cairn: productVersion,
    postgres: await serverVersion(client),
    migrations: await listMigrations(client),
    tables: await listTables(client),
  };
}

async function createFrom(
  client: pg.Client,
  bootUrl: string,
  options: CreateOptions,
): Promise<CreatedBackup> {
  if ((await appliedChecksums(client)).size === 0)
    throw new DomainError('not_found', 'there is nothing to back up: the database has no instance of Cairn');
  await assertNotRestoring(client);
  await assumeReader(client);
  await lockOutRemovals(client);
  const servers = await runningServers(client);
  const beginning = await beginningOf(client);
  const { config, log, place, secrets, progress, signal } = options;
  let address = place;
  const write = async (): Promise<BackupManifest> => {
    const store = await openObjectStore(config.artifact.store);
    const target = await targetOf(namedOf(options), options.stdout);
    ({ address } = target);
    await beginSnapshot(client, beginning.tables);
    const manifest = await writeBackup({ db: client, store, target, progress, signal }, beginning);
    await client.query('COMMIT');
    return manifest;
  };
  const encrypted = secrets.passphrase !== undefined || secrets.recipients !== undefined;
  const record = { id: beginning.id, encrypted, ...(await recordedPlace(namedOf(options))) };
  const { manifest, isRecorded } = await withRecord({ client, bootUrl, log }, record, () =>
    write().catch(
      noRoom(`there is no room left in ${record.destination}: what was written there is no whole backup`),
    ),
  );
  return { address, manifest, servers, isRecorded };
}

/** Reads one moment of the database, beside servers that go on; migrates nothing. */
export async function createBackup(options: CreateOptions): Promise<CreatedBackup> {
  const { config, log } = options;
  assertHere(config);
  if (config.database.url === undefined && !hasCluster(config.database.dataDir))
    throw new DomainError(
      'not_found',
      `there is nothing to back up: ${config.database.dataDir} has no database`,
    );
  const server = await reached(config, log, false);
  try {
    const client = await connectToBoot(server.bootUrl);
    client.on('error', (error) => {
      log.warn({ err: error }, 'the connection of the backup was lost');
    });
    try {
      const startedAt = Date.now();
      const created = await createFrom(client, server.bootUrl, options);
      const { id, position, files } = created.manifest;
      await recordAct(options, client, {
        command: 'backup',
        subject: id,
        startedAt,
        details: { to: created.address, position, files: files.count },
      });
      return created;
    } finally {
      await client.end();
    }
  } finally {
    await server.release();
  }
}

export interface ReadOptions extends PlaceOptions {
  /** Of one of several backups of the place; by default the newest that is whole. */
  readonly id?: string | undefined;
}

/** Reads all of it, and compares it with its manifest. */
export async function verifyBackup(options: ReadOptions): Promise<Created> {
  const source = await sourceOf(namedOf(options), options.id);
  const manifest = await readBackup(source, {
    begin: () => Promise.resolve(),
    rows: () => Promise.resolve(),
    endTable: () => Promise.resolve(null),
    async file(_, content) {
      for await (const chunk of content) void chunk;
    },
  });
  return { address: source.address, manifest, servers: 0 };
}

/** The backups of a place, the newest first. */
export async function listKept(options: PlaceOptions): Promise<readonly KeptBackup[]> {
  const blobs = await blobsOf(namedOf(options));
  if (blobs === null) throw refusedBackup('is a single file: "cairn backup verify" says what it holds');
  return listBackups(blobs);
}

export interface RestoreUntilOptions extends RestoreOptions {
  /** A time, a position of the log, or `latest`. */
  readonly until: string;
}

/** A moment of the archive of the write-ahead log, into the empty data directory and store of the configuration. */
export async function restoreMoment(
  options: RestoreUntilOptions,
): Promise<RestoredMoment & { readonly address: string }> {
  const { config, log, actor, until } = options;
  assertHere(config);
  const moment = readMoment(until);
  if (config.database.url !== undefined)
    throw new DomainError(
      'conflict',
      'the archive of the write-ahead log is restored into an embedded database: use a configuration without database.url; the one of a PostgreSQL of yours is restored by its own means',
    );
  const chain = await chainFor(namedOf(options), moment, options.id);
  const startedAt = Date.now();
  const store = await openObjectStore(config.artifact.store);
  const { destination: archivedIn } = await recordedPlace(namedOf(options));
  const restored = await restoreUntil(
    chain,
    moment,
    { config, store, log, actor, archivedIn },
    options,
  ).catch(
    noRoom('there is no room left for the database or the artifact store: make room, and run it again'),
  );
  const server = await reached(config, log, true);
  try {
    const client = await connectToBoot(server.bootUrl);
    try {
      await recordAct(options, client, {
        command: 'restore',
        subject: restored.chain,
        startedAt,
        details: { from: chain.address, until, position: restored.position, files: restored.files.count },
      });
    } finally {
      await client.end();
    }
  } finally {
    await server.release();
  }
  return { address: chain.address, ...restored };
}

export interface RestoreOptions extends ReadOptions, RestoreChoices {
  readonly actor: string;
}

/** Into the empty database and store of the configuration. */
export async function restoreInstance(options: RestoreOptions): Promise<Created> {
  const { config, log, actor } = options;
  assertHere(config);
  const source = await sourceOf(namedOf(options), options.id);
  const startedAt = Date.now();
  const server = await reached(config, log, true);
  try {
    const store = await openObjectStore(config.artifact.store);
    const incoming = path.join(config.database.dataDir, `restore-${randomUUID()}`);
    const manifest = await restoreBackup(source, { server, store, incoming, log, actor }, options).catch(
      noRoom(
        'there is no room left for the database or the artifact store: make room, and run "cairn restore" again, which begins anew',
      ),
    );
    const client = await connectToBoot(server.bootUrl);
    try {
      await recordAct(options, client, {
        command: 'restore',
        subject: manifest.id,
        startedAt,
        details: { from: source.address, position: manifest.position, files: manifest.files.count },
      });
    } finally {
      await client.end();
    }
    return { address: source.address, manifest, servers: 0 };
  } finally {
    await server.release();
  }
}
