// GraphQL operations of commands whose answer has no REST endpoint.
import { isObject } from '../platform/json-object.ts';
import type { Api } from './api.ts';
import { Failure } from './failure.ts';

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string };
}

/** A GraphQL response (GraphQL over HTTP). */
export interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
}

/** Each error on a line of its own: where it occurred, its message and its code. */
export const errorLines = (errors: readonly GraphqlError[]): string =>
  errors
    .map(({ path, message, extensions }) => {
      const where = path === undefined ? '' : `${path.join('.')}: `;
      return `${where}${message}${extensions?.code === undefined ? '' : ` (${extensions.code})`}`;
    })
    .join('\n');

/** Runs an operation and returns its `data`. @throws Failure with all errors of the answer */
export async function askGraphql(api: Api, query: string, variables?: unknown): Promise<unknown> {
  const answer = (await api.call({
    method: 'POST',
    path: '/graphql',
    body: { query, variables },
  })) as GraphqlAnswer;
  const errors = answer.errors ?? [];
  if (errors.length > 0) throw new Failure(errorLines(errors), { errors });
  if (isObject(answer.data)) return answer.data;
  throw new Failure('the server has answered without data');
}
