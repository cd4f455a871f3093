// Runs an operation within a budget of its own: what the edge, and a component served alone, do with every
// operation of a client.
import { callerWith } from '../caller-with.ts';
import type { ComponentResult } from '../component.ts';
import { masked } from '../errors.ts';
import type { Caller } from '../identity.ts';
import { Budget } from './budget.ts';
import type { OperationLimits } from './limits.ts';

/** The caller with the budget of the one operation that they ask by. */
export const withBudget = (caller: Caller, budget: Budget): Caller => callerWith(caller, { budget });

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
