// Answers `__schema` and `__type` from the API schema, also where a document asks for them beside data.
import { type DocumentNode, execute, type GraphQLSchema, Kind, type OperationDefinitionNode, print } from 'graphql';
import { fragmentsOf, rootSelections, setOf } from './inline-fragments.ts';
import type { Data } from './merge.ts';

export const isIntrospection = (name: string): boolean => name === '__schema' || name === '__type';

/** Answers a document of introspection alone: JSON by response key. */
export type Introspect = (source: string, variables: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, string>>>;

/** Values, or finished JSON text where there is much of it. */
export type Introspected = { readonly data: Data } | { readonly texts: Readonly<Record<string, string>> };

/** Characters up to which texts become values, which are kept for the next who asks. */
const FEW = 65_536;

/**
 * Null where the operation asks for no introspection, else the function that answers that part of it.
 * @param apart who answers instead of this thread
 */
export function compileIntrospection(
  schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, apart?: Introspect,
): null | ((variables: Readonly<Record<string, unknown>>) => Promise<Introspected>) {
  const fragments = fragmentsOf(document);
  const selections = rootSelections(operation.selectionSet, fragments, isIntrospection);
  if (selections.length === 0) return null;
  const only: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet: setOf(selections) }, ...fragments.values()],
  };
  const here = async (variableValues: Readonly<Record<string, unknown>>): Promise<Introspected> => {
    const result = await execute({ schema, document: only, variableValues });
    if (result.errors?.[0]) throw result.errors[0]; // the document is valid and the variables are coerced: this is a fault of ours
    return { data: result.data ?? {} };
  };
  const answer = apart === undefined ? here : elsewhere(apart, print(only));
  if ((operation.variableDefinitions?.length ?? 0) > 0) return answer;
  let known: Introspected | undefined;
  return async () => {
    if (known !== undefined) return known;
    const told = await answer({});
    if ('data' in told) known = told;
    return told;
  };
}

const elsewhere = (apart: Introspect, source: string) => async (variables: Readonly<Record<string, unknown>>): Promise<Introspected> => {
  const texts = await apart(source, variables);
  const length = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
  if (length > FEW) return { texts };
  return { data: Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, JSON.parse(text) as unknown])) };
};
