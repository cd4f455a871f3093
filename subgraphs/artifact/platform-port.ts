// The subgraph's access to the rest of the platform: trusted documents, under an identity, through the
// router.
import { parseJsonInTurns } from '../../platform/budget/parse-json.ts';
import { callerWith } from '../../platform/caller-with.ts';
import type { PreparedOperation } from '../../platform/component.ts';
import { DomainError, errorCodeOf } from '../../platform/errors.ts';
import type { Caller } from '../../platform/identity.ts';

/** The operation of a document over the platform's schema, looked up on its first use. */
export type AskPlatform = (document: string) => PreparedOperation;

/** For a component without access to the rest of the platform. */
export const askNobody: AskPlatform = () => () => {
  const { message, extensions } = new DomainError(
    'component_unavailable',
    'the metadata component cannot be reached: components.metadata.url is not configured',
    { component: 'metadata', upstream_status: null },
  );
  return Promise.resolve({ data: null, errors: [{ message, extensions }] });
};

/**
 * The value of a document's one root field. What is planned, made and compared by it would be wrong for good, so it is never
 * older than what the primary has (docs/operations.md#reads-by-replicas).
 * @throws DomainError the first error of the answer, with its own code
 */
export async function question<Value>(
  ask: AskPlatform,
  document: string,
  field: string,
  variables: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<Value> {
  const { data, texts, errors } = await ask(document)(variables, callerWith(caller, { isExact: true }));
  const error = errors?.[0];
  if (error) {
    const details = error.extensions?.['details'];
    throw new DomainError(
      errorCodeOf(error.extensions?.['code']) ?? 'internal_error',
      error.message,
      typeof details === 'object' && details !== null ? { ...details } : {},
    );
  }
  const text = texts?.[field];
  // The document determines the value's type.
  return (text === undefined ? data?.[field] : await parseJsonInTurns(text, caller.budget)) as Value;
}
