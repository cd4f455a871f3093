// Queues a production, or joins an equal one in progress: one build for concurrent equal requests
// (docs/reference/artifact.md#one-production-per-request).
import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { causeOf } from '../../../platform/causal-links.ts';
import { DomainError } from '../../../platform/errors.ts';
import { type Caller, visibilityKey } from '../../../platform/identity.ts';
import { planHash, type PlanNode, recorded, type Reuse, reusedBy } from '../planning/plan.ts';
import { withLockRetry } from '../storage/with-lock-retry.ts';
import { holdObjectsOf } from '../storage/stored-objects.store.ts';
import { askForFresh, holdUnderWay, insertProduction, type RequesterJson } from './production-queue.store.ts';
import { keepsToBoth, type Pin } from '../planning/pinned-plan.ts';
import { findPin, forgetPin, keepPin } from './pinned-plans.store.ts';
import { noteAsked } from './production-causes.store.ts';
import { noteResolvedFor } from './resolved-plans.store.ts';
import { addWaiter } from './production-waiters.store.ts';

export interface EnqueueDeps {
  readonly transact: Transact;
}

export interface ProductionRequest {
  readonly entityType: string;
  readonly criteria: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly requestedRule: string | null;
  readonly reuse: Reuse;
  readonly plan: PlanNode;
  readonly caller: Caller;
  /** The waiting requester. */
  readonly waiter: string;
  /** The hash by which the requester has asked for the plan. */
  readonly askedPlan?: string | null;
  /**
   * What it may use, where it is part of a refresh. Who joins without a pin takes that of the production away, so that it does
   * not fail for them.
   */
  readonly pin?: Pin | null;
  /** Whether only a production is joined that keeps to the pin: who waits for what they require looks at what was made. */
  readonly joinsOnlyPinned?: boolean;
}

/**
 * Equal for requests that one production can serve. A result must not contain anything that one of its
 * requesters may not see, so their projects are part of the key. Which results may be reused is not: what is made of
 * fresh ones serves everybody.
 */
export function requestKey({ entityType, criteria, parameters, plan, caller }: ProductionRequest): string {
  const usesNothing = plan.requires.length === 0 && plan.decision !== 'reuse';
  const seen = usesNothing ? null : visibilityKey(caller);
  const what = [entityType, criteria, parameters, plan.rule, plan.workflow_hash, plan.bindings, seen];
  return createHash('sha256').update(canonicalJson(what)).digest('hex');
}

/** The stored part of the requester. */
export const requesterJson = ({ actor, roles, projects, credential }: Caller): RequesterJson => ({
  actor,
  roles,
  projects,
  ...(credential === undefined ? {} : { credential }),
});

/** It is under way, and would not be what was planned. */
async function refuseOther(db: Queryable, production: string, pin: Pin): Promise<void> {
  const held = await findPin(db, production);
  if (held !== null && keepsToBoth(held, pin)) return;
  const why = held === null ? 'keeps to no plan' : 'was planned otherwise';
  throw new DomainError(
    'conflict',
    `nothing is made: the same is being made by production ${production}, which ${why}: plan the refresh again when it has ended`,
    { production_id: production, departed_from_plan: true },
  );
}

export interface Enqueued {
  readonly production: string;
  /** Whether there was one in progress already. */
  readonly joined: boolean;
}

/** @throws DomainError `conflict` if `joinsOnlyPinned` and a production is under way that does not keep to the pin */
export async function enqueue({ transact }: EnqueueDeps, request: ProductionRequest): Promise<Enqueued> {
  const key = requestKey(request);
  const { entityType, criteria, parameters, requestedRule, reuse, plan, waiter } = request;
  const caller = requesterJson(request.caller);
  for (;;) {
    const found = await withLockRetry(transact, async (db): Promise<Enqueued | null> => {
      const id = randomUUID();
      const isNew = await insertProduction(db, {
        id,
        requestKey: key,
        entityType,
        criteria,
        parameters,
        requestedRule,
        reuse,
        rule: plan.rule,
        plan: recorded(plan),
        planHash: planHash(plan),
        caller,
        requestId: request.caller.requestId,
      });
      const production = isNew ? id : await holdUnderWay(db, key);
      if (production === null) return null; // it has just ended: the next attempt inserts a new one
      const { askedPlan = null, pin = null, joinsOnlyPinned = false } = request;
      if (!isNew && pin !== null && joinsOnlyPinned) await refuseOther(db, production, pin);
      if (isNew) await holdObjectsOf(db, id, reusedBy(plan));
      else if (reuse === 'fresh') await askForFresh(db, production);
      if (isNew && pin !== null) await keepPin(db, id, pin);
      if (!isNew && pin === null) await forgetPin(db, production);
      await addWaiter(db, production, waiter, caller);
      await noteAsked(db, production, causeOf(request.caller));
      if (askedPlan !== null) await noteResolvedFor(db, production, askedPlan, request.caller);
      return { production, joined: !isNew };
    });
    if (found) return found;
  }
}
