// Whether a component's answer to a document equals the API schema's: only the API schema knows which types
// and enum values clients may not see, and what other components declare about its types.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** The names of the possible types of an object. */
const runtimeTypes = (type: GraphQLNamedType, schema: GraphQLSchema): readonly string[] =>
  isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : [type.name];

/** Whether an object of the type `name` satisfies the type condition `condition`. */
function satisfies(name: string, condition: string, schema: GraphQLSchema): boolean {
  if (name === condition) return true;
  const [type, wanted] = [schema.getType(name), schema.getType(condition)];
  return isObjectType(type) && isAbstractType(wanted) && schema.isSubType(wanted, type);
}

const fieldType = (parent: GraphQLNamedType, name: string): GraphQLNamedType | undefined => {
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
  return field && getNamedType(field.type);
};

class Comparison {
  readonly #api: GraphQLSchema;
  readonly #own: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #walked = new Set<string>();

  constructor(document: DocumentNode, api: GraphQLSchema, own: GraphQLSchema) {
    this.#api = api;
    this.#own = own;
    this.#fragments = new Map(
      document.definitions.flatMap((d) => (d.kind === Kind.FRAGMENT_DEFINITION ? [[d.name.value, d]] : [])),
    );
  }

  /** @param type the parent type in the component's own schema */
  selections({ selections }: SelectionSetNode, type: GraphQLNamedType): boolean {
    const isFlat = isObjectType(type) && !isObjectType(this.#api.getType(type.name));
    return selections.every((node) => {
      // an interface object: its own subgraph knows neither the concrete type nor its interfaces
      if (isFlat && (node.kind !== Kind.FIELD || node.name.value === '__typename')) return false;
      if (node.kind === Kind.FIELD) return this.#output(fieldType(type, node.name.value), node.selectionSet);
      if (node.kind === Kind.INLINE_FRAGMENT)
        return this.#condition(node.typeCondition?.name.value, type, node.selectionSet);
      const fragment = this.#fragments.get(node.name.value);
      return fragment === undefined || this.#spread(fragment, type);
    });
  }

  #output(type: GraphQLNamedType | undefined, set: SelectionSetNode | undefined): boolean {
    if (type === undefined) return true; // `__typename`
    const open = this.#api.getType(type.name);
    if (isEnumType(type))
      return isEnumType(open) && type.getValues().every(({ name }) => open.getValue(name));
    if (set === undefined) return true;
    const allAreOpen =
      !isAbstractType(type) ||
      runtimeTypes(type, this.#own).every((name) => isObjectType(this.#api.getType(name)));
    return allAreOpen && this.selections(set, type);
  }

  #condition(condition: string | undefined, parent: GraphQLNamedType, set: SelectionSetNode): boolean {
    if (condition === undefined) return this.selections(set, parent);
    const isSame = runtimeTypes(parent, this.#own).every(
      (name) => satisfies(name, condition, this.#own) === satisfies(name, condition, this.#api),
    );
    const inner = this.#own.getType(condition);
    return isSame && inner !== undefined && this.selections(set, inner);
  }

  #spread({ name, typeCondition, selectionSet }: FragmentDefinitionNode, parent: GraphQLNamedType): boolean {
    const key = `${name.value} in ${parent.name}`;
    if (this.#walked.has(key)) return true;
    this.#walked.add(key);
    return this.#condition(typeCondition.name.value, parent, selectionSet);
  }
}

/**
 * Whether every value that the document can return from the component's own schema is in the API schema, and
 * every fragment selects from the same objects in both.
 * @param document valid in both schemas
 */
export function sameOutputs(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  api: GraphQLSchema,
  own: GraphQLSchema,
): boolean {
  const [open, root] = [api.getRootType(operation.operation), own.getRootType(operation.operation)];
  return (
    root != null &&
    root.name === open?.name &&
    new Comparison(document, api, own).selections(operation.selectionSet, root)
  );
}
