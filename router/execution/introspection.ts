// Answers `__schema` and `__type` from the API schema, also where a document asks for them beside data.
import { setImmediate as turn } from 'node:timers/promises';
import {
  type DocumentNode,
  execute,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  print,
} from 'graphql';
import { fragmentsOf, rootSelections, setOf } from './inline-fragments.ts';
import { type Data, mergeInto } from './merge.ts';

export const isIntrospection = (name: string): boolean => name === '__schema' || name === '__type';

/** Answers a document of introspection alone: JSON by response key. */
export type Introspect = (
  source: string,
  variables: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, string>>>;

/** Values, or finished JSON text where there is much of it. */
export type Introspected = { readonly data: Data } | { readonly texts: Readonly<Record<string, string>> };

type Variables = Readonly<Record<string, unknown>>;

/** Characters up to which texts become values, which are kept for the next who asks. */
const FEW = 65_536;

/**
 * Null where the operation asks for no introspection, else the function that answers that part of it.
 * @param apart who answers instead of this thread
 */
export function compileIntrospection(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  apart?: Introspect,
): null | ((variables: Variables) => Promise<Introspected>) {
  const fragments = fragmentsOf(document);
  const selections = rootSelections(operation.selectionSet, fragments, isIntrospection);
  if (selections.length === 0) return null;
  const documentOf = (chosen: typeof selections): DocumentNode => ({
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet: setOf(chosen) }, ...fragments.values()],
  });
  const answer =
    apart === undefined
      ? here(
          schema,
          selections.map((selection) => documentOf([selection])),
        )
      : elsewhere(apart, print(documentOf(selections)));
  if ((operation.variableDefinitions?.length ?? 0) > 0) return answer;
  // many operations are kept, and answers may be large: memory that is wanted takes them away
  let known: WeakRef<Introspected> | undefined;
  return async () => {
    const kept = known?.deref();
    if (kept !== undefined) return kept;
    const told = await answer({});
    if ('data' in told) known = new WeakRef(told);
    return told;
  };
}

/**
 * Each document by itself: nothing in such an execution waits for anything, so others have their turn between
 * them.
 */
const here =
  (schema: GraphQLSchema, documents: readonly DocumentNode[]) =>
  async (variableValues: Variables): Promise<Introspected> => {
    const data: Data = {};
    for (const [i, document] of documents.entries()) {
      if (i > 0) await turn();
      const result = await execute({ schema, document, variableValues });
      // the document is valid and the variables are coerced: this is a fault of ours
      if (result.errors?.[0]) throw result.errors[0];
      mergeInto(data, result.data ?? {});
    }
    return { data };
  };

const elsewhere =
  (apart: Introspect, source: string) =>
  async (variables: Variables): Promise<Introspected> => {
    const texts = await apart(source, variables);
    const length = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
    if (length > FEW) return { texts };
    return {
      data: Object.fromEntries(
        Object.entries(texts).map(([key, text]) => [key, JSON.parse(text) as unknown]),
      ),
    };
  };
