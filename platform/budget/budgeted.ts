// Runs an operation within a budget of its own: what the edge, and a component served alone, do with every
// operation of a client.
import type { ComponentResult } from '../component.ts';
import { masked } from '../errors.ts';
import type { Caller, Projects, Role } from '../identity.ts';
import { Budget } from './budget.ts';
import type { OperationLimits } from './limits.ts';

/** A caller with the budget of the one operation that they ask by. */
class BudgetedCaller implements Caller {
  readonly actor: string;
  readonly roles: readonly Role[];
  readonly projects: Projects;
  readonly requestId: string;
  declare readonly credential?: string;
  declare readonly cause?: string;
  declare readonly traceparent?: string;
  declare readonly isSelfNamed?: boolean;
  declare readonly asOf?: string;
  declare readonly wantsBasis?: boolean;
  readonly budget: Budget;
  readonly #caller: Caller;

  constructor(caller: Caller, budget: Budget) {
    this.actor = caller.actor;
    this.roles = caller.roles;
    this.projects = caller.projects;
    this.requestId = caller.requestId;
    if (caller.credential !== undefined) this.credential = caller.credential;
    if (caller.cause !== undefined) this.cause = caller.cause;
    if (caller.traceparent !== undefined) this.traceparent = caller.traceparent;
    if (caller.asOf !== undefined) this.asOf = caller.asOf;
    if (caller.wantsBasis !== undefined) this.wantsBasis = caller.wantsBasis;
    if (caller.isSelfNamed !== undefined) this.isSelfNamed = caller.isSelfNamed;
    this.budget = budget;
    this.#caller = caller;
  }

  get signal(): AbortSignal {
    return this.#caller.signal as AbortSignal; // where there is none, that is what is answered
  }
}

export const withBudget = (caller: Caller, budget: Budget): Caller => new BudgetedCaller(caller, budget);

/** What ended the operation, as its whole answer: nothing of what was found so far. */
export function refusedResult(thrown: unknown): ComponentResult {
  const { message, extensions } = masked(thrown);
  return { errors: [{ message, extensions }] };
}

/**
 * The result, and the budget by which it is to be written; closing that is the caller's business.
 * @param isTimed false for what writes: it is finished once it is begun
 */
export async function runWithin(
  limits: OperationLimits,
  caller: Caller,
  isTimed: boolean,
  run: (caller: Caller) => Promise<ComponentResult>,
): Promise<{ readonly result: ComponentResult; readonly budget: Budget }> {
  const budget = new Budget(limits, caller, isTimed);
  const result = await budget.within(run(withBudget(caller, budget))).catch((thrown: unknown) => {
    if (budget.ended !== undefined) return refusedResult(budget.ended);
    budget.close();
    throw thrown;
  });
  return { result: budget.ended === undefined ? result : refusedResult(budget.ended), budget };
}
