// Works one claimed production: executes it under its lease, with its requirements, and finishes it.
import type { Logger } from 'pino';
import type { StandingRights } from '../../../platform/acting.ts';
import type { Caller } from '../../../platform/identity.ts';
import { Lease, LeaseLostError } from '../../../platform/lease-queue/lease.ts';
import type { Notifier } from '../../../platform/notifier.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { enqueue, type EnqueueDeps, type ProductionRequest, requesterJson } from '../productions/enqueue.ts';
import {
  type ClaimedProduction,
  claimProduction,
  findProgress,
  findReuse,
  finishProduction,
  giveBackProduction,
  type ProductionResult,
  renewProduction,
} from '../productions/production-queue.store.ts';
import { isPinned } from '../productions/pinned-plans.store.ts';
import { addWaiter } from '../productions/production-waiters.store.ts';
import { finishedProductions, productionSeconds } from '../metrics/artifact-metrics.ts';
import { type Pin, pinWithin } from '../planning/pinned-plan.ts';
import type { PlanNode, Reuse } from '../planning/plan.ts';
import { CancelledError } from '../runners/runner.ts';
import { AskerRights } from './asker-rights.ts';
import type { Executor } from './executor.ts';
import {
  errorOf,
  hasDeparted,
  isAway,
  PlanDeparted,
  ProductionFailed,
  RightsChangedError,
} from './production-failed.ts';
import type { ProductionTask } from './production-task.ts';

export interface ProductionWorkerDeps extends EnqueueDeps {
  readonly db: Queryable;
  readonly executor: Pick<Executor, 'make' | 'makeFresh'>;
  /** Notifies of queued, cancelled and ended productions, by their ids. */
  readonly notifier: Notifier;
  /** Computes the remaining rights of a past request. */
  readonly standing: StandingRights;
  readonly log: Logger;
  /** This worker's name in its leases. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Work that claims its production itself. */
  readonly outOfLine: (id: string, work: () => Promise<void>) => Promise<void>;
}

/** How often the lease is renewed, together with storing the end of the log. */
const RENEW_MS = 2000;
/** How often a required production is polled while waiting, in case a notification is lost. */
const REQUIRED_MS = 1000;

/** A production in progress. */
interface Attempt {
  readonly production: ClaimedProduction;
  /** The productions that require it, outermost first. */
  readonly within: readonly string[];
  readonly rights: AskerRights;
  readonly lease: Lease;
  /** Aborted when the process stops. */
  readonly stop: AbortSignal;
  readonly log: Logger;
  /** The end of its log. */
  tail: string | null;
  /** Which results it was planned to reuse. */
  reuse: Reuse;
  /** What it has made already. */
  made?: Awaited<ReturnType<Executor['make']>>;
}

/** A required production, and its requester. */
interface Requirement {
  readonly node: PlanNode;
  readonly pin: Pin | null;
  readonly reuse: Reuse;
  readonly requester: Caller;
  /** The productions that require it, outermost first. */
  readonly path: readonly string[];
  /** Aborted when the process stops. */
  readonly stop: AbortSignal;
  /** Also aborted when the requiring production ends. */
  readonly stopOrLost: AbortSignal;
}

export class ProductionWorker {
  readonly #deps: ProductionWorkerDeps;

  constructor(deps: ProductionWorkerDeps) {
    this.#deps = deps;
  }

  /** Never rejects for the production's result. @param stop aborted when the process stops */
  async work(
    production: ClaimedProduction,
    stop: AbortSignal,
    within: readonly string[] = [],
  ): Promise<void> {
    const { db, leaseMs, standing } = this.#deps;
    const log = this.#deps.log.child({ productionId: production.id });
    const rights = new AskerRights(db, standing, production);
    let rightsFault: Error | null = null;
    const lease = new Lease({
      leaseMs,
      // even if the log has not grown: a cancellation whose notification was lost must end a tool soon, and
      // so must ended rights
      progressMs: RENEW_MS,
      renew: async () => {
        if (!(await renewProduction(db, production, leaseMs, attempt.tail))) return false;
        rightsFault = await rights.fault();
        return rightsFault === null;
      },
      whyLost: async () => rightsFault ?? (await this.#whyLost(production.id)),
      log,
    });
    const timed = productionSeconds.startTimer();
    const attempt: Attempt = {
      production,
      within,
      rights,
      lease,
      stop,
      log,
      tail: null,
      reuse: production.reuse,
    };
    try {
      await this.#workUnder(attempt);
    } catch (err) {
      log.error(
        { err },
        'the result of a production could not be stored: the production starts again when its lease expires',
      );
    } finally {
      timed();
      lease.release();
    }
  }

  async #workUnder(attempt: Attempt): Promise<void> {
    const { db } = this.#deps;
    const { production, lease, stop, log } = attempt;
    let result: ProductionResult;
    let away = false;
    let isDeparted = false;
    try {
      const produced = await this.#make(attempt);
      result = { status: 'completed', produced, error: null, log: attempt.tail };
    } catch (thrown) {
      const fault: unknown = lease.lost.reason instanceof ProductionFailed ? lease.lost.reason : thrown;
      const error = errorOf(fault);
      away = isAway(fault);
      isDeparted = fault instanceof PlanDeparted;
      if (error.code === 'internal_error' && !away && !stop.aborted && !lease.lost.aborted)
        log.error({ err: fault }, 'unexpected error in a production');
      result = { status: 'failed', produced: [], error, log: attempt.tail };
    }
    const beginsAgain =
      lease.lost.reason instanceof RightsChangedError || (!lease.lost.aborted && stop.aborted);
    if (result.status === 'failed' && beginsAgain) await giveBackProduction(db, production);
    else if (lease.lost.aborted && !(lease.lost.reason instanceof ProductionFailed))
      log.info('work on a production has stopped: the production was cancelled, or its lease was lost');
    else if (away)
      log.warn(
        { error: result.error },
        'a production was interrupted because a component or the database is unavailable; it starts again when its lease expires',
      );
    else await this.#finish(attempt, result, isDeparted);
  }

  /**
   * Where fresh results were asked for meanwhile, what was made is looked at again. Where somebody has joined it who has seen no
   * plan, it does not fail by its plan, and begins again without.
   */
  async #finish(attempt: Attempt, result: ProductionResult, isDeparted: boolean): Promise<void> {
    const { db, transact } = this.#deps;
    const { production, lease, stop } = attempt;
    let isStored = false;
    let isFree = false;
    await lease.finish(async () => {
      isStored = await transact(async (tx) => {
        isFree = isDeparted && !(await isPinned(tx, production));
        return !isFree && (await finishProduction(tx, production, result, attempt.reuse));
      });
    }, stop);
    if (isStored) finishedProductions[result.status].value++;
    else if (isFree || (await findReuse(db, production.id)) !== attempt.reuse) {
      await lease.renew();
      await this.#workUnder(attempt);
    }
  }

  async #whyLost(id: string): Promise<Error> {
    const isCancelled = (await findProgress(this.#deps.db, id))?.status === 'cancelled';
    return isCancelled
      ? new CancelledError('the production was cancelled')
      : new LeaseLostError('the lease of the production was lost');
  }

  async #make(attempt: Attempt): ReturnType<Executor['make']> {
    const { production, within, rights, lease, stop } = attempt;
    const stopOrLost = AbortSignal.any([stop, lease.lost]);
    // a cancellation is noticed at once; the timer reports an unavailable database
    const unfollow = await this.#deps.notifier.follow(
      production.id,
      () => void lease.renew().catch(() => undefined),
    );
    try {
      const requester = await rights.begin();
      const path = [...within, production.id];
      const task: ProductionTask = {
        ...production,
        requester,
        stop: stopOrLost,
        onLog: (text) => {
          attempt.tail = text;
        },
        reuse: async () => (attempt.reuse = await findReuse(this.#deps.db, production.id)),
        require: (node, pin) =>
          this.#require({ node, pin, reuse: attempt.reuse, requester, path, stop, stopOrLost }),
        stillOurs: async () => {
          await lease.renew();
          lease.lost.throwIfAborted();
        },
      };
      const { db, executor } = this.#deps;
      let made = attempt.made ?? (await executor.make(task));
      while ((await findReuse(db, production.id)) !== attempt.reuse) {
        attempt.reuse = 'fresh';
        made = await executor.makeFresh(task, made);
      }
      return (attempt.made = made);
    } finally {
      await unfollow();
    }
  }

  /**
   * Produces a requirement of another production: out of order, since the waiting one may occupy the last
   * slot.
   */
  async #require({ node, pin, reuse, requester, path, stop, stopOrLost }: Requirement): Promise<void> {
    const { db, owner, leaseMs, notifier, outOfLine } = this.#deps;
    const asWaiter = `production:${path.at(-1) ?? ''}`;
    const request: ProductionRequest = {
      entityType: node.entity_type,
      criteria: node.criteria,
      parameters: node.parameters ?? {},
      requestedRule: node.rule,
      reuse,
      plan: node,
      pin: pin && pinWithin(pin, node),
      caller: requester,
      waiter: asWaiter,
    };
    const { production: id } = await enqueue(this.#deps, request);
    if (path.includes(id)) throw new ProductionFailed('conflict', `${node.entity_type} requires itself`);
    const waiter = await notifier.waiter(id, stopOrLost);
    try {
      for (;;) {
        stopOrLost.throwIfAborted();
        await outOfLine(id, async () => {
          const own = await claimProduction(db, owner, leaseMs, id);
          if (own) await this.work(own, stop, path);
        });
        const progress = await findProgress(db, id);
        if (progress?.status === 'completed') return;
        const error = progress?.error ?? null;
        const message = `the required ${node.entity_type} could not be produced (production ${id})`;
        if (pin !== null && hasDeparted(error)) throw new PlanDeparted(message, { production: id, error });
        if (progress?.status === 'failed' || progress?.status === 'cancelled' || !progress)
          throw new ProductionFailed('not_found', message, { production: id, error });
        await addWaiter(db, id, asWaiter, requesterJson(requester));
        await waiter.next(REQUIRED_MS);
      }
    } finally {
      await waiter.release();
    }
  }
}
