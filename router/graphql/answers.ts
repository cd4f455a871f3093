// What errors look like to clients of the GraphQL endpoint: a code of the closed list, the request's id,
// nothing of our insides.
import { Budget } from '../../platform/budget/budget.ts';
import type { OperationLimits } from '../../platform/budget/limits.ts';
import type { Caller } from '../../platform/identity.ts';
import type { ComponentError, ComponentResult } from '../../platform/component.ts';
import { type DomainError, type ErrorCode, errorCodeOf, graphqlCode } from '../../platform/errors.ts';
import { resultText, type Written, writeResult } from '../../platform/result-text.ts';
import { InvalidDocument } from '../execution/invalid-document.ts';

export interface GraphqlError extends ComponentError {
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
}

/** The error as a client sees it. What has no code of ours is our fault, and its text stays here. */
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
 * A result as the client gets it, written within its budget: beside it what is told, which is the refusal
 * where writing it was too much.
 */
export function writeAnswer(
  result: ComponentResult,
  requestId: string,
  budget: Budget,
): Written | Promise<Written> {
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
 * The cursor of the one list that REST asks for says nothing where a document may ask for many: there are
 * fields with pages for it.
 */
export function withoutCursor(result: ComponentResult): ComponentResult {
  if (result.extensions?.nextCursor === undefined) return result;
  const { nextCursor: _, ...extensions } = result.extensions;
  return { ...result, extensions };
}

/** The codes of what went wrong inside an operation that ran. */
export const codesOf = ({ errors }: ComponentResult): readonly ErrorCode[] =>
  errors?.flatMap(({ extensions }) => errorCodeOf(extensions?.['code']) ?? []) ?? [];

/** A refusal: all of a document's faults, or the one thing that was wrong. */
export function refusalText(refusal: DomainError, requestId: string): string {
  const errors =
    refusal instanceof InvalidDocument
      ? refusal.faults
      : [{ message: refusal.message, extensions: refusal.extensions }];
  return JSON.stringify({ errors: errors.map((error) => withRequestId(error, requestId)) });
}

/**
 * `WWW-Authenticate` of a refusal (docs/reference/api-conventions.md#challenges); undefined where none
 * belongs.
 */
export const challengeOf = (status: number): string | undefined =>
  status === 403 ? 'Bearer realm="cairn", error="insufficient_scope"' : undefined;
