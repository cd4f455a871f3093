// Archives the write-ahead log of the embedded database beside a running server, so that any moment can be restored
// (docs/reference/backups.md#archive-of-the-write-ahead-log).
import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../platform/config/load-config.ts';
import {
  type ArchiveState,
  readArchiveState,
  writeArchiveState,
} from '../platform/database/embedded/archive-state.ts';
import { embeddedSuperuserUrl } from '../platform/database/embedded/supervise.ts';
import { openObjectStore } from '../subgraphs/artifact/storage/open-store.ts';
import { becomeArchiver, createSlot, dropSlot, hasSlot } from './archiving/archive.store.ts';
import { Archiver } from './archiving/archiver.ts';
import { blobsToWrite } from './backups/place.ts';
import { placeSealer } from './backups/sealing.ts';

type Settings = NonNullable<Config['database']['archive']>;

const AGAIN_MS = 5000;
/** What is left to archive when the server stops, or at its next start. */
const STOP_MS = 5000;
/** The log is given up, and not writes, before the reserve of the disk is reached. */
const SPARE = 2;

const newState = (place: string): ArchiveState => ({
  instance: randomBytes(8).toString('hex'),
  place,
  chain: null,
  begunAt: 0,
  next: 0,
  lsn: '0/0',
  position: 0,
  archivedUntil: null,
  lookedAt: Date.now(),
  failing: null,
});

export interface RunningArchive {
  close(): Promise<void>;
}

class WalArchive {
  readonly #config: Config;
  readonly #settings: Settings;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  readonly #missing = new Map<string, number>();
  readonly #ended: Promise<void>;

  constructor(config: Config, settings: Settings, log: Logger) {
    this.#config = config;
    this.#settings = settings;
    this.#log = log;
    this.#ended = this.#run();
  }

  get #dataDir(): string {
    return this.#config.database.dataDir;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const db = new pg.Client({
        connectionString: embeddedSuperuserUrl(this.#dataDir),
        application_name: 'cairn archive',
        connectionTimeoutMillis: 15_000,
      });
      db.on('error', () => undefined); // the statement that was under way tells it
      try {
        await db.connect();
        if (await becomeArchiver(db)) await this.#archive(db);
      } catch (fault) {
        if (!signal.aborted) await this.#noteFailure(db, fault);
      } finally {
        await db.end().catch(() => undefined);
      }
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #archive(db: pg.Client): Promise<void> {
    const { everySeconds, baseHours, keepDays, to, passphrase, recipients } = this.#settings;
    const { artifact } = this.#config;
    const blobs = await blobsToWrite({ name: to, cwd: process.cwd(), store: artifact.store });
    const sealer = await placeSealer(blobs, { passphrase: passphrase?.reveal(), recipients });
    const isKept = await hasSlot(db);
    const found = (await readArchiveState(this.#dataDir)) ?? newState(blobs.address);
    let state = found;
    if (!isKept || found.place !== blobs.address) {
      state = { ...found, place: blobs.address, chain: null };
      await createSlot(db);
      await writeArchiveState(this.#dataDir, state);
    }
    const store = await openObjectStore(artifact.store);
    const { instance } = state;
    await new Archiver({
      url: embeddedSuperuserUrl(this.#dataDir),
      db,
      dataDir: this.#dataDir,
      place: { blobs, sealer, store, instance, missing: this.#missing },
      everySeconds,
      baseHours,
      keepDays,
      state,
      signal: this.#stopping.signal,
      log: this.#log,
    }).run();
  }

  async #noteFailure(db: pg.Client, fault: unknown): Promise<void> {
    const message = fault instanceof Error ? fault.message : String(fault);
    const state = (await readArchiveState(this.#dataDir)) ?? newState(this.#settings.to);
    if (state.failing?.message !== message)
      this.#log.error({ err: fault }, 'the write-ahead log is not archived; trying again');
    const since = state.failing?.since ?? Date.now();
    await writeArchiveState(this.#dataDir, { ...state, lookedAt: Date.now(), failing: { since, message } });
    await this.#spareTheDisk(db, state);
  }

  /** What is not archived takes the room that writes need: it is given up first, and another base backup is made later. */
  async #spareTheDisk(db: pg.Client, state: ArchiveState): Promise<void> {
    const { bavail, bsize } = await statfs(this.#dataDir);
    const free = bavail * bsize;
    if (free >= this.#config.database.diskReserve * SPARE || !(await hasSlot(db).catch(() => false))) return;
    await dropSlot(db);
    await writeArchiveState(this.#dataDir, {
      ...state,
      chain: null,
      failing: state.failing ?? { since: Date.now(), message: 'the disk of the database is nearly full' },
    });
    this.#log.error(
      { free, archivedUntil: state.archivedUntil },
      'the disk is nearly full: what could not be archived is given up, so that writes go on',
    );
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#ended, sleep(STOP_MS, undefined, { ref: false })]);
  }
}

/** @param config with `database.archive`, of a server with the embedded database */
export function startWalArchive({
  config,
  log,
}: {
  readonly config: Config;
  readonly log: Logger;
}): Promise<RunningArchive> {
  const { archive } = config.database;
  if (archive === undefined) throw new Error('database.archive is not configured');
  return Promise.resolve(new WalArchive(config, archive, log));
}
