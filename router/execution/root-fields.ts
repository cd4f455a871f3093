// The root fields of an operation, through fragments: its permissions and projects depend on them.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

export interface RootField {
  /** `Query.entity`; the root type's name is the kind of operation. */
  readonly coordinate: string;
  readonly node: FieldNode;
}

const ROOTS = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;

/** Every root field of components; conditions are ignored, so a skipped field counts. */
export function rootFields(document: DocumentNode, operation: OperationDefinitionNode): readonly RootField[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const d of document.definitions)
    if (d.kind === Kind.FRAGMENT_DEFINITION) fragments.set(d.name.value, d);
  const seen = new Set<string>();
  const found: RootField[] = [];
  const walk = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        if (!node.name.value.startsWith('__'))
          found.push({ coordinate: `${ROOTS[operation.operation]}.${node.name.value}`, node });
      } else if (node.kind === Kind.INLINE_FRAGMENT) walk(node.selectionSet);
      else if (!seen.has(node.name.value)) {
        seen.add(node.name.value);
        const fragment = fragments.get(node.name.value);
        if (fragment) walk(fragment.selectionSet);
      }
    }
  };
  walk(operation.selectionSet);
  return found;
}
