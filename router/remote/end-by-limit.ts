// A component that refuses for the remaining budget of the operation ends the whole operation
// (docs/reference/api-conventions.md#budget).
import type { Budget } from '../../platform/budget/budget.ts';
import type { LimitName } from '../../platform/budget/limits.ts';
import type { ComponentResult } from '../../platform/component.ts';
import { errorCodeOf } from '../../platform/errors.ts';

const LIMITS: readonly unknown[] = ['objects', 'bytes', 'time'] satisfies LimitName[];

/** Whether the answer refuses the operation for its size: then the refusal is the whole answer. */
export function endedOverLimit({ data, errors }: ComponentResult, budget: Budget): boolean {
  const extensions = errors?.[0]?.extensions;
  if (data !== undefined && data !== null) return false;
  if (errorCodeOf(extensions?.['code']) !== 'invalid_request') return false;
  const { limit, asked, allowed } = (extensions?.['details'] ?? {}) as Readonly<Record<string, unknown>>;
  if (!LIMITS.includes(limit) || typeof asked !== 'number' || typeof allowed !== 'number') return false;
  budget.exceededElsewhere(limit as LimitName, asked, allowed);
  return true;
}
