// Keeps room on the disk for what the embedded database has begun. A PostgreSQL that cannot write its log ends, and
// cannot start again before there is room; reading needs next to none. So the server turns to read-only transactions
// while there is still room, and back when there is enough again.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import { systemErrorCode } from '../../system-error-code.ts';
import type { ClusterFiles } from './cluster.ts';

export interface DiskReserveOptions {
  readonly files: ClusterFiles;
  /** Free bytes below which nothing is written. */
  readonly bytes: number;
  /** Of the bootstrap superuser. */
  readonly url: () => string;
  readonly log: Logger;
}

/** Between two looks: in less, a fast disk takes a fraction of the reserve. */
const LOOK_MS = 250;
/** After a failure of the server, which may be about to start again. */
const AGAIN_MS = 1000;
/** Writes begin again with so much more than the reserve: else they would stop at once. */
const ENOUGH = 1.25;
/** Room for three segments of PostgreSQL's log, where other programs leave none. */
const FILLER_BYTES = 48 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;

const SETTING = 'default_transaction_read_only';

/** Settings that `ALTER SYSTEM` keeps. */
const isClosedIn = (cluster: string): boolean =>
  fs.readFileSync(path.join(cluster, 'postgresql.auto.conf'), 'utf8').includes(`${SETTING} = 'on'`);

async function turn(url: string, isClosed: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 5000 });
  client.on('error', () => undefined); // told by the statement's own failure
  try {
    await client.connect();
    await client.query(isClosed ? `ALTER SYSTEM SET ${SETTING} = on` : `ALTER SYSTEM RESET ${SETTING}`);
    await client.query('SELECT pg_reload_conf()');
  } finally {
    await client.end().catch(() => undefined);
  }
}

export class DiskReserve {
  readonly #options: DiskReserveOptions;
  readonly #filler: string;
  #isClosed: boolean;
  #hasFiller: boolean | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  /** Looks at the disk until it is closed; every process of a server may do so. */
  constructor(options: DiskReserveOptions) {
    this.#options = options;
    this.#filler = path.join(options.files.root, 'reserve');
    this.#isClosed = isClosedIn(options.files.cluster);
    this.#next(0);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  #next(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look()
        .then(
          () => LOOK_MS,
          (err: unknown) => {
            this.#options.log.warn({ err }, 'the room on the disk of the embedded database cannot be kept');
            return AGAIN_MS;
          },
        )
        .then((wait) => {
          if (this.#timer !== undefined) this.#next(wait);
        });
    }, ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const { files, bytes, url, log } = this.#options;
    const { bavail, bsize } = await fs.promises.statfs(files.cluster);
    const free = bavail * bsize;
    if (free < FILLER_BYTES / 4) await this.#removeFiller();
    const shallClose = free < bytes || (this.#isClosed && free < bytes * ENOUGH);
    if (shallClose !== this.#isClosed) {
      await turn(url(), shallClose);
      this.#isClosed = shallClose;
      if (shallClose)
        log.error(
          { free, reserve: bytes, directory: files.root },
          'the disk is nearly full: nothing is written to the embedded database before there is room again',
        );
      else log.info({ free, reserve: bytes }, 'there is room on the disk again: writes are accepted');
    }
    if (this.#hasFiller !== true && free > (bytes + FILLER_BYTES) * ENOUGH) await this.#writeFiller();
  }

  async #removeFiller(): Promise<void> {
    if (this.#hasFiller === false) return;
    await fs.promises.rm(this.#filler, { force: true });
    this.#hasFiller = false;
  }

  /** Random, so that no file system stores it in less. */
  async #writeFiller(): Promise<void> {
    const made = `${this.#filler}.${process.pid}`;
    const size = (await fs.promises.stat(this.#filler).catch(absent))?.size ?? 0;
    if (size < FILLER_BYTES) {
      const piece = randomBytes(PIECE_BYTES);
      const file = await fs.promises.open(made, 'w', 0o600);
      try {
        for (let at = 0; at < FILLER_BYTES; at += piece.length) await file.write(piece, 0, piece.length, at);
      } finally {
        await file.close();
      }
      await fs.promises.rename(made, this.#filler);
    }
    this.#hasFiller = true;
  }
}

function absent(fault: unknown): undefined {
  if (systemErrorCode(fault) !== 'ENOENT') throw fault;
  return undefined;
}
