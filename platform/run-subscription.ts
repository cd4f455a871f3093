// Runs a GraphQL subscription over a schema: the source's events one by one, each executed in a context of its own.
import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import { withBudget } from './budget/budgeted.ts';
import { badRequest } from './errors.ts';
import type { Caller } from './identity.ts';

export interface SubscriptionRun<Context, Result> {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Made anew for every event, so that nothing an event has loaded is shown by a later one; each event has a budget of its own. */
  readonly newContext: (caller: Caller) => Context;
  readonly caller: Caller;
  readonly finish: (result: ExecutionResult, context: Context) => Result;
}

/**
 * Resolves when the subscription has begun. Nothing is read of the source before it is asked for (back-pressure is the consumer's pace).
 * A source that fails gives a last result with the error, then ends.
 * @throws what the root field's resolver throws, DomainError `invalid_request` for variables that do not fit
 */
export async function runSubscription<Context, Result>(
  run: SubscriptionRun<Context, Result>,
): Promise<AsyncIterableIterator<Result>> {
  const { schema, document, operationName, variables, newContext, caller } = run;
  const source = await createSourceEventStream({
    schema,
    document,
    operationName,
    variableValues: variables,
    contextValue: newContext(caller),
  });
  if (!(Symbol.asyncIterator in source)) {
    const error = source.errors?.[0];
    throw error?.originalError ?? badRequest(error?.message ?? 'the subscription could not start');
  }
  return results(run, source);
}

async function* results<Context, Result>(
  run: SubscriptionRun<Context, Result>,
  source: AsyncIterable<unknown>,
): AsyncGenerator<Result, void, undefined> {
  const { schema, document, operationName, variables, newContext, finish, caller } = run;
  try {
    for await (const rootValue of source) {
      const budget = caller.budget?.again(caller);
      const contextValue = newContext(budget === undefined ? caller : withBudget(caller, budget));
      try {
        const running = Promise.resolve(
          execute({ schema, document, operationName, variableValues: variables, rootValue, contextValue }),
        );
        yield finish(await (budget === undefined ? running : budget.within(running)), contextValue);
      } catch (thrown) {
        if (budget?.ended === undefined || thrown !== budget.ended) throw thrown;
        yield finish(
          { data: null, errors: [new GraphQLError(budget.ended.message, { originalError: budget.ended })] },
          contextValue,
        ); // this event is too much; the next may not be
      } finally {
        budget?.close();
      }
    }
  } catch (thrown) {
    const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
    yield finish(
      { data: null, errors: [new GraphQLError(cause.message, { originalError: cause })] },
      newContext(caller),
    );
  }
}
