// Runs an operation of a subgraph: by the ordinary executor, and compiled once it comes back.
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  getNamedType,
  type GraphQLSchema,
  isAbstractType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';

type Run = (
  context: unknown,
  variables: Readonly<Record<string, unknown>>,
) => Promise<ExecutionResult> | ExecutionResult;

/** Compiling costs as much as hundreds of runs: it is done for operations that come back. */
const RUNS_BEFORE_COMPILING = 3;

/**
 * Where a field is conditioned in one place and not in another, the compiler loses conditions inside: such
 * operations stay uncompiled.
 */
function hasConditions(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive: ({ name }) => {
      found ||= name.value === 'skip' || name.value === 'include';
    },
  });
  return found;
}

/** The compiler looks at all types that an interface may stand for, which may be thousands. */
function answersAbstract(schema: GraphQLSchema, document: DocumentNode): boolean {
  let found = false;
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: () => {
        found ||= isAbstractType(getNamedType(types.getType()));
      },
    }),
  );
  return found;
}

/**
 * Runs an operation by the ordinary executor at first, then compiled. What the compiled one refuses to begin
 * with is the ordinary one's to refuse.
 */
export function execution(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): Run {
  const interpret: Run = (contextValue, variableValues) =>
    execute({ schema, document, contextValue, variableValues, operationName: operationName ?? null });
  let runs = 0;
  let compiled: Run | undefined;
  const compile = (): Run => {
    const isLeft = hasConditions(document) || answersAbstract(schema, document);
    const query = isLeft ? null : compileQuery(schema, document, operationName);
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
