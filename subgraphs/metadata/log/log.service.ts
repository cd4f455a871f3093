// The log's door: every write of metadata is queued here, decided, written under the log's lock, and answered
// after its commit.
import { setImmediate as sent } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { coalesce } from '../../../platform/coalesce.ts';
import { ProgressWatch } from '../../../platform/database/liveness.ts';
import { DomainError } from '../../../platform/errors.ts';
import { writeAhead } from '../../../platform/json-text.ts';
import { Turn } from '../../../platform/turns.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import {
  allOf,
  type AnyWrite,
  areApart,
  inParts,
  isMuch,
  isNeeds,
  MAX_SIZE,
  MAX_STATEMENT,
  needsAhead,
  type Outcome,
  outcomesOf,
  sizeOfWrite,
} from './batch-parts.ts';
import { batchWrites, overtaken, decidedWrites as counted } from './log-metrics.ts';
import { type BatchRead, readBatch, readied } from './batch-reads.ts';
import { begunAgain } from './begun-again.ts';
import { BulkTurns } from './bulk-turns.ts';
import { LargeTurns } from './large-turns.ts';
import { Deferred } from './pending.ts';
import { asError, attempt, Large, settle, type Settled } from './settle.ts';
import { type Validate, WorkingSet } from './working-set.ts';
import { keysOf } from './write-keys.ts';
import {
  type LargeData,
  type LargeStates,
  type OpenLog,
  Overtaken,
  SchemasChanged,
  type WithOpenLog,
} from './open-log.ts';
import type { Rivals } from './rivals.ts';
import { LARGE_WRITE, type Write, type Written } from './write.ts';

/** Batches that are decided under the lock after one was overtaken: where many write the same, that is faster. */
const UNDER_LOCK = 16;

/** How long after a small write further ones are expected. */
const BUSY_MS = 100;

export interface LogDeps {
  readonly withOpenLog: WithOpenLog;
  readonly rivals: Pick<Rivals, 'inFlight' | 'gatherMs'>;
  /** The schemas last known to this process; a batch that meets a newer revision reads its own. */
  readonly catalogue: () => SchemaCatalogue;
  /** Validates every write before it is made. */
  readonly validate: Validate;
  /** The states of the large ones among the entities, read without the lock. */
  readonly largeStates: (ids: readonly string[]) => Promise<LargeStates>;
}

/**
 * `write` queues one write: writes that arrive together share one transaction
 * (docs/architecture.md#the-way-of-a-write), each with its own outcome. `writeAll` does the same with many at
 * once. Callers are answered after the commit. A write whose batch fails because of another is retried in
 * halves of the batch, finally alone. Large writes, by their data or by the entity they change, have
 * transactions of their own, in sequence, and leave most of the time to small ones.
 */
export class Log {
  readonly #deps: LogDeps;
  readonly #enqueue: (write: AnyWrite) => Promise<Written<unknown>>;
  readonly #turns = new LargeTurns(() => this.#small > 0 || performance.now() - this.#lastSmall < BUSY_MS);
  readonly #bulks = new BulkTurns();
  /** Entities known to be large. */
  readonly #large = new LRUCache<string, true>({ max: 1000 });
  /** Batches that are decided under the lock, because another process was faster. */
  #underLock = 0;
  /** Small writes in progress. */
  #small = 0;
  #lastSmall = -Infinity;
  readonly #progress = new ProgressWatch();
  readonly stalledSince = this.#progress.stalledSince;

  constructor(deps: LogDeps) {
    this.#deps = deps;
    this.#enqueue = coalesce<AnyWrite, Written<unknown>>((writes) => this.#batch(writes, 'left out'), {
      max: MAX_STATEMENT,
      inFlight: () => deps.rivals.inFlight,
      gatherMs: () => deps.rivals.gatherMs,
      weight: { of: sizeOfWrite, most: MAX_SIZE },
    });
  }

  async write<Result>(write: Write<Result>): Promise<Written<Result>> {
    try {
      // The queue returns each write's own result.
      const written = (await this.#progress.during(() =>
        this.#isLarge(write) ? this.#apart(write) : this.#together(write),
      )) as Written<Result>;
      counted.written.value++;
      return written;
    } catch (error) {
      counted.refused.value++;
      throw error;
    }
  }

  /** Outcomes by position: a failed write is an Error, the others are unaffected. */
  async writeAll<Result>(writes: readonly Write<Result>[]): Promise<(Written<Result> | Error)[]> {
    const outcomes = await this.#progress.during(() => this.#inParts(writes));
    for (const outcome of outcomes) counted[outcome instanceof Error ? 'refused' : 'written'].value++;
    return outcomes as (Written<Result> | Error)[]; // Each write gets its own result.
  }

  async #inParts(writes: readonly AnyWrite[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const part of inParts(writes)) {
      const decided = part.some((write) => sizeOfWrite(write) >= LARGE_WRITE)
        ? [new Large([])]
        : await this.#bulks.run(part, () => this.#batch(part, 'left out')); // a large write is a part of its own
      for (const [i, outcome] of decided.entries())
        outcomes.push(outcome instanceof Large ? await this.#apart(part[i]).catch(asError) : outcome);
      this.#progress.moves();
    }
    return outcomes;
  }

  #isLarge(write: AnyWrite): boolean {
    if (sizeOfWrite(write) >= LARGE_WRITE) return true;
    if (this.#large.size === 0) return false;
    const needs = attempt(() => write.needs(this.#deps.catalogue()));
    return isNeeds(needs) && needs.entities?.some((id) => this.#large.has(id)) === true;
  }

  /** Queued with concurrent writes; separately if it turns out to concern a large entity. */
  async #together(write: AnyWrite): Promise<Written<unknown>> {
    this.#small++;
    try {
      return await this.#enqueue(write);
    } catch (error) {
      if (!(error instanceof Large)) throw error;
      for (const id of error.ids) this.#large.set(id, true);
    } finally {
      this.#small--;
      this.#lastSmall = performance.now();
    }
    return this.#apart(write);
  }

  /** Runs alone when its turn comes; the data of large entities is read before the lock is taken. */
  async #apart(write: AnyWrite | undefined): Promise<Written<unknown>> {
    if (!write) throw new Error('an outcome without a write');
    const outcome = await this.#turns.run(async () => {
      const needs = attempt(() => write.needs(this.#deps.catalogue()));
      const states = await this.#deps.largeStates(isNeeds(needs) ? (needs.entities ?? []) : []);
      const forget = await writeAhead(isNeeds(needs) ? (write.data ?? {}) : {});
      try {
        return (await this.#batch([write], states))[0];
      } finally {
        forget();
      }
    });
    if (outcome === undefined || outcome instanceof Error)
      throw outcome ?? new Error('a write without an outcome');
    return outcome;
  }

  async #batch(writes: readonly AnyWrite[], large: LargeData): Promise<Outcome[]> {
    let first: (Outcome | Deferred)[];
    try {
      first = await begunAgain(() => this.#decided(writes, large));
    } catch (error) {
      // what may have been written is not written again: each is told so
      if (writes.length === 1 || isOutcomeUnknown(error)) return writes.map(() => asError(error));
      const half = Math.ceil(writes.length / 2);
      return [
        ...(await this.#batch(writes.slice(0, half), large)),
        ...(await this.#batch(writes.slice(half), large)),
      ];
    }
    const outcomes: Outcome[] = [];
    for (const [i, outcome] of first.entries()) {
      const write = writes[i];
      outcomes.push(
        outcome instanceof Deferred && write ? ((await this.#batch([write], large))[0] ?? outcome) : outcome,
      );
    }
    batchWrites.observe(writes.length);
    return outcomes;
  }

  /**
   * Decides ahead of the lock where it can; where another was faster, and for some time after that, under it. Uses
   * the known schemas; if they have changed, those read under the lock.
   */
  async #decided(writes: readonly AnyWrite[], large: LargeData): Promise<(Outcome | Deferred)[]> {
    const { withOpenLog } = this.#deps;
    const catalogue = this.#deps.catalogue();
    const known = { catalogue, needs: await needsAhead(writes, catalogue) };
    const isAhead = this.#underLock === 0 && areApart(known.needs);
    if (this.#underLock > 0) this.#underLock--;
    try {
      return await withOpenLog(
        async (log) => {
          const read = await readBatch(log, writes, large, known);
          return isAhead ? this.#decideAhead(log, writes, read) : this.#decide(log, writes, large, read);
        },
        { expected: catalogue, isAhead },
      );
    } catch (error) {
      if (error instanceof SchemasChanged)
        return withOpenLog(async (log) =>
          this.#decide(
            log,
            writes,
            large,
            await readBatch(log, writes, large, { catalogue: this.#deps.catalogue() }),
          ),
        );
      if (!(error instanceof Overtaken)) throw error;
      overtaken.value++;
      this.#underLock = UNDER_LOCK;
      return this.#decided(writes, large);
    }
  }

  /**
   * For a batch whose parts do not depend on each other. All of it is ready before the first is sent, which takes the
   * lock.
   */
  async #decideAhead(
    log: OpenLog,
    writes: readonly AnyWrite[],
    { catalogue, needs, loaded }: BatchRead,
  ): Promise<(Outcome | Deferred)[]> {
    const parts: { readonly set: WorkingSet; readonly settled: (Settled | Error)[] }[] = [];
    const turn = writes.length > MAX_STATEMENT ? new Turn() : undefined;
    const isInTurns = isMuch(writes);
    for (let i = 0; i < writes.length; i += MAX_STATEMENT) {
      const set = new WorkingSet(catalogue, loaded, this.#deps.validate);
      const settled = await settle(
        set,
        writes.slice(i, i + MAX_STATEMENT),
        needs.slice(i, i + MAX_STATEMENT),
        turn,
      );
      if (isInTurns) await readied(log, set);
      parts.push({ set, settled });
    }
    const last = parts.findLastIndex(({ set }) => set.events.length > 0);
    const flushed = parts.map(({ set, settled }, i) =>
      log.flush(set, i === last).then((timestamps) => outcomesOf(set, settled, timestamps)),
    );
    return (await allOf(flushed)).flat();
  }

  /**
   * Decides a transaction's writes in order. A long batch is written in several statements, each in progress
   * while the next is decided: a part that needs data that an earlier part may have changed reads it again.
   */
  async #decide(
    log: OpenLog,
    writes: readonly AnyWrite[],
    large: LargeData,
    { catalogue, needs, loaded: first }: BatchRead,
  ): Promise<(Outcome | Deferred)[]> {
    let loaded = first;
    const parts: Promise<(Outcome | Deferred)[]>[] = [];
    const seen = new Set<string>();
    const isLong = isMuch(writes);
    for (let i = 0; i < writes.length; i += MAX_STATEMENT) {
      const needed = needs.slice(i, i + MAX_STATEMENT);
      if (writes.length > MAX_STATEMENT) {
        const keys = needed.filter(isNeeds).flatMap(keysOf);
        // queued behind the statements in progress
        if (keys.some((key) => seen.has(key))) loaded = await log.load(needs.slice(i).filter(isNeeds), large);
        for (const key of keys) seen.add(key);
      }
      const set = new WorkingSet(catalogue, loaded, this.#deps.validate);
      const settled = await settle(set, writes.slice(i, i + MAX_STATEMENT), needed);
      if (isLong) await readied(log, set);
      const isLast = i + MAX_STATEMENT >= writes.length;
      const part = log.flush(set, isLast).then((timestamps) => outcomesOf(set, settled, timestamps));
      part.catch(() => undefined); // `allOf` below reports it, after the others have been sent too
      parts.push(part);
      if (!isLast) await sent();
    }
    return (await allOf(parts)).flat();
  }
}

const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof DomainError && error.details['outcome'] === 'unknown';
