// Runs an operation of a subgraph: by the ordinary executor, and compiled once it comes back.
import { type DocumentNode, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { isCompilable } from './compilable.ts';
import { listVariables } from './variables-in-turns.ts';

type Variables = Readonly<Record<string, unknown>>;
type Run = (context: unknown, variables: Variables) => Promise<ExecutionResult> | ExecutionResult;

/** Compiling costs as much as hundreds of runs: it is done for operations that come back. */
const RUNS_BEFORE_COMPILING = 3;

/**
 * Runs an operation by the ordinary executor at first, then compiled. What the compiled one refuses to begin
 * with is the ordinary one's to refuse.
 */
function executionOf(schema: GraphQLSchema, document: DocumentNode, operationName: string | undefined): Run {
  const interpret: Run = (contextValue, variableValues) =>
    execute({ schema, document, contextValue, variableValues, operationName: operationName ?? null });
  let runs = 0;
  let compiled: Run | undefined;
  const compile = (): Run => {
    const query = isCompilable(schema, document) ? compileQuery(schema, document, operationName) : null;
    if (query === null || !isCompiledQuery(query)) return interpret;
    return async (context, variables) => {
      const result = await query.query({}, context, variables);
      return result.data === undefined ? interpret(context, variables) : result;
    };
  };
  return (context, variables) => {
    if (compiled === undefined && ++runs > RUNS_BEFORE_COMPILING) compiled = compile();
    return (compiled ?? interpret)(context, variables);
  };
}

/** Runs an operation; long lists among its variables are coerced in turns with others. */
export function execution(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): Run {
  const run = executionOf(schema, document, operationName);
  const lists = listVariables(schema, document, operationName);
  if (lists === undefined) return run;
  let runCoerced: Run | undefined;
  const runInTurns = async (context: unknown, variables: Variables): Promise<ExecutionResult> => {
    const coercion = await lists.coerced(variables);
    if ('errors' in coercion) return coercion;
    if (runCoerced === undefined) {
      const { schema: own, document: ownDocument } = lists.executable();
      runCoerced = executionOf(own, ownDocument, operationName);
    }
    return await runCoerced(context, coercion.values);
  };
  return (context, variables) =>
    lists.hasLong(variables) ? runInTurns(context, variables) : run(context, variables);
}
