// Answers `__schema` and `__type` from the API schema, also where a document asks for them beside data.
import { type DocumentNode, execute, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { fragmentsOf, rootSelections, setOf } from './inline-fragments.ts';
import type { Data } from './merge.ts';

export const isIntrospection = (name: string): boolean => name === '__schema' || name === '__type';

/** Null where the operation asks for no introspection, else the function that answers that part of it. */
export function compileIntrospection(
  schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode,
): null | ((variables: Readonly<Record<string, unknown>>) => Promise<Data>) {
  const fragments = fragmentsOf(document);
  const selections = rootSelections(operation.selectionSet, fragments, isIntrospection);
  if (selections.length === 0) return null;
  const only: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet: setOf(selections) }, ...fragments.values()],
  };
  const answer = async (variableValues: Readonly<Record<string, unknown>>): Promise<Data> => {
    const result = await execute({ schema, document: only, variableValues });
    if (result.errors?.[0]) throw result.errors[0]; // the document is valid and the variables are coerced: this is a fault of ours
    return result.data ?? {};
  };
  if ((operation.variableDefinitions?.length ?? 0) > 0) return answer;
  let once: Promise<Data> | undefined;
  return () => once ??= answer({});
}
