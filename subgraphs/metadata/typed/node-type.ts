// The type of what `node(id:)` answers (docs/decisions/0099-global-ids.md).
import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import type { TypedTypes } from './typed-types.ts';

function conditionsIn(set: SelectionSetNode | undefined, info: GraphQLResolveInfo): string[] {
  return (set?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.FIELD) return [];
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : info.fragments[node.name.value];
    const own = fragment?.typeCondition?.name.value;
    return [...(own === undefined ? [] : [own]), ...conditionsIn(fragment?.selectionSet, info)];
  });
}

/**
 * The type, of those that the selection has conditions on, that is nearest to the entity's own: its schema's, or
 * that of an ancestor. `Entity` where it has none of them.
 */
export function nodeType(
  entityType: string,
  typed: TypedTypes,
  catalogue: SchemaCatalogue,
  info: GraphQLResolveInfo,
): string {
  const wanted = info.fieldNodes.flatMap(({ selectionSet }) => conditionsIn(selectionSet, info));
  const line = catalogue.get(entityType)?.selfAndAncestors ?? [entityType];
  const names = new Map(
    wanted.flatMap((name) => {
      const found = typed.typeNamed(name);
      return found?.role === 'type' && info.schema.getType(name) ? [[found.type.schema, name]] : [];
    }),
  );
  const nearest = line.find((schema) => names.has(schema));
  return nearest === undefined ? 'Entity' : (names.get(nearest) ?? 'Entity');
}
