// Runs a GraphQL subscription over a schema: the source's events one by one, each executed in a context of its own.
import { createSourceEventStream, type DocumentNode, execute, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { badRequest } from './errors.ts';

export interface SubscriptionRun<Context, Result> {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Made anew for every event, so that nothing an event has loaded is shown by a later one. */
  readonly newContext: () => Context;
  readonly finish: (result: ExecutionResult, context: Context) => Result;
}

/**
 * Resolves when the subscription has begun. Nothing is read of the source before it is asked for (back-pressure is the consumer's pace).
 * A source that fails gives a last result with the error, then ends.
 * @throws what the root field's resolver throws, DomainError `invalid_request` for variables that do not fit
 */
export async function runSubscription<Context, Result>(run: SubscriptionRun<Context, Result>): Promise<AsyncIterableIterator<Result>> {
  const { schema, document, operationName, variables, newContext } = run;
  const source = await createSourceEventStream({ schema, document, operationName, variableValues: variables, contextValue: newContext() });
  if (!(Symbol.asyncIterator in source)) {
    const error = source.errors?.[0];
    throw error?.originalError ?? badRequest(error?.message ?? 'the subscription could not start');
  }
  return results(run, source);
}

async function* results<Context, Result>(run: SubscriptionRun<Context, Result>, source: AsyncIterable<unknown>): AsyncGenerator<Result, void, undefined> {
  const { schema, document, operationName, variables, newContext, finish } = run;
  try {
    for await (const rootValue of source) {
      const contextValue = newContext();
      yield finish(await execute({ schema, document, operationName, variableValues: variables, rootValue, contextValue }), contextValue);
    }
  } catch (thrown) {
    const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
    yield finish({ data: null, errors: [new GraphQLError(cause.message, { originalError: cause })] }, newContext());
  }
}
