// Inlines an operation's fragments, so that a part of it can become a document of its own.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type InlineFragmentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export const fragmentsOf = (document: DocumentNode): Fragments =>
  new Map(
    document.definitions.flatMap((d) => (d.kind === Kind.FRAGMENT_DEFINITION ? [[d.name.value, d]] : [])),
  );

export const setOf = (selections: readonly SelectionNode[]): SelectionSetNode => ({
  kind: Kind.SELECTION_SET,
  selections,
});

/**
 * The same selections without spreads. The document is valid, so no fragment is recursive, and its expanded
 * size is bounded.
 */
export function inlined(set: SelectionSetNode, fragments: Fragments): SelectionSetNode {
  return setOf(
    set.selections.map((node): SelectionNode => {
      if (node.kind !== Kind.FRAGMENT_SPREAD)
        return node.selectionSet ? { ...node, selectionSet: inlined(node.selectionSet, fragments) } : node;
      const fragment = fragments.get(node.name.value);
      if (!fragment) throw new Error(`no fragment ${node.name.value}`);
      return {
        kind: Kind.INLINE_FRAGMENT,
        typeCondition: fragment.typeCondition,
        directives: node.directives ?? [],
        selectionSet: inlined(fragment.selectionSet, fragments),
      };
    }),
  );
}

/** The requested root selections, with their conditions; spread fragments become inline ones. */
export function rootSelections(
  set: SelectionSetNode,
  fragments: Fragments,
  isWanted: (name: string) => boolean,
): SelectionNode[] {
  return set.selections.flatMap((node): SelectionNode[] => {
    if (node.kind === Kind.FIELD) return isWanted(node.name.value) ? [node] : [];
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    const selections = fragment ? rootSelections(fragment.selectionSet, fragments, isWanted) : [];
    if (selections.length === 0) return [];
    const inline: InlineFragmentNode = {
      kind: Kind.INLINE_FRAGMENT,
      directives: node.directives ?? [],
      selectionSet: setOf(selections),
    };
    return [inline];
  });
}

/** Names of the variables in a selection, each once. */
export function variablesIn(set: SelectionSetNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(set, {
    Variable: ({ name }) => {
      names.add(name.value);
    },
  });
  return names;
}

/** An operation with other selections, without spreads, and with the variables that these use. */
export function operationOver(
  operation: OperationDefinitionNode,
  selectionSet: SelectionSetNode,
): DocumentNode {
  const used = variablesIn(selectionSet);
  const variableDefinitions = (operation.variableDefinitions ?? []).filter(({ variable }) =>
    used.has(variable.name.value),
  );
  return {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, variableDefinitions, directives: [], selectionSet }],
  };
}
