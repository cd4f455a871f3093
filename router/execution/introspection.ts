// Answers `__schema` and `__type` from the API schema, also where a document asks for them beside data.
import { setImmediate as turn } from 'node:timers/promises';
import { type DocumentNode, execute, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { fragmentsOf, rootSelections, setOf } from './inline-fragments.ts';
import { type Data, mergeInto } from './merge.ts';

export const isIntrospection = (name: string): boolean => name === '__schema' || name === '__type';

/** Null where the operation asks for no introspection, else the function that answers that part of it. */
export function compileIntrospection(
  schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode,
): null | ((variables: Readonly<Record<string, unknown>>) => Promise<Data>) {
  const fragments = fragmentsOf(document);
  const selections = rootSelections(operation.selectionSet, fragments, isIntrospection);
  if (selections.length === 0) return null;
  /** Each by itself: nothing in such an execution waits for anything, so others have their turn between them. */
  const parts = selections.map((selection): DocumentNode => ({
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet: setOf([selection]) }, ...fragments.values()],
  }));
  const answer = async (variableValues: Readonly<Record<string, unknown>>): Promise<Data> => {
    const data: Data = {};
    for (const [i, document] of parts.entries()) {
      if (i > 0) await turn();
      const result = await execute({ schema, document, variableValues });
      if (result.errors?.[0]) throw result.errors[0]; // the document is valid and the variables are coerced: this is a fault of ours
      mergeInto(data, result.data ?? {});
    }
    return data;
  };
  if ((operation.variableDefinitions?.length ?? 0) > 0) return answer;
  let known: WeakRef<Data> | undefined; // many operations are kept, and answers may be large: memory that is wanted takes them away
  return async () => {
    const kept = known?.deref();
    if (kept !== undefined) return kept;
    const found = await answer({});
    known = new WeakRef(found);
    return found;
  };
}
