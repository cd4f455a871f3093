// Archives the write-ahead log of the embedded database beside a running server, so that any moment can be restored
// (docs/reference/backups.md#archive-of-the-write-ahead-log).
import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../platform/config/load-config.ts';
import {
  type ArchiveState,
  readArchiveState,
  writeArchiveState,
} from '../platform/database/embedded/archive-state.ts';
import { embeddedSuperuserUrl } from '../platform/database/embedded/supervise.ts';
import { systemErrorCode } from '../platform/system-error-code.ts';
import { openObjectStore } from '../subgraphs/artifact/storage/open-store.ts';
import { connectAsSuperuser } from './archiving/as-superuser.ts';
import { becomeArchiver, createSlot, dropSlot, hasSlot, keptBySlot } from './archiving/archive.store.ts';
import { Archiver } from './archiving/archiver.ts';
import { ChainGone } from './archiving/chain-place.ts';
import type { RunningArchive } from './archiving/end-archive.ts';
import { blobsToWrite } from './backups/place.ts';
import { UNSEALED } from './backups/repository.ts';
import { placeSealer } from './backups/sealing.ts';

type Settings = NonNullable<Config['database']['archive']>;

const AGAIN_MS = 5000;
/** What is left to archive when the server stops, or at its next start. */
const STOP_MS = 5000;
/** The log is given up, and not writes, before the reserve of the disk is reached. */
const SPARE = 2;
/** To give up less would not help: it is four segments of the log. */
const WORTH_BYTES = 64 * 1024 * 1024;

const WATCH_MS = 10_000;
const NEARLY_FULL = 'the disk of the database is nearly full';
/** PostgreSQL's code for a segment of the log that it no longer has. */
const REMOVED = '58P01';

const isRemoved = (fault: unknown): boolean => systemErrorCode(fault) === REMOVED;

const newState = (place: string, sealed: string): ArchiveState => ({
  instance: randomBytes(8).toString('hex'),
  place,
  sealed,
  chain: null,
  begunAt: 0,
  next: 0,
  lsn: '0/0',
  position: 0,
  archivedUntil: null,
  lookedAt: Date.now(),
  failing: null,
});

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
      let db: pg.Client | undefined;
      try {
        db = await connectAsSuperuser(this.#dataDir);
        if (await becomeArchiver(db)) await this.#archive(db);
      } catch (fault) {
        if (!signal.aborted) await this.#noteFailure(fault);
      } finally {
        await db?.end().catch(() => undefined);
      }
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #archive(db: pg.Client): Promise<void> {
    const { everySeconds, baseHours, keepDays, to, passphrase, recipients } = this.#settings;
    const { artifact } = this.#config;
    const blobs = await blobsToWrite({ name: to, cwd: process.cwd(), store: artifact.store });
    const sealer = await placeSealer(blobs, { passphrase: passphrase?.reveal(), recipients });
    const sealed = sealer?.mark ?? UNSEALED;
    const isKept = await hasSlot(db);
    const found = (await readArchiveState(this.#dataDir)) ?? newState(blobs.address, sealed);
    let state = found;
    if (!isKept || found.place !== blobs.address || found.sealed !== sealed) {
      state = { ...found, place: blobs.address, sealed, chain: null };
      await writeArchiveState(this.#dataDir, state); // before the slot, which is known by it
      await createSlot(db);
    }
    const store = await openObjectStore(artifact.store);
    const lost = new AbortController();
    const archiver = new Archiver({
      url: embeddedSuperuserUrl(this.#dataDir),
      db,
      dataDir: this.#dataDir,
      place: { blobs, sealer, store, instance: state.instance, missing: this.#missing },
      everySeconds,
      baseHours,
      keepDays,
      state,
      signal: this.#stopping.signal,
      lost: lost.signal,
      log: this.#log,
    });
    const watching = this.#watch(archiver, lost);
    try {
      await archiver.run();
    } finally {
      watching.abort();
    }
  }

  /** A place may be slow without an end: the disk is looked at beside it. */
  #watch(archiver: Archiver, lost: AbortController): AbortController {
    const watching = new AbortController();
    const { signal } = watching;
    void (async () => {
      while (!signal.aborted) {
        await sleep(WATCH_MS, undefined, { signal, ref: false }).catch(() => undefined);
        if (signal.aborted) return;
        try {
          if (await this.#spareTheDisk()) lost.abort(new Error(NEARLY_FULL));
          else await archiver.noteAlive();
        } catch (err) {
          this.#log.error({ err }, 'whether the disk has room for the write-ahead log is not known');
        }
      }
    })();
    return watching;
  }

  /** Nothing that fails here ends the process: it is tried again. */
  async #noteFailure(fault: unknown): Promise<void> {
    const message = fault instanceof Error ? fault.message : String(fault);
    try {
      const isGivenUp = await this.#spareTheDisk(); // first: there may be no room to note anything
      const state =
        (await readArchiveState(this.#dataDir)) ?? newState(this.#settings.to, 'nothing was archived yet');
      if (state.failing?.message !== message)
        this.#log.error({ err: fault }, 'the write-ahead log is not archived; trying again');
      await writeArchiveState(this.#dataDir, {
        ...state,
        chain: isGivenUp || isRemoved(fault) || fault instanceof ChainGone ? null : state.chain,
        lookedAt: Date.now(),
        failing: { since: state.failing?.since ?? Date.now(), message },
      });
    } catch (err) {
      this.#log.error({ err, cause: fault }, 'the write-ahead log is not archived; trying again');
    }
  }

  /**
   * What is not archived takes the room that writes need: it is given up first, and another base backup is made later.
   * @returns whether it was
   */
  async #spareTheDisk(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.#dataDir);
    const free = bavail * bsize;
    if (free >= this.#config.database.diskReserve * SPARE) return false;
    const db = await connectAsSuperuser(this.#dataDir);
    try {
      if ((await keptBySlot(db)) < WORTH_BYTES) return false;
      await dropSlot(db);
      this.#log.error(
        { free },
        `${NEARLY_FULL}: what could not be archived is given up, so that writes go on`,
      );
      await db.query('CHECKPOINT'); // which removes it
      return true;
    } finally {
      await db.end();
    }
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

export { endWalArchive } from './archiving/end-archive.ts';
