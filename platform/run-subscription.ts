// Runs a GraphQL subscription over a schema and executes each event of the source with a new context.
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
import { isRequestFault } from './request-fault.ts';

export interface SubscriptionRun<Context, Result> {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  /**
   * Creates the context of an event, so that no data is cached across events. Each event has a separate
   * budget.
   */
  readonly newContext: (caller: Caller) => Context;
  readonly caller: Caller;
  readonly finish: (result: ExecutionResult, context: Context) => Result;
}

/**
 * Resolves when the subscription has started. An event is read from the source only when the consumer
 * requests it (back-pressure). An error of the source becomes a last result with the error.
 * @throws what the root field's resolver throws, DomainError `invalid_request` for invalid variables
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
    const [error] = source.errors ?? [];
    if (error && !isRequestFault(error)) throw error.originalError ?? error;
    throw badRequest(error?.message ?? 'the subscription could not start');
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
        ); // this event exceeds the budget; the next may not
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
