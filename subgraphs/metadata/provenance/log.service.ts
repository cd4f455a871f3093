// The one door: every write of metadata passes here, is decided under the log's lock, and is answered after its commit.
import { setImmediate as sent } from 'node:timers/promises';
import { coalesce } from '../../../platform/coalesce.ts';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';
import { Deferred, keysOf, type LogPoint, type Validate, WorkingSet } from './working-set.ts';
import { type OpenLog, SchemasChanged, type WithOpenLog } from './open-log.ts';
import type { Needs, Write, Written } from './write.ts';

type AnyWrite = Write<unknown>;
type Outcome = Written<unknown> | Error;

/** Most writes of one transaction, and of one statement in it. */
const MAX_BATCH = 1000;
const MAX_STATEMENT = 256;

/**
 * `write` queues one write: writes that arrive together share one transaction (design «Hot path» 5), each with its own
 * outcome. `writeAll` does the same with many at once. Nobody is answered before the commit; a write whose batch
 * fails for another's sake is tried again, in halves, in the end alone.
 */
export class Log {
  readonly #withOpenLog: WithOpenLog;
  readonly #catalogue: () => SchemaCatalogue;
  readonly #validate: Validate;
  readonly #enqueue: (write: AnyWrite) => Promise<Written<unknown>>;

  /**
   * @param catalogue the schemas as this process last knew them; a batch that meets a newer revision reads its own
   * @param validate asked before every write is made
   */
  constructor(withOpenLog: WithOpenLog, catalogue: () => SchemaCatalogue, validate: Validate) {
    this.#withOpenLog = withOpenLog;
    this.#catalogue = catalogue;
    this.#validate = validate;
    this.#enqueue = coalesce<AnyWrite, Written<unknown>>((writes) => this.writeAll(writes), { max: MAX_STATEMENT, inFlight: 2 });
  }

  async write<Result>(write: Write<Result>): Promise<Written<Result>> {
    return await this.#enqueue(write) as Written<Result>; // the queue answers a write with its own result
  }

  /** Outcomes by position: a failed write is an Error, the others stand. */
  async writeAll<Result>(writes: readonly Write<Result>[]): Promise<(Written<Result> | Error)[]> {
    const outcomes: Outcome[] = [];
    for (let i = 0; i < writes.length; i += MAX_BATCH) outcomes.push(...await this.#batch(writes.slice(i, i + MAX_BATCH)));
    return outcomes as (Written<Result> | Error)[]; // each write is answered with its own result
  }

  async #batch(writes: readonly AnyWrite[]): Promise<Outcome[]> {
    let first: (Outcome | Deferred)[];
    try {
      first = await this.#decided(writes);
    } catch (error) {
      if (writes.length === 1) return [asError(error)];
      const half = Math.ceil(writes.length / 2);
      return [...await this.#batch(writes.slice(0, half)), ...await this.#batch(writes.slice(half))];
    }
    const outcomes: Outcome[] = [];
    for (const [i, outcome] of first.entries()) {
      const write = writes[i];
      outcomes.push(outcome instanceof Deferred && write ? (await this.#batch([write]))[0] ?? outcome : outcome);
    }
    return outcomes;
  }

  /** By the schemas as they are known; where they have changed, by those that are there under the lock. */
  async #decided(writes: readonly AnyWrite[]): Promise<(Outcome | Deferred)[]> {
    try {
      return await this.#withOpenLog((log) => this.#decide(log, writes), this.#catalogue().revision);
    } catch (error) {
      if (error instanceof SchemasChanged) return this.#withOpenLog((log) => this.#decide(log, writes));
      throw error;
    }
  }

  /**
   * Decides a transaction's writes in order. A long batch goes down in several statements, each under way while the next is decided:
   * a part that needs what an earlier part may have changed is given it afresh.
   */
  async #decide(log: OpenLog, writes: readonly AnyWrite[]): Promise<(Outcome | Deferred)[]> {
    const known = this.#catalogue();
    const catalogue = known.revision === log.revision ? known : await log.catalogue(known);
    const needs = writes.map((write) => attempt(() => write.needs(catalogue)));
    let loaded = await log.load(needs.filter(isNeeds));
    const parts: Promise<(Outcome | Deferred)[]>[] = [];
    const seen = new Set<string>();
    for (let i = 0; i < writes.length; i += MAX_STATEMENT) {
      const needed = needs.slice(i, i + MAX_STATEMENT);
      if (writes.length > MAX_STATEMENT) {
        const keys = needed.filter(isNeeds).flatMap(keysOf);
        if (keys.some((key) => seen.has(key))) loaded = await log.load(needs.slice(i).filter(isNeeds)); // waits its turn behind the statements under way
        for (const key of keys) seen.add(key);
      }
      const set = new WorkingSet(catalogue, loaded, this.#validate);
      const settled = settle(set, writes.slice(i, i + MAX_STATEMENT), needed);
      const isLast = i + MAX_STATEMENT >= writes.length;
      const part = log.flush(set, isLast).then((timestamps) => settled.map((s): Outcome | Deferred => (s instanceof Error ? s : { result: s.result, times: timesOf(set, s.points, timestamps) })));
      part.catch(() => undefined); // told by `allOf` below, when the others have been sent too
      parts.push(part);
      if (!isLast) await sent();
    }
    return (await allOf(parts)).flat();
  }
}

interface Settled { readonly result: unknown; readonly points: ReadonlyMap<string, { readonly first: LogPoint; readonly last: LogPoint }> }

/** Decides writes one after the other; each sees what those before it have done. */
function settle(set: WorkingSet, writes: readonly AnyWrite[], needs: readonly (Needs | Error)[]): (Settled | Error)[] {
  return writes.map((write, i) => {
    const need = needs[i];
    if (need === undefined || need instanceof Error) return need ?? new Error('a write without needs');
    const result = attempt(() => set.attempt(write.author, (view) => write.decide(view)));
    if (result instanceof Error) return result;
    const points = new Map<string, { first: LogPoint; last: LogPoint }>();
    for (const id of [...need.entities ?? [], ...set.touched]) {
      const work = set.entities.get(id);
      if (work) points.set(id, { first: work.first, last: work.last });
    }
    return { result, points };
  });
}

/** All of them; when one fails, not before the others have ended as well. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

const isNeeds = (needs: Needs | Error): needs is Needs => !(needs instanceof Error);

function timesOf(set: WorkingSet, points: Settled['points'], timestamps: readonly string[]): Written<unknown>['times'] {
  const times = new Map<string, { createdAt: string; updatedAt: string }>();
  for (const [id, { first, last }] of points) {
    const loaded = set.entities.get(id)?.loaded;
    const at = (point: LogPoint, known: string | undefined): string => ('ordinal' in point ? timestamps[point.ordinal - 1] : known) ?? '';
    times.set(id, { createdAt: at(first, loaded?.createdAt), updatedAt: at(last, loaded?.updatedAt) });
  }
  return times;
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (thrown) {
    return asError(thrown);
  }
}
