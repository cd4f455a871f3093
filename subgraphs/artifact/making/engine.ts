// Takes queued productions as they come and makes them, a few at a time, until the process stops.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { DomainError, isErrorCode } from '../../../platform/errors.ts';
import { type Caller, isRole } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { isStoreAway } from '../../../platform/store-away.ts';
import type { ProductionBell } from '../productions/production-bell.ts';
import { isDead, ownerName } from '../productions/owner.ts';
import {
  addWaiter,
  claimProduction,
  claimProductions,
  type ClaimedProduction,
  endLeases,
  findProgress,
  forgetRunElsewhere,
  keepLease,
  listLeftRuns,
  listOwners,
  listRunning,
  recoverAbandoned,
  requeueProduction,
  settleProduction,
  type Settlement,
} from '../productions/production-queue.store.ts';
import { enqueue, type EnqueueMeans } from '../productions/enqueue.ts';
import type { PlanNode } from '../resolution/plan.ts';
import { Unwanted } from '../runners/runner.ts';
import type { MakeMeans, Making, Maker } from './make.ts';
import { NotOurs, ProductionFailed } from './production-failed.ts';

export interface MakingEngineOptions extends EnqueueMeans {
  readonly db: Queryable;
  readonly maker: Pick<Maker, 'make' | 'abandon' | 'clear'>;
  readonly bell: ProductionBell;
  readonly log: Logger;
  readonly workDirectory: MakeMeans['workDirectory'];
  /** Productions at a time. */
  readonly concurrent: number;
  /** How long a production waits for its worker's heartbeat before another begins it again; 30 s. */
  readonly leaseMs?: number;
  /** How often the queue is looked at where no notification comes; 2 s. */
  readonly sweepMs?: number;
}

export interface MakingEngine {
  /** Takes no more productions and stops those under way: others, or this one when it is started again, begin them afresh. */
  close(): Promise<void>;
}

/** A workflow that brings its machine down is not begun for ever. */
const MOST_ATTEMPTS = 3;
const SETTLE_TRIES = 20;
/** As many runs elsewhere are ended at a time. */
const MOST_LEFT = 10;

class Stopped extends Error {
  override name = 'Stopped';
}

const requesterOf = ({ caller }: ClaimedProduction): Caller => ({
  actor: caller.actor,
  roles: caller.roles.filter(isRole),
  projects: caller.projects,
  requestId: randomUUID(),
});

/** Nothing is wrong with the production: the database, or metadata, does not answer now. */
const isAway = (fault: unknown): boolean =>
  isStoreAway(fault) || (fault instanceof DomainError && fault.code === 'component_unavailable');

/** What its record says of a production that has failed. */
function errorOf(fault: unknown): {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
} {
  if (fault instanceof ProductionFailed)
    return { code: fault.code, message: fault.message, details: fault.details };
  if (fault instanceof DomainError && isErrorCode(fault.code) && fault.code !== 'internal_error')
    return { code: fault.code, message: fault.message, details: fault.details };
  return { code: 'internal_error', message: 'internal error', details: {} };
}

class Engine implements MakingEngine {
  readonly #options: MakingEngineOptions;
  readonly #owner: string;
  readonly #stop = new AbortController();
  readonly #working = new Set<Promise<void>>();
  readonly #leaseMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #unring: () => void;
  #claiming = false;
  #ending = false;
  #again = false;

  constructor(owner: string, options: MakingEngineOptions) {
    this.#owner = owner;
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? 30_000;
    this.#unring = options.bell.onRing(() => {
      this.#wake();
    });
    this.#timer = setInterval(() => {
      void this.#sweep();
    }, options.sweepMs ?? 2000);
  }

  async begin(): Promise<void> {
    await mkdir(this.#options.workDirectory, { recursive: true, mode: 0o700 });
    await this.#tidy();
    await this.#sweep();
  }

  async close(): Promise<void> {
    this.#stop.abort(new Stopped('the platform was stopped'));
    clearInterval(this.#timer);
    this.#unring();
    await Promise.all(this.#working);
  }

  /** Removes the directories of what is not worked on any more: a killed process leaves its own behind. */
  async #tidy(): Promise<void> {
    const { db, maker, workDirectory } = this.#options;
    const names = await readdir(workDirectory); // before the question: what is begun meanwhile is not among them
    const inUse = new Set((await listRunning(db)).map(({ id, fence }) => `${id}.${fence}`));
    for (const name of names) {
      if (inUse.has(name)) continue;
      await maker.clear(path.join(workDirectory, name));
      await rm(path.join(workDirectory, name), { recursive: true, force: true });
    }
  }

  async #sweep(): Promise<void> {
    const { db, log } = this.#options;
    try {
      const error = {
        code: 'interrupted',
        message: `its worker was lost ${MOST_ATTEMPTS} times while it was made`,
        details: {},
      };
      await this.#endLeasesOfTheDead();
      const recovered = await recoverAbandoned(db, MOST_ATTEMPTS, error);
      for (const { id, status } of recovered)
        log.warn({ productionId: id, status }, 'the worker of a production was lost');
      if (recovered.length > 0) await this.#tidy();
    } catch (err) {
      log.warn({ err }, 'abandoned productions could not be looked for');
    }
    if (!this.#ending) void this.#endLeftRuns();
    this.#wake();
  }

  /** Nobody waits for the lease of a worker that was killed on this machine. */
  async #endLeasesOfTheDead(): Promise<void> {
    const { db } = this.#options;
    const others = (await listOwners(db)).filter((owner) => owner !== this.#owner);
    const dead = (
      await Promise.all(others.map(async (owner) => ((await isDead(owner)) ? [owner] : [])))
    ).flat();
    if (dead.length > 0) await endLeases(db, dead);
  }

  /** Runs elsewhere of productions that were cancelled while nobody worked on them are ended, too. */
  async #endLeftRuns(): Promise<void> {
    const { db, log, maker } = this.#options;
    this.#ending = true;
    try {
      for (const { id, run } of await listLeftRuns(db, MOST_LEFT)) {
        await maker.abandon(run);
        await forgetRunElsewhere(db, id);
      }
    } catch (err) {
      log.warn({ err }, 'runs that nobody wants could not be ended');
    } finally {
      this.#ending = false;
    }
  }

  #wake(): void {
    this.#again = true;
    if (this.#claiming || this.#stop.signal.aborted) return;
    this.#claiming = true;
    void this.#claim()
      .catch((err: unknown) => {
        this.#options.log.warn({ err }, 'queued productions could not be claimed');
      })
      .finally(() => {
        this.#claiming = false;
      });
  }

  async #claim(): Promise<void> {
    const { db, concurrent } = this.#options;
    while (this.#again && !this.#stop.signal.aborted && this.#working.size < concurrent) {
      this.#again = false;
      const free = concurrent - this.#working.size;
      const claimed = await claimProductions(db, this.#owner, this.#leaseMs, free);
      for (const production of claimed) {
        const work = this.#work(production).finally(() => {
          this.#working.delete(work);
          this.#wake();
        });
        this.#working.add(work);
      }
      if (claimed.length === free) this.#again = true;
    }
  }

  /** Never rejects for what becomes of the production. */
  async #work(production: ClaimedProduction, within: readonly string[] = []): Promise<void> {
    const { db, log, bell } = this.#options;
    const lost = new AbortController();
    let tail: string | null = null;
    const beat = async (): Promise<void> => {
      if ((await keepLease(db, production, this.#leaseMs, tail)) || lost.signal.aborted) return;
      const isCancelled = (await findProgress(db, production.id))?.status === 'cancelled';
      lost.abort(
        isCancelled
          ? new Unwanted('the production was cancelled')
          : new NotOurs('the lease of the production was lost'),
      );
    };
    const endBeat = this.#heartbeat(production, beat, lost);
    const endListening = this.#onChange(production.id, bell, beat);
    const stop = AbortSignal.any([this.#stop.signal, lost.signal]);
    const making: Making = {
      ...production,
      requester: requesterOf(production),
      stop,
      onLog: (text) => {
        tail = text;
      },
      require: (node) => this.#require(node, production, [...within, production.id], stop),
      stillOurs: async () => {
        await beat();
        lost.signal.throwIfAborted();
      },
    };
    let settlement: Settlement;
    let away = false;
    try {
      const produced = await this.#options.maker.make(making);
      settlement = { status: 'completed', produced, error: null, log: tail };
    } catch (fault) {
      const error = errorOf(fault);
      away = isAway(fault);
      if (error.code === 'internal_error' && !away && !stop.aborted)
        log.error({ err: fault, productionId: production.id }, 'unexpected error in a production');
      settlement = { status: 'failed', produced: [], error, log: tail };
    }
    endListening();
    endBeat();
    try {
      if (lost.signal.aborted)
        log.info(
          { productionId: production.id },
          'work on a production has stopped: it was cancelled, or its lease was lost',
        );
      else if (settlement.status === 'failed' && this.#stop.signal.aborted)
        await requeueProduction(db, production);
      else if (away)
        log.warn(
          { productionId: production.id, error: settlement.error },
          'a production was interrupted: what it needs of the platform is away; it will be begun again when its lease ends',
        );
      else await this.#settle(production, settlement);
    } catch (err) {
      log.error(
        { err, productionId: production.id },
        'a production could not be settled: it will be begun again when its lease ends',
      );
    }
  }

  /** A database that is away for a moment does not undo what was made. */
  async #settle(production: ClaimedProduction, settlement: Settlement): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await settleProduction(this.#options.db, production, settlement);
        return;
      } catch (fault) {
        if (tries === SETTLE_TRIES || this.#stop.signal.aborted) throw fault;
        await new Promise((resolve) => {
          setTimeout(resolve, 500);
        });
      }
    }
  }

  #heartbeat({ id }: ClaimedProduction, beat: () => Promise<void>, lost: AbortController): () => void {
    let keptAt = performance.now();
    const timer = setInterval(
      () => {
        const askedAt = performance.now();
        beat().then(
          () => {
            keptAt = askedAt;
          },
          (err: unknown) => {
            this.#options.log.warn(
              { err, productionId: id },
              'the lease of a production could not be renewed',
            );
            if (performance.now() - keptAt > this.#leaseMs) lost.abort(new NotOurs('the lease has ended'));
          },
        );
      },
      Math.min(this.#leaseMs / 3, 2000),
    ); // the log goes along
    return () => {
      clearInterval(timer);
    };
  }

  /** A cancellation is noticed at once, not at the next heartbeat. */
  #onChange(id: string, bell: ProductionBell, beat: () => Promise<void>): () => void {
    const ended = new AbortController();
    void (async () => {
      while (!ended.signal.aborted) {
        await bell.next(id, 60_000, ended.signal);
        if (!ended.signal.aborted) await beat().catch(() => undefined); // the heartbeat tells of a database that is away
      }
    })();
    return () => {
      ended.abort();
    };
  }

  /** Makes what another production requires: in its place in the line, so that nobody waits for a place that is taken by who waits. */
  async #require(
    node: PlanNode,
    parent: ClaimedProduction,
    within: readonly string[],
    stop: AbortSignal,
  ): Promise<void> {
    const { db, bell } = this.#options;
    const { production: id } = await enqueue(this.#options, {
      entityType: node.entity_type,
      criteria: node.criteria,
      parameters: {},
      requestedRule: node.rule,
      plan: node,
      caller: requesterOf(parent),
      waiter: `production:${parent.id}`,
    });
    if (within.includes(id))
      throw new ProductionFailed('conflict', `${node.entity_type} is required by itself`);
    for (;;) {
      stop.throwIfAborted();
      const own = await claimProduction(db, this.#owner, this.#leaseMs, id);
      if (own) await this.#work(own, within);
      const progress = await findProgress(db, id);
      if (progress?.status === 'completed') return;
      if (progress?.status === 'failed' || progress?.status === 'cancelled' || !progress) {
        throw new ProductionFailed(
          'not_found',
          `${node.entity_type}, which is required, could not be made (production ${id})`,
          { production: id, error: progress?.error ?? null },
        );
      }
      await addWaiter(db, id, `production:${parent.id}`);
      await bell.next(id, 1000, stop);
    }
  }
}

/** Begins to work on what is queued. Directories that a killed process has left are removed. */
export async function startMakingEngine(options: MakingEngineOptions): Promise<MakingEngine> {
  const engine = new Engine(await ownerName(), options);
  await engine.begin();
  return engine;
}
