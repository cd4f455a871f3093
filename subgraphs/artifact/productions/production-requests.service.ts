// Handles requests for entities: reuses a stored and verified one, joins a production in progress, or queues
// one (docs/reference/artifact.md#produce).
import type { Logger } from 'pino';
import { DomainError, invalid } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import type { JsonValue } from '../../../platform/json.ts';
import type { Notifier } from '../../../platform/notifier.ts';
import { allows } from '../../../platform/permissions.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { TableChanges } from '../../../platform/past/table-changes.ts';
import type { AskPlatform } from '../platform-port.ts';
import { artifactRequests } from '../metrics/artifact-metrics.ts';
import { type Candidate, findCandidate } from '../planning/candidates.store.ts';
import { planDifference, type PlanNode, type Reuse, reusedBy } from '../planning/plan.ts';
import type { Resolution, ResolutionService } from '../planning/resolution.service.ts';
import type { ReuseService } from '../reuse/reuse.service.ts';
import { readRuleReference } from '../rules/rule-reference.ts';
import type { Runner } from '../runners/runner.ts';
import type { Storage } from '../storage/storage.service.ts';
import { enqueue, type EnqueueDeps } from './enqueue.ts';
import { lostEntities, makeUnavailable } from './lost-files.ts';
import { cancelProduction, findProgress } from './production-queue.store.ts';
import { noteResolved } from './resolved-plans.store.ts';
import { countPastWaiters, countWaiters, listAwaited, removeWaiter } from './production-waiters.store.ts';
import type { ProductionChangeFilter } from './production-changes.store.ts';
import type { ProductionFollower } from './production-follower.ts';
import type { ProductionService } from './productions.service.ts';
import type { Production } from './production.ts';

export interface RequestDeps extends EnqueueDeps {
  readonly db: Queryable;
  readonly ask: AskPlatform;
  readonly storage: Storage;
  readonly runner: Pick<Runner, 'trouble' | 'imageTrouble'>;
  /** Notifies of queued, cancelled and ended productions, by their ids. */
  readonly notifier: Notifier;
  readonly log: Logger;
}

export interface ProduceRequest {
  readonly entityType: string;
  readonly criteria: unknown;
  readonly parameters: unknown;
  readonly rule: string | null;
  readonly reuse: Reuse;
  /** Hash of the plan that the caller has seen: no other plan is executed. */
  readonly planHash: string | null;
  /** How long an answer may wait for the production's end, in seconds. */
  readonly waitSeconds: number;
}

/** The answer to a request: an entity, or a production whose state can be queried. */
export interface ProduceAnswer extends Resolution {
  readonly production: Production | null;
}

/** Clients and proxies would time out after longer waits. */
const MAX_WAIT_SECONDS = 25;
/** Times that it is planned without what was found to be lost. */
export const MAX_ROUNDS = 20;

export const tooManyLost = (): DomainError =>
  new DomainError('conflict', 'too many stored results have missing files: verify the artifact store');

export function readParameters(sent: unknown): Readonly<Record<string, JsonValue>> {
  if (sent === null || sent === undefined) return {};
  if (typeof sent !== 'object' || Array.isArray(sent)) throw invalid('parameters must be an object');
  return sent as Readonly<Record<string, JsonValue>>; // It is JSON, because it was sent as JSON.
}

/** The requests of one caller. */
export class ProductionRequestService {
  readonly #deps: RequestDeps;
  readonly #caller: Caller;
  readonly #resolution: ResolutionService;
  readonly #productions: ProductionService;

  constructor(
    deps: RequestDeps,
    caller: Caller,
    resolution: ResolutionService,
    productions: ProductionService,
  ) {
    this.#deps = deps;
    this.#caller = caller;
    this.#resolution = resolution;
    this.#productions = productions;
  }

  /**
   * @throws DomainError `not_found` and `conflict` as resolution, `conflict` with `details` if the plan is
   * not the one that was seen, `runner_unavailable` with what to install if nothing can be run,
   * `validation_failed`
   */
  async produce({
    entityType,
    criteria,
    parameters: sent,
    rule,
    reuse,
    planHash,
    waitSeconds,
  }: ProduceRequest): Promise<ProduceAnswer> {
    const parameters = readParameters(sent);
    const resolution = await this.#sound(() =>
      this.#resolution.resolve(entityType, criteria, rule, parameters, reuse),
    );
    const { plan } = resolution;
    if (planHash !== null && planHash !== resolution.planHash) {
      throw new DomainError('conflict', 'the current plan differs from the one with this plan_hash', {
        expected: planHash,
        plan_hash: resolution.planHash,
        plan,
        difference: planDifference(plan),
      });
    }
    if (resolution.entity !== null) {
      artifactRequests.reused.value++;
      return { ...resolution, production: null };
    }
    const candidate = await this.#candidate(plan);
    const trouble =
      (await this.#deps.runner.trouble()) ??
      (candidate?.workflow ? await this.#deps.runner.imageTrouble(candidate.workflow.demands) : null);
    if (trouble !== null)
      throw new DomainError('runner_unavailable', `no workflow can be run here: ${trouble}`, {
        install: trouble,
      });
    const { production: id, joined } = await enqueue(this.#deps, {
      entityType,
      criteria: plan.criteria,
      parameters,
      requestedRule: rule,
      reuse,
      plan,
      caller: this.#caller,
      waiter: this.#caller.actor,
      askedPlan: planHash,
    });
    const made = plan.decision === 'fetch' ? 'fetched' : 'built';
    artifactRequests[joined ? 'joined' : made].value++;
    await this.#wait(id, Math.min(waitSeconds, MAX_WAIT_SECONDS));
    const production = await this.#productions.fresh(id);
    if (production?.status !== 'completed') return { ...resolution, production };
    return { ...(await this.#resolution.resolve(entityType, criteria, rule, parameters, reuse)), production };
  }

  /**
   * What `produce` would decide now; nothing is changed. Entities whose files are lost or altered are
   * excluded, as there.
   * @throws as `produce`
   */
  async resolve(
    entityType: string,
    criteria: unknown,
    rule: string | null,
    sent: unknown,
    reuse: Reuse,
  ): Promise<Resolution> {
    const parameters = readParameters(sent);
    const gone = new Map<string, string>();
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const resolution = await this.#resolution.resolve(entityType, criteria, rule, parameters, reuse, gone);
      const unsound = await this.#deps.storage.unsound(reusedBy(resolution.plan), false);
      if (!unsound.length) return await this.#noted(resolution);
      for (const [id, why] of lostEntities(unsound)) gone.set(id, why);
    }
    throw tooManyLost();
  }

  /** A plan of something that is to be made: who asks for that by its hash was told of it by this request. */
  async #noted(resolution: Resolution): Promise<Resolution> {
    // nobody else asks for anything by its hash
    if (resolution.entity === null && allows(this.#caller, 'artifact:produce'))
      await noteResolved(this.#deps.db, resolution.planHash, this.#caller).catch((err: unknown) => {
        // the plan itself is as good without
        this.#deps.log.warn({ err }, 'the request that told of a plan could not be noted');
      });
    return resolution;
  }

  /**
   * Withdraws the caller's request; without any other the production is stopped. Null if there is none that
   * the caller may see.
   */
  async cancel(id: string): Promise<Production | null> {
    if ((await this.#productions.get(id)) === null) return null;
    await this.#deps.transact((db) => this.#withdraw(db, id, this.#caller.actor));
    return this.#productions.fresh(id);
  }

  /** Number of waiting requesters, then or now. */
  waiters({ id, asOf }: Pick<Production, 'id' | 'asOf'>): Promise<number> {
    const { db } = this.#deps;
    return asOf === null ? countWaiters(db, id) : countPastWaiters(db, id, asOf);
  }

  async #withdraw(db: Queryable, id: string, waiter: string): Promise<void> {
    if ((await removeWaiter(db, id, waiter)) > 0) return;
    const isEnded = !(await cancelProduction(db, id, {
      code: 'cancelled',
      message: `cancelled by ${this.#caller.actor}`,
      details: {},
    }));
    if (isEnded) return;
    const own = `production:${id}`; // its requirements are cancelled with it, unless others wait for them
    for (const required of await listAwaited(db, own)) await this.#withdraw(db, required, own);
  }

  /**
   * A plan whose stored files are all unaltered: entities with lost or altered files are made unavailable,
   * and it is planned again.
   */
  async #sound(plan: () => Promise<Resolution>): Promise<Resolution> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const resolution = await plan();
      const unsound = await this.#deps.storage.unsound(reusedBy(resolution.plan));
      if (unsound.length === 0) return resolution;
      await makeUnavailable(this.#deps.ask, unsound);
    }
    throw tooManyLost();
  }

  /** The rule of the plan, with its workflow's description. */
  async #candidate({ rule }: PlanNode): Promise<Candidate | null> {
    if (rule === null) return null;
    const { name, version } = readRuleReference(rule);
    return findCandidate(this.#deps.db, name, version ?? 0, this.#caller.actor);
  }

  async #wait(id: string, seconds: number): Promise<void> {
    const { signal } = this.#caller;
    const until = performance.now() + seconds * 1000;
    if (seconds <= 0) return;
    const waiter = await this.#deps.notifier.waiter(id, signal);
    try {
      for (
        let left = seconds * 1000;
        left > 0 && signal?.aborted !== true;
        left = until - performance.now()
      ) {
        const progress = await findProgress(this.#deps.db, id);
        if (progress?.status !== 'queued' && progress?.status !== 'running') return;
        await waiter.next(Math.min(left, 1000));
      }
    } finally {
      await waiter.release();
    }
  }
}

/** The slice of the resolvers' context. */
export interface ProductionSlice {
  readonly productions: ProductionService;
  readonly requests: ProductionRequestService;
  readonly reuse: ReuseService;
  readonly productionChanges: TableChanges<Production, ProductionChangeFilter>;
  readonly productionFollower: ProductionFollower;
}
