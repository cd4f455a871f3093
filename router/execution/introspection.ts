// Answers `__schema` and `__type` from the API schema, also beside data.
import { setImmediate as turn } from 'node:timers/promises';
import {
  type DocumentNode,
  execute,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  print,
} from 'graphql';
import type { Asker } from './asked-thread.ts';
import { fragmentsOf, rootSelections, setOf } from './inline-fragments.ts';
import { type Data, mergeInto } from './merge.ts';

export const isIntrospection = (name: string): boolean => name === '__schema' || name === '__type';

/** Answers a document with introspection only: JSON by response key. */
export type Introspect = (
  source: string,
  variables: Readonly<Record<string, unknown>>,
  asker: Asker,
) => Promise<Readonly<Record<string, string>>>;

/** Values, or JSON text for large results. */
export type Introspected = { readonly data: Data } | { readonly texts: Readonly<Record<string, string>> };

type Variables = Readonly<Record<string, unknown>>;

/** Up to this many characters texts are parsed to values, which are cached. */
const FEW = 65_536;

/**
 * Null if the operation has no introspection, else the function that answers that part of it.
 * @param apart answers it instead of this thread
 */
export function compileIntrospection(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  apart?: Introspect,
): null | ((variables: Variables, asker: Asker) => Promise<Introspected>) {
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
  // there may be many prepared operations with large answers: weak references let the memory be reclaimed
  let known: WeakRef<Introspected> | undefined;
  return async (_variables, asker) => {
    const kept = known?.deref();
    if (kept !== undefined) return kept;
    const told = await answer({}, asker);
    known = new WeakRef(told);
    return told;
  };
}

/**
 * Each document separately: such an execution does not wait for anything, so others get their turn in
 * between.
 */
const here =
  (schema: GraphQLSchema, documents: readonly DocumentNode[]) =>
  async (variableValues: Variables): Promise<Introspected> => {
    const data: Data = {};
    for (const [i, document] of documents.entries()) {
      if (i > 0) await turn();
      const result = await execute({ schema, document, variableValues });
      // The document is valid and the variables are coerced, so this is an internal fault.
      if (result.errors?.[0]) throw result.errors[0];
      mergeInto(data, result.data ?? {});
    }
    return { data };
  };

const elsewhere =
  (apart: Introspect, source: string) =>
  async (variables: Variables, asker: Asker): Promise<Introspected> => {
    const texts = await apart(source, variables, asker);
    const length = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
    if (length > FEW) return { texts };
    return {
      data: Object.fromEntries(
        Object.entries(texts).map(([key, text]) => [key, JSON.parse(text) as unknown]),
      ),
    };
  };
