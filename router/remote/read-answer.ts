// Reads the answer of a component in another process, and sanitises its errors.
import type { Budget } from '../../platform/budget/budget.ts';
import { parseJsonInTurns } from '../../platform/budget/parse-json.ts';
import { type ComponentError, type ComponentResult, meansUnavailable } from '../../platform/component.ts';
import { DomainError, errorCodeOf } from '../../platform/errors.ts';

/** Text of a GraphQL response; or a result that needs no parsing, because its texts are finished. */
export type RemoteAnswer =
  | { readonly status: number; readonly text: string; readonly result?: undefined }
  | { readonly status: number; readonly result: ComponentResult };

export type Unavailable = (status: number | null, cause?: unknown) => DomainError;

export const unavailableAs =
  (name: string): Unavailable =>
  (status, cause) =>
    new DomainError(
      'component_unavailable',
      `the component ${name} cannot be reached`,
      { component: name, upstream_status: status },
      { cause },
    );

export const failed = (error: DomainError): ComponentResult => ({
  data: null,
  errors: [{ message: error.message, extensions: error.extensions }],
});

/** The component's errors for clients: codes of the closed list, everything else masked. */
function presentable({ message, path, extensions }: ComponentError): ComponentError {
  const place = path === undefined ? {} : { path };
  const code = errorCodeOf(extensions?.['code']);
  if (code === undefined)
    return { message: 'internal error', ...place, extensions: { code: 'INTERNAL_ERROR' } };
  const details = extensions?.['details'];
  return {
    message,
    ...place,
    extensions: { code: extensions?.['code'], ...(details === undefined ? {} : { details }) },
  };
}

const sanitised = (result: ComponentResult): ComponentResult =>
  result.errors === undefined ? result : { ...result, errors: result.errors.map(presentable) };

const isResult = (value: unknown): value is ComponentResult =>
  typeof value === 'object' &&
  value !== null &&
  ('data' in value || ('errors' in value && Array.isArray(value.errors)));

/** The result; a failure if the component is unavailable, or its answer is not GraphQL. */
export async function readAnswer(
  answer: RemoteAnswer,
  unavailable: Unavailable,
  budget: Budget | undefined,
): Promise<ComponentResult> {
  const { status } = answer;
  if (meansUnavailable(status)) return failed(unavailable(status));
  if (answer.result !== undefined) return sanitised(answer.result);
  let value: unknown;
  try {
    value = await parseJsonInTurns(answer.text, budget);
  } catch (cause) {
    return failed(unavailable(status, cause));
  }
  if (!isResult(value)) return failed(unavailable(status));
  return sanitised(value);
}
