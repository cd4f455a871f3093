// Answers `__schema` and `__type` from the API schema, also where a document asks for them beside data.
import {
  type DocumentNode, execute, type FragmentDefinitionNode, type GraphQLSchema, type InlineFragmentNode, Kind,
  type OperationDefinitionNode, type SelectionNode, type SelectionSetNode,
} from 'graphql';
import type { Data } from './merge.ts';

const isIntrospection = (name: string): boolean => name === '__schema' || name === '__type';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The root selections that are introspection, with their conditions; spread fragments become inline ones. */
function introspectionOf(set: SelectionSetNode, fragments: Fragments): SelectionNode[] {
  return set.selections.flatMap((node): SelectionNode[] => {
    if (node.kind === Kind.FIELD) return isIntrospection(node.name.value) ? [node] : [];
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    const selections = fragment ? introspectionOf(fragment.selectionSet, fragments) : [];
    if (selections.length === 0) return [];
    const inline: InlineFragmentNode = {
      kind: Kind.INLINE_FRAGMENT, directives: node.directives ?? [], selectionSet: { kind: Kind.SELECTION_SET, selections },
    };
    return [inline];
  });
}

/** Null where the operation asks for no introspection, else the function that answers that part of it. */
export function compileIntrospection(
  schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode,
): null | ((variables: Readonly<Record<string, unknown>>) => Promise<Data>) {
  const fragments: Fragments = new Map(document.definitions.flatMap((d) => (d.kind === Kind.FRAGMENT_DEFINITION ? [[d.name.value, d]] : [])));
  const selections = introspectionOf(operation.selectionSet, fragments);
  if (selections.length === 0) return null;
  const only: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections } }, ...fragments.values()],
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
