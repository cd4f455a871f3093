// Errors as clients of the GraphQL endpoint see them: a code of the closed list, the request's id, no
// internal details.
import { Budget } from '../../platform/budget/budget.ts';
import type { OperationLimits } from '../../platform/budget/limits.ts';
import type { Caller } from '../../platform/identity.ts';
import type { ComponentError, ComponentResult } from '../../platform/component.ts';
import { type DomainError, type ErrorCode, errorCodeOf, graphqlCode } from '../../platform/errors.ts';
import { resultText, type WrittenText, writeResult } from '../../platform/result-text.ts';
import { InvalidDocument } from '../execution/invalid-document.ts';

export interface GraphqlError extends ComponentError {
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
}

/**
 * The error as a client sees it. An error without one of our codes is an internal fault, and its message is
 * hidden.
 */
export function withRequestId(error: GraphqlError, requestId: string): GraphqlError {
  const { message, locations, path, extensions = {} } = error;
  const known = errorCodeOf(extensions['code']) !== undefined;
  return {
    message: known ? message : 'internal error',
    ...(locations === undefined ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
    extensions: {
      code: known ? extensions['code'] : graphqlCode('internal_error'),
      ...(known && extensions['details'] !== undefined ? { details: extensions['details'] } : {}),
      requestId,
    },
  };
}

const named = (answer: ComponentResult, requestId: string): ComponentResult => {
  const result = withoutCursor(answer);
  return result.errors === undefined
    ? result
    : { ...result, errors: result.errors.map((error) => withRequestId(error, requestId)) };
};

/**
 * The client's result, written within its budget, and its errors; if writing exceeds the budget, the refusal.
 */
export function writeAnswer(
  result: ComponentResult,
  requestId: string,
  budget: Budget,
): WrittenText | Promise<WrittenText> {
  const written = writeResult(named(result, requestId), budget);
  return written instanceof Promise
    ? written.then((one) =>
        one.result.data === undefined
          ? { result: one.result, text: resultText(named(one.result, requestId)) }
          : one,
      )
    : written;
}

/** The text of one event of a subscription, written within a budget of its own. */
export async function writeEvent(
  result: ComponentResult,
  caller: Caller,
  limits: OperationLimits,
): Promise<string | Buffer> {
  const budget = new Budget(limits, caller);
  try {
    return (await writeAnswer(result, caller.requestId, budget)).text;
  } finally {
    budget.close();
  }
}

/**
 * The list cursor that REST shows is not reported for GraphQL, where a document may have many lists: it has
 * page fields for that.
 */
function withoutCursor(result: ComponentResult): ComponentResult {
  if (result.extensions?.nextCursor === undefined) return result;
  const { nextCursor: _, ...extensions } = result.extensions;
  return { ...result, extensions };
}

/** The codes of errors inside an operation that ran. */
export const codesOf = ({ errors }: ComponentResult): readonly ErrorCode[] =>
  errors?.flatMap(({ extensions }) => errorCodeOf(extensions?.['code']) ?? []) ?? [];

/** A refusal: all of a document's errors, or the one error. */
export function refusalText(refusal: DomainError, requestId: string): string {
  const errors =
    refusal instanceof InvalidDocument
      ? refusal.faults
      : [{ message: refusal.message, extensions: refusal.extensions }];
  return JSON.stringify({ errors: errors.map((error) => withRequestId(error, requestId)) });
}
