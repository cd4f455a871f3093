// Restores a moment from the archive of the write-ahead log into an empty data directory and store
// (docs/reference/backups.md#any-moment). Everything happens aside, and becomes the database by one rename.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import { hashedContent } from '../../platform/archive/hashed-content.ts';
import { bootDatabase } from '../../platform/database/boot.ts';
import { locateBinaries } from '../../platform/database/embedded/binaries.ts';
import {
  type ClusterFiles,
  clusterFiles,
  passwordOf,
  restoringFile,
  SUPERUSER,
} from '../../platform/database/embedded/cluster.ts';
import { chooseRunAs } from '../../platform/database/embedded/run-as.ts';
import { APP, OWNER } from '../../platform/database/roles.ts';
import { DomainError } from '../../platform/errors.ts';
import { keepPrivate } from '../../platform/private-files.ts';
import type { ObjectStore } from '../../subgraphs/artifact/storage/object-store.ts';
import { findContradiction, lastEvent } from '../../subgraphs/metadata/archive/check-restored.store.ts';
import { refusedBackup } from '../backups/backup-format.ts';
import { BlobMissing } from '../backups/blobs.ts';
import { recordMoment } from '../backups/record.store.ts';
import type { RestoreChoices } from '../backups/restore.ts';
import { endSessions, pauseTriggers, settle } from '../backups/settle.store.ts';
import { listFiles } from './archive.store.ts';
import type { ChainReader } from './chain-place.ts';
import { extractBase, SegmentWriter } from './extract-chain.ts';
import { type Moment, MomentFinder } from './moment.ts';
import { writeOwnSettings } from './own-settings.ts';
import { claimMarker } from './restore-marker.ts';
import { type RecoveredServer, type Recovery, recoverCluster } from './recover-cluster.ts';

export interface MomentPlace {
  readonly config: Config;
  readonly store: ObjectStore;
  readonly log: Logger;
  readonly actor: string;
  /** The place of the archive, without credentials. */
  readonly archivedIn: string;
}

export interface RestoredMoment {
  readonly chain: string;
  readonly position: number | null;
  readonly time: string | null;
  readonly files: { readonly count: number; readonly bytes: number };
  readonly lost: readonly { readonly hash: string; readonly is: 'missing' | 'damaged' }[];
}

const aside = (root: string): ClusterFiles => ({
  root,
  cluster: path.join(root, 'cluster'),
  log: path.join(root, 'postgres.log'),
  users: path.join(root, 'users.fifo'),
  port: path.join(root, 'port'),
  address: path.join(root, 'address'),
});

const ASIDE = 'restore-';

/**
 * Only into what is empty, or what a restore before this one has left.
 * @throws DomainError `conflict`
 */
async function claimPlace(files: ClusterFiles, store: ObjectStore): Promise<void> {
  const marker = restoringFile(files);
  if (fs.existsSync(path.join(files.cluster, 'PG_VERSION')))
    throw new DomainError(
      'conflict',
      'the data directory is not empty: a moment is restored into one that has no database; name another in CAIRN_DATA_DIR',
    );
  if (!fs.existsSync(marker)) {
    if (!(await store.isEmpty()))
      throw new DomainError(
        'conflict',
        'the artifact store is not empty: a moment is restored into one that has no files; name another in artifact.store',
      );
  }
  claimMarker(marker);
  for (const name of await readdir(files.root))
    if (name.startsWith(ASIDE)) await rm(path.join(files.root, name), { recursive: true, force: true });
}

/** Copies what the database names; @returns what the archive lacks */
async function restoreFiles(
  db: pg.Client,
  chain: ChainReader,
  { store, config }: MomentPlace,
): Promise<Pick<RestoredMoment, 'files' | 'lost'>> {
  const incoming = path.join(config.database.dataDir, `restore-${randomUUID()}`);
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const lost: { hash: string; is: 'missing' | 'damaged' }[] = [];
  let [count, bytes] = [0, 0];
  try {
    for (let after = ''; ;) {
      const page = await listFiles(db, after, 1000);
      const last = page.at(-1);
      if (last === undefined) return { files: { count, bytes }, lost };
      for (const { hash, size } of page) {
        const is = await restoreFile(chain, store, hash, path.join(incoming, randomUUID()));
        if (is !== null) lost.push({ hash, is });
        else [count, bytes] = [count + 1, bytes + size];
      }
      after = last.hash;
    }
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

async function restoreFile(
  chain: ChainReader,
  store: ObjectStore,
  hash: string,
  spooled: string,
): Promise<'missing' | 'damaged' | null> {
  const otherHash = (): DomainError => new DomainError('checksum_mismatch', `${hash} is damaged`);
  try {
    const content = hashedContent(await chain.file(hash), hash, otherHash);
    await pipeline(Readable.from(content), fs.createWriteStream(spooled, { flags: 'wx', mode: 0o600 }));
    await store.keep(spooled);
    return null;
  } catch (fault) {
    if (fault instanceof BlobMissing) return 'missing';
    if (fault instanceof DomainError && fault.code === 'checksum_mismatch') return 'damaged';
    throw fault;
  } finally {
    await rm(spooled, { force: true });
  }
}

async function finish(
  server: RecoveredServer,
  root: ClusterFiles,
  chain: ChainReader,
  moment: Moment,
  place: MomentPlace,
  choices: RestoreChoices,
): Promise<RestoredMoment> {
  const url = server.urlFor('cairn');
  const password = passwordOf(SUPERUSER, root.root);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`ALTER ROLE ${SUPERUSER} PASSWORD ${client.escapeLiteral(password)}`);
    await bootDatabase({ url, log: place.log, appPassword: passwordOf(APP, root.root) });
    const { position, time } = await lastEvent(client);
    const { files, lost } = await restoreFiles(client, chain, place);
    await client.query(`BEGIN; SET LOCAL ROLE ${OWNER}; SET LOCAL statement_timeout = 0`);
    const found = await findContradiction(client);
    if (found !== null) throw refusedBackup(`contradicts itself: it has ${found.what} (${found.which})`);
    await settle(client);
    await recordMoment(client, {
      id: chain.chain.id,
      destination: place.archivedIn,
      encrypted: chain.isSealed,
      host: os.hostname(),
      actor: place.actor,
      time: moment.kind === 'time' ? moment.time : time,
      position,
      lost: lost.length,
    });
    if (choices.revokeSessions) await endSessions(client);
    if (choices.pauseTriggers) await pauseTriggers(client, place.actor);
    await client.query('COMMIT');
    return {
      chain: chain.chain.id,
      position: position === null ? null : Number(position),
      time,
      files,
      lost,
    };
  } finally {
    await client.end();
  }
}

/** Takes the cluster and its log out of the chain, and lets PostgreSQL recover it. */
async function recovered(chain: ChainReader, moment: Moment, recovery: Recovery): Promise<RecoveredServer> {
  const { files, wal, as } = recovery;
  await extractBase(chain.base(), files.cluster, as);
  await writeOwnSettings(files.cluster, as);
  const finder = new MomentFinder(chain.chain, moment);
  const segments = new SegmentWriter(chain.chain, wal, as);
  for await (const { header, content } of chain.pieces()) {
    await segments.write(header, content);
    finder.add(header);
    if (finder.isFound) break;
  }
  return recoverCluster(recovery, finder.target());
}

/** @throws DomainError `conflict` for a place that is not empty, `validation_failed` for what cannot be restored */
export async function restoreUntil(
  chain: ChainReader,
  moment: Moment,
  place: MomentPlace,
  choices: RestoreChoices,
): Promise<RestoredMoment> {
  const { database } = place.config;
  const root = clusterFiles(database.dataDir);
  const here = `${process.platform}-${process.arch}`;
  if (chain.chain.platform !== here)
    throw refusedBackup(`is of ${chain.chain.platform}, and this machine is ${here}: use a backup of rows`);
  await claimPlace(root, place.store);
  const major = Number.parseInt(chain.chain.postgres, 10);
  const bin = locateBinaries({ configured: database.binaries, clusterMajor: major });
  const as = chooseRunAs(bin, root.root, root.cluster);
  const files = aside(await mkdtemp(path.join(root.root, ASIDE)));
  const wal = path.join(files.root, 'wal');
  for (const folder of [files.cluster, wal]) await mkdir(folder, { mode: 0o700 });
  for (const folder of [files.root, files.cluster, wal]) as.own(folder);
  const server = await recovered(chain, moment, { bin, files, as, wal }).catch(async (fault: unknown) => {
    // nothing was put into the store: the place is as it was
    await rm(files.root, { recursive: true, force: true });
    await rm(restoringFile(root), { force: true });
    throw fault;
  });
  let restored: RestoredMoment;
  try {
    restored = await finish(server, root, chain, moment, place, choices);
  } finally {
    await server.stop();
  }
  await rename(files.cluster, root.cluster);
  await rm(files.root, { recursive: true, force: true });
  await rm(restoringFile(root));
  keepPrivate(database.dataDir, place.log);
  return restored;
}
