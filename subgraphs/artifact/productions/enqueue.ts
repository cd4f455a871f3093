// Puts a production into the queue, or joins the equal one that is under way: one build, however many ask at once (contract 4).
import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { type Caller, visibilityKey } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { type PlanNode, recorded, reusedBy } from '../resolution/plan.ts';
import { patiently } from '../storage/patiently.ts';
import { holdObjectsOf } from '../storage/stored-objects.store.ts';
import { addWaiter, holdUnderWay, insertProduction } from './production-queue.store.ts';

export interface EnqueueMeans {
  readonly transact: <T>(work: (db: Queryable) => Promise<T>) => Promise<T>;
}

export interface ProductionRequest {
  readonly entityType: string;
  readonly criteria: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly requestedRule: string | null;
  readonly plan: PlanNode;
  readonly caller: Caller;
  /** Who waits for it. */
  readonly waiter: string;
}

/** Equal for requests that one production can serve: what somebody may not see must not go into another's result, so that what they see is part of it. */
export function requestKey({ entityType, criteria, parameters, plan, caller }: ProductionRequest): string {
  const seen = plan.requires.length === 0 ? null : visibilityKey(caller);
  const what = [entityType, criteria, parameters, plan.rule, plan.workflow_hash, plan.bindings, seen];
  return createHash('sha256').update(canonicalJson(what)).digest('hex');
}

export interface Enqueued {
  readonly production: string;
  /** Whether there was one under way already. */ readonly joined: boolean;
}

export async function enqueue({ transact }: EnqueueMeans, request: ProductionRequest): Promise<Enqueued> {
  const key = requestKey(request);
  const {
    entityType,
    criteria,
    parameters,
    requestedRule,
    plan,
    caller: { actor, roles, projects },
    waiter,
  } = request;
  for (;;) {
    const found = await patiently(transact, async (db): Promise<Enqueued | null> => {
      const id = randomUUID();
      const isNew = await insertProduction(db, {
        id,
        requestKey: key,
        entityType,
        criteria,
        parameters,
        requestedRule,
        rule: plan.rule,
        plan: recorded(plan),
        caller: { actor, roles, projects },
      });
      const production = isNew ? id : await holdUnderWay(db, key);
      if (production === null) return null; // it has just ended: the next round is alone
      if (isNew) await holdObjectsOf(db, id, reusedBy(plan));
      await addWaiter(db, production, waiter);
      return { production, joined: !isNew };
    });
    if (found) return found;
  }
}
