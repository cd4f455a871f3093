// A component that refuses for the remaining budget of the operation ends the whole operation
// (docs/reference/api-conventions.md#budget).
import type { Budget } from '../../platform/budget/budget.ts';
import type { LimitName } from '../../platform/budget/limits.ts';
import type { ComponentResult } from '../../platform/component.ts';
import { errorCodeOf } from '../../platform/errors.ts';
import { isObject } from '../../platform/json-object.ts';
import { isOneOf } from '../../platform/is-one-of.ts';

const LIMITS: readonly LimitName[] = ['objects', 'bytes', 'time'];

/** Whether the answer refuses the operation for its size: then the refusal is the whole answer. */
export function endedOverLimit({ data, texts, errors }: ComponentResult, budget: Budget): boolean {
  const extensions = errors?.[0]?.extensions;
  if ((data !== undefined && data !== null) || texts !== undefined) return false;
  if (errorCodeOf(extensions?.['code']) !== 'invalid_request') return false;
  const details = extensions?.['details'];
  const { limit, asked, allowed } = isObject(details) ? details : {};
  if (!isOneOf(LIMITS, limit) || typeof asked !== 'number' || typeof allowed !== 'number') return false;
  budget.exceededElsewhere(limit, asked, allowed);
  return true;
}
