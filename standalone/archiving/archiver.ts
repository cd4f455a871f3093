// Archives the write-ahead log of the embedded database: a chain begins with a base backup and goes on with pieces of the
// log, each after the files of the store that it names (docs/decisions/0179).
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type ArchiveState, writeArchiveState } from '../../platform/database/embedded/archive-state.ts';
import { identifyCluster, type Mark, noteInLog, takeMark, writtenBetween } from './archive.store.ts';
import { type Chain, chainFolder } from './chain-format.ts';
import { ChainWriter } from './chain-place.ts';
import { copyNewFiles } from './copy-files.ts';
import { lsnText, readLsn } from './lsn.ts';
import { removableChains } from './old-chains.ts';
import { WalStream } from './wal-stream.ts';
import { type ArchivePlace, beginChain } from './write-base.ts';

export interface ArchiverOptions {
  /** Of the superuser. */
  readonly url: string;
  readonly db: pg.Client;
  readonly dataDir: string;
  readonly place: ArchivePlace;
  readonly everySeconds: number;
  readonly baseHours: number;
  readonly keepDays: number;
  readonly state: ArchiveState;
  readonly signal: AbortSignal;
  /** Aborted with what says that the slot is gone: then nothing more is archived of the chain. */
  readonly lost: AbortSignal;
  readonly log: Logger;
}

const LOOK_MS = 500;
const STATE_MS = 10_000;
const HOUR_MS = 3_600_000;
/** By so much a transaction may be written later than its time says. */
const SLACK_SECONDS = 1;
/** What a mark says has been written arrives at once. */
const ARRIVES_MS = 5000;

type Coming = { readonly chain: Chain } | { readonly fault: unknown };

export class Archiver {
  readonly #options: ArchiverOptions;
  readonly #ending: AbortSignal;
  #state: ArchiveState;
  #stream: WalStream | undefined;
  #writer: ChainWriter | undefined;
  #timeline = 1;
  /** A chain that is begun while the one before it goes on. */
  #coming: Coming | 'under way' | undefined;
  /** One whose log has not arrived: log that comes faster than it is archived would never reach a newer one. */
  #awaited: Mark | undefined;
  #beginning: Promise<void> = Promise.resolve();
  #writtenAt = Date.now();
  #saving: Promise<void> = Promise.resolve();

  constructor(options: ArchiverOptions) {
    this.#options = options;
    this.#ending = AbortSignal.any([options.signal, options.lost]);
    this.#state = options.state;
  }

  async #save(change: Partial<ArchiveState>): Promise<void> {
    this.#state = { ...this.#state, ...change, lookedAt: Date.now() };
    const write = (): Promise<void> => writeArchiveState(this.#options.dataDir, this.#state);
    this.#saving = this.#saving.then(write, write); // one after the other, and the last has it all
    await this.#saving;
  }

  /** Says that it is at work, however long a piece takes. */
  noteAlive(): Promise<void> {
    return this.#save({});
  }

  /** Until it is told to stop. @throws what keeps it from going on */
  async run(): Promise<void> {
    const { db } = this.#options;
    const signal = this.#ending;
    this.#timeline = (await identifyCluster(db)).timeline;
    try {
      if (this.#state.chain === null) await this.#goOnWith(await this.#begin());
      else await this.#open(this.#state.chain, readLsn(this.#state.lsn));
      await this.#removeOld();
      while (!signal.aborted) {
        await this.#look();
        // what comes faster than it is looked at waits for nothing
        if (this.#stream?.isFull !== true) await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
      }
      this.#options.lost.throwIfAborted();
      await this.#ship();
    } finally {
      await this.#beginning;
      await this.#saving.catch(() => undefined); // thrown where it was asked for
      await this.#stream?.close();
    }
  }

  async #open(chain: string, from: bigint): Promise<void> {
    const { url, place } = this.#options;
    await this.#stream?.close();
    this.#writer = new ChainWriter(place, chain);
    this.#stream = await WalStream.open(url, this.#timeline, from, from);
  }

  async #look(): Promise<void> {
    const { everySeconds, baseHours } = this.#options;
    const now = Date.now();
    this.#stream?.assertAlive();
    if (now - this.#writtenAt >= everySeconds * 1000 || this.#stream?.isFull === true) await this.#ship();
    else if (now - this.#state.lookedAt > STATE_MS) await this.#save({});
    if (this.#coming === undefined && now - this.#state.begunAt > baseHours * HOUR_MS) this.#beginBeside();
    if (this.#coming === undefined || this.#coming === 'under way') return;
    const coming = this.#coming;
    if ('fault' in coming) throw coming.fault;
    // the chain before this one ends after this one's first moment
    do {
      this.#options.lost.throwIfAborted();
      await sleep(SLACK_SECONDS * 1000);
      await noteInLog(this.#options.db); // so that there is a piece which says so
      await this.#ship();
    } while ((this.#state.archivedUntil ?? '') < coming.chain.since.time);
    await this.#goOnWith(coming.chain);
    this.#coming = undefined; // until now the server has kept the log from the new chain's beginning on
    await this.#removeOld();
  }

  #begin(): Promise<Chain> {
    const { url, db, place } = this.#options;
    return beginChain(url, db, place, this.#ending);
  }

  #beginBeside(): void {
    this.#coming = 'under way';
    this.#beginning = this.#begin().then(
      (chain) => void (this.#coming = { chain }),
      (fault: unknown) => void (this.#coming = { fault }),
    );
  }

  async #goOnWith(chain: Chain): Promise<void> {
    this.#awaited = undefined;
    await this.#save({
      chain: chain.id,
      begunAt: Date.parse(chain.created),
      next: 0,
      lsn: chain.wal_from,
      position: chain.since.position,
      archivedUntil: chain.since.time,
      failing: null,
    });
    await this.#open(chain.id, readLsn(chain.wal_from));
    this.#options.log.info({ chain: chain.id }, 'the archive of the write-ahead log has a new base backup');
  }

  /** Waits until the stream has what the mark says is there. @returns whether it does */
  async #arrived(stream: WalStream, mark: Mark): Promise<boolean> {
    const wanted = readLsn(mark.lsn);
    const deadline = Date.now() + ARRIVES_MS;
    while (stream.received < wanted && !stream.isFull && Date.now() < deadline) {
      stream.assertAlive();
      await sleep(20);
    }
    return stream.received >= wanted;
  }

  /** Archives what has been written until now, or as much of it as is held. */
  async #ship(): Promise<void> {
    const [stream, writer] = [this.#stream, this.#writer];
    if (stream === undefined || writer === undefined) return;
    const { db, place, signal, lost } = this.#options;
    const mark = (this.#awaited ??= await takeMark(db, SLACK_SECONDS));
    const isMarked = await this.#arrived(stream, mark);
    const piece = stream.held();
    if (isMarked) this.#awaited = undefined;
    this.#writtenAt = Date.now();
    if (piece.content.length === 0)
      return this.#save({ failing: null, ...(isMarked ? { archivedUntil: mark.time } : {}) });
    await copyNewFiles(db, place, signal.aborted ? lost : this.#ending);
    const written = isMarked ? await writtenBetween(db, this.#state.position, mark.position) : [];
    await writer.piece(
      this.#state.next,
      {
        from: lsnText(piece.from),
        to: lsnText(piece.to),
        ...(isMarked ? { mark } : {}),
        written: written.map(({ xid, from, to }) => [xid, from, to]),
      },
      piece.content,
    );
    await this.#save({
      next: this.#state.next + 1,
      lsn: lsnText(piece.to),
      failing: null,
      ...(isMarked ? { position: mark.position, archivedUntil: mark.time } : {}),
    });
    stream.drop(piece);
    // a chain that is begun may need what was archived for the one before it
    if (this.#coming === undefined) stream.confirm(piece.to);
  }

  async #removeOld(): Promise<void> {
    const { place, keepDays, log } = this.#options;
    const oldest = new Date(Date.now() - (keepDays + 1) * 24 * HOUR_MS);
    for (const id of await removableChains(place, this.#state.chain, oldest)) {
      await place.blobs.removeFolder(chainFolder(id));
      log.info({ chain: id }, 'an old base backup, or what was left of one, was removed from the archive');
    }
  }
}
