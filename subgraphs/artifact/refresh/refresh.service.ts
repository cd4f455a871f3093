// Makes stale results anew, with the stale results that they were made of: as one plan, each thing once
// (docs/reference/artifact.md#refresh).
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { DomainError, invalid } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import { inGroups } from '../../../platform/in-groups.ts';
import { allows } from '../../../platform/permissions.ts';
import { isObject } from '../../../platform/json-object.ts';
import type { JsonValue } from '../../../platform/json.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import { type Pin, pinOf, type Versions } from '../planning/pinned-plan.ts';
import { type PlanNode, reusedBy } from '../planning/plan.ts';
import type { ResolutionService } from '../planning/resolution.service.ts';
import { enqueue, type ProductionRequest } from '../productions/enqueue.ts';
import { lostEntities, makeUnavailable, type Unsound } from '../productions/lost-files.ts';
import { MAX_ROUNDS, type RequestDeps, tooManyLost } from '../productions/production-requests.service.ts';
import type { ProductionService } from '../productions/productions.service.ts';
import type { Production } from '../productions/production.ts';
import { noteResolved } from '../productions/resolved-plans.store.ts';
import { readRuleReference, ruleReference } from '../rules/rule-reference.ts';
import type { RuleService } from '../rules/rules.service.ts';
import type { StaleListService } from '../staleness/stale-list.service.ts';
import type { Staleness, StalenessService } from '../staleness/staleness.service.ts';
import { refreshHash, versionsOf } from './refresh-hash.ts';
import { closureOf, STEPS_AT_ONCE } from './stale-closure.ts';

export interface RefreshFilter {
  readonly entityIds: readonly string[] | null;
  readonly entityType: string | null;
  readonly filter: string | null;
}

export interface RefreshStep {
  readonly entityId: string;
  readonly entityType: string;
  readonly staleness: Staleness;
  readonly production: Production;
  readonly parameters: Readonly<Record<string, JsonValue>>;
  readonly rule: string | null;
  readonly plan: PlanNode | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface RefreshPlan {
  readonly steps: readonly RefreshStep[];
  readonly planHash: string;
  readonly isComplete: boolean;
  /** Of the stored entities that the steps use. */
  readonly versions: Versions;
}

/** Results of one plan. */
const MAX_RESULTS = 500;
export interface RefreshDeps {
  readonly requests: RequestDeps;
  readonly resolution: ResolutionService;
  readonly productions: ProductionService;
  readonly rules: RuleService;
  readonly staleness: StalenessService;
  readonly staleResults: StaleListService;
}

/** How many results it was made of lie between it and what has changed. */
const depthOf = ({ reasons }: Staleness): number => Math.max(0, ...reasons.map(({ via }) => via.length));

/** Another stored entity answers the same request, and is not stale: a production would make nothing. */
const alreadyFresh = ({ entity_id: id }: PlanNode): NonNullable<RefreshStep['error']> => ({
  code: 'conflict',
  message: `nothing is made: ${id ?? 'another entity'} is not stale and matches the same request`,
});

/** For one operation's caller. */
export class RefreshService {
  readonly #deps: RefreshDeps;
  readonly #caller: Caller;
  readonly #troubles = new Map<string, Promise<string | null>>();

  constructor(deps: RefreshDeps, caller: Caller) {
    this.#deps = deps;
    this.#caller = caller;
  }

  /** @throws DomainError as lists of stale results; `conflict` if the results are made of too many others */
  async plan(filter: RefreshFilter): Promise<RefreshPlan> {
    const plan = await this.#plan(filter, async () => undefined);
    const { db, log } = this.#deps.requests;
    if (plan.steps.length > 0 && allows(this.#caller, 'artifact:produce'))
      await noteResolved(db, plan.planHash, this.#caller).catch((err: unknown) => {
        log.warn({ err }, 'the request that told of a plan could not be noted'); // the plan is as good without
      });
    return plan;
  }

  /** @param lose what becomes of entities whose files are missing or altered, before it is planned without them */
  async #plan(filter: RefreshFilter, lose: (unsound: Unsound) => Promise<void>): Promise<RefreshPlan> {
    const { found, isComplete } = await this.#stale(filter);
    const { closure, isWhole } = await closureOf(found, filter.entityIds === null, (id) =>
      this.#deps.staleness.ofVisible(id),
    );
    const ids = [...closure]
      .map(([id, staleness]) => ({ id, staleness, depth: depthOf(staleness) }))
      .sort((a, b) => a.depth - b.depth || (a.id < b.id ? -1 : 1));
    const gone = new Map<string, string>();
    const checked = new Set<string>();
    const steps = new Map<string, RefreshStep | null>();
    for (let open = ids, rounds = 0; open.length > 0; rounds++) {
      if (rounds === MAX_ROUNDS) throw tooManyLost();
      await inGroups(open, STEPS_AT_ONCE, async ({ id, staleness }) => {
        steps.set(id, await this.#step(id, staleness, gone));
      });
      const used = [...steps.values()].flatMap((step) => (step?.plan ? reusedBy(step.plan) : []));
      const unchecked = [...new Set(used)].filter((id) => !checked.has(id));
      for (const id of unchecked) checked.add(id);
      const unsound = await this.#deps.requests.storage.unsound(unchecked, false);
      await lose(unsound);
      for (const [id, why] of lostEntities(unsound)) gone.set(id, why);
      open = ids.filter(({ id }) => {
        const plan = steps.get(id)?.plan;
        return plan && reusedBy(plan).some((one) => gone.has(one));
      });
    }
    const planned = ids.flatMap(({ id }) => steps.get(id) ?? []);
    // several results of one production are made anew together
    const first = new Map(planned.map((step) => [step.production.id, step] as const).toReversed());
    const once = planned.filter((step) => first.get(step.production.id) === step);
    const versions = await versionsOf(this.#deps.requests.ask, this.#caller, once);
    return {
      steps: once,
      planHash: refreshHash(once, versions),
      isComplete: isComplete && isWhole,
      versions,
    };
  }

  /**
   * @throws DomainError `conflict` with `details` if the plan is another one than was seen, `runner_unavailable`, and
   * as `plan`
   */
  async refresh(
    filter: RefreshFilter,
    seen: string | null,
  ): Promise<{
    readonly requestId: string;
    readonly plan: RefreshPlan;
    readonly productions: readonly Production[];
  }> {
    const plan = await this.#plan(filter, (unsound) => makeUnavailable(this.#deps.requests.ask, unsound));
    if (seen !== null && seen !== plan.planHash)
      throw new DomainError('conflict', 'the current plan differs from the one with this plan_hash', {
        expected: seen,
        plan_hash: plan.planHash,
      });
    const trouble = plan.steps.length === 0 ? null : await this.#deps.requests.runner.trouble();
    if (trouble !== null)
      throw new DomainError('runner_unavailable', `no workflow can be run here: ${trouble}`, {
        install: trouble,
      });
    const begun: string[] = [];
    const steps: RefreshStep[] = [];
    // in this order: who needs another one of them finds it under way
    for (const step of plan.steps) {
      const done = step.plan && (await this.#begin(step, step.plan, seen, pinOf(step.plan, plan.versions)));
      if (typeof done === 'string') begun.push(done);
      steps.push(done === null || typeof done === 'string' ? step : { ...step, plan: null, error: done });
    }
    const productions = await this.#deps.productions.severalFresh(begun);
    return {
      requestId: this.#caller.requestId,
      plan: { ...plan, steps },
      productions: begun.flatMap((id) => productions.get(id) ?? []),
    };
  }

  /** @returns the production, or why nothing is made: the same is being made otherwise than it was planned */
  async #begin(
    { production, parameters, rule }: RefreshStep,
    plan: PlanNode,
    askedPlan: string | null,
    pin: Pin,
  ): Promise<string | NonNullable<RefreshStep['error']>> {
    const request: ProductionRequest = {
      entityType: production.entityType,
      criteria: plan.criteria,
      parameters,
      requestedRule: rule,
      reuse: 'fresh',
      plan,
      caller: this.#caller,
      waiter: this.#caller.actor,
      askedPlan,
      pin,
      joinsOnlyPinned: true,
    };
    try {
      return (await enqueue(this.#deps.requests, request)).production;
    } catch (fault) {
      if (!(fault instanceof DomainError) || fault.code !== 'conflict') throw fault;
      return { code: fault.code, message: fault.message };
    }
  }

  async #stale({
    entityIds,
    entityType,
    filter,
  }: RefreshFilter): Promise<{ found: ReadonlyMap<string, Staleness>; isComplete: boolean }> {
    if (entityIds !== null) {
      if (entityType !== null || filter !== null)
        throw invalid('entity_ids cannot be given with entity_type or filter');
      if (entityIds.length > MAX_RESULTS)
        throw invalid(`entity_ids may have at most ${MAX_RESULTS} entities`);
      const told = await Promise.all(
        entityIds.map(async (id) => [id, await this.#deps.staleness.ofVisible(id)] as const),
      );
      return {
        found: new Map(
          told.flatMap(([id, staleness]) => (staleness?.isStale === true ? [[id, staleness]] : [])),
        ),
        isComplete: true,
      };
    }
    const { items, nextCursor, isComplete } = await this.#deps.staleResults.page({
      entityType,
      rule: null,
      filter,
      since: null,
      limit: MAX_RESULTS,
      cursor: null,
      asOf: null,
    });
    return {
      found: new Map(items.map(({ entityId, staleness }) => [entityId, staleness])),
      isComplete: isComplete && nextCursor === null,
    };
  }

  /** Null if it is no production's result any more. */
  async #step(
    entityId: string,
    staleness: Staleness,
    gone: ReadonlyMap<string, string>,
  ): Promise<RefreshStep | null> {
    const { productions, resolution } = this.#deps;
    const production = await productions.ofEntity(entityId);
    if (production === null) return null;
    const parameters = (isObject(production.parameters) ? production.parameters : {}) as Readonly<
      Record<string, JsonValue>
    >; // as they were sent
    const rule = await this.#ruleOf(production);
    const own = { entityId, entityType: production.entityType, staleness, production, parameters, rule };
    try {
      const { plan, rules } = await resolution.resolve(
        production.entityType,
        production.criteria,
        rule,
        parameters,
        'fresh',
        gone,
      );
      if (plan.decision === 'reuse') return { ...own, plan: null, error: alreadyFresh(plan) };
      const made = rules.find(({ name, version }) => ruleReference(name, version) === plan.rule);
      const trouble = await this.#imageTrouble(made?.workflow ?? null);
      return trouble === null
        ? { ...own, plan, error: null }
        : { ...own, plan: null, error: { code: 'runner_unavailable', message: trouble } };
    } catch (fault) {
      if (!(fault instanceof DomainError) || fault.code === 'component_unavailable') throw fault;
      return { ...own, plan: null, error: { code: fault.code, message: fault.message } };
    }
  }

  /** As producing has it, which would refuse; asked once for equal images. */
  async #imageTrouble(workflow: KnownWorkflow | null): Promise<string | null> {
    if (workflow === null) return null;
    const key = canonicalJson(workflow.demands);
    const known = this.#troubles.get(key) ?? this.#deps.requests.runner.imageTrouble(workflow.demands);
    this.#troubles.set(key, known);
    return known;
  }

  /** The rule of this name, if there is one still: others may match as well. */
  async #ruleOf({ rule }: Production): Promise<string | null> {
    if (rule === null) return null;
    const { name } = readRuleReference(rule);
    return (await this.#deps.rules.get(name))?.status === 'active' ? name : null;
  }
}

/** The slice of the resolvers' context. */
export interface RefreshSlice {
  readonly refreshing: RefreshService;
}
