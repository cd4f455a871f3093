// Looks at every type that a document names, before anything looks at all of them at once: types that follow
// what is stored are made when they are looked at.
import {
  type DocumentNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Pieces } from './pieces.ts';

/** What has fields makes them when they are first asked for. */
function touch(type: GraphQLNamedType): void {
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) type.getFields();
}

/** A document that does not fit is left to validation. */
export function* touchTypes(document: DocumentNode, schema: GraphQLSchema): Pieces<void> {
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION)
      yield* touchIn(definition.selectionSet, schema.getRootType(definition.operation) ?? undefined, schema);
    else if (definition.kind === Kind.FRAGMENT_DEFINITION)
      yield* touchIn(definition.selectionSet, schema.getType(definition.typeCondition.name.value), schema);
  }
}

function* touchIn(
  set: SelectionSetNode,
  type: GraphQLNamedType | undefined,
  schema: GraphQLSchema,
): Pieces<void> {
  for (const node of set.selections) {
    if (node.kind === Kind.FRAGMENT_SPREAD) continue;
    if (node.kind === Kind.INLINE_FRAGMENT) {
      const name = node.typeCondition?.name.value;
      yield* touchIn(node.selectionSet, name === undefined ? type : schema.getType(name), schema);
      continue;
    }
    yield;
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field) continue;
    for (const arg of field.args) touch(getNamedType(arg.type));
    const inner = getNamedType(field.type);
    touch(inner);
    if (node.selectionSet) yield* touchIn(node.selectionSet, inner, schema);
  }
}
