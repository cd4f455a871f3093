// Composes subgraphs into one supergraph and builds the API schema and the query planner.
import { composeServices } from '@apollo/composition';
import {
  buildASTSchema,
  type DefinitionNode,
  DirectiveLocation,
  type DocumentNode,
  type GraphQLSchema,
  isEnumType,
  isTypeExtensionNode,
  Kind,
  parse,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { oncePer } from '../../platform/once-per.ts';
import type { ComposedMemory, Sdls } from './composed-files.ts';
import { introspectionSizes, listSizes, type ListSizes } from './list-sizes.ts';
import { createPlanning, type Planning } from './planner.ts';

export interface Composition extends Planning {
  readonly sdls: Sdls;
  readonly supergraphSdl: string;
  /** The schema that clients see, as graphql-js represents it. */
  readonly schema: GraphQLSchema;
  /** What is known of the sizes of lists: by the SDL's directives, and of introspection. */
  readonly listSizes: readonly ListSizes[];
  /**
   * Each subgraph's own schema, without resolvers: tells whether a client's document is valid there. Built when the
   * first operation asks for it: all together are a tenth of a start.
   */
  readonly subgraphSchemas: ReadonlyMap<string, () => GraphQLSchema>;
  /** Enums with subgraph values that clients do not see. */
  readonly narrowedEnums: ReadonlySet<string>;
}

/** Names of the API schema's enums that have fewer values there than in the subgraph. */
const narrowedEnumsOf = (own: DocumentNode, api: GraphQLSchema): readonly string[] =>
  own.definitions.flatMap((definition) => {
    if (definition.kind !== Kind.ENUM_TYPE_DEFINITION && definition.kind !== Kind.ENUM_TYPE_EXTENSION)
      return [];
    const open = api.getType(definition.name.value);
    if (!isEnumType(open)) return [];
    return definition.values?.every(({ name }) => open.getValue(name.value)) === false ? [open.name] : [];
  });

const EXECUTABLE: ReadonlySet<string> = new Set([
  DirectiveLocation.QUERY,
  DirectiveLocation.MUTATION,
  DirectiveLocation.SUBSCRIPTION,
  DirectiveLocation.FIELD,
  DirectiveLocation.FRAGMENT_DEFINITION,
  DirectiveLocation.FRAGMENT_SPREAD,
  DirectiveLocation.INLINE_FRAGMENT,
  DirectiveLocation.VARIABLE_DEFINITION,
]);

/** What documents may name. A type that is only extended is the component's own, too. */
function namedIn(definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const defined = new Set(
    definitions.flatMap((one) => ('name' in one && !isTypeExtensionNode(one) ? [one.name?.value] : [])),
  );
  return definitions.flatMap((one): DefinitionNode[] => {
    if (one.kind === Kind.DIRECTIVE_DEFINITION)
      return one.locations.some(({ value }) => EXECUTABLE.has(value)) ? [one] : [];
    if (!isTypeExtensionNode(one) || defined.has(one.name.value)) return [one];
    defined.add(one.name.value);
    const kind = one.kind.replace('Extension', 'Definition');
    return [{ ...one, kind } as DefinitionNode]; // an extension differs from a definition by its kind
  });
}

/** It has been composed, so that it is valid: checking it again would hold up the first operation for 0.1 s. */
const subgraphSchemaOf = oncePer(({ kind, definitions }: DocumentNode) =>
  buildASTSchema({ kind, definitions: namedIn(definitions) }, { assumeValid: true, assumeValidSDL: true }),
);

/** A component's instances alternate between two SDLs while they are upgraded one after another. */
const KEPT_COMPOSITIONS = 4;
const compositions = new LRUCache<string, Composition>({ max: KEPT_COMPOSITIONS });

/**
 * Composes once for the same SDLs: it blocks the event loop for a third of a second.
 * @param memory what processes before this one composed
 * @throws Error with every complaint of the composition, one a line
 */
export function compose(sdls: Sdls, memory?: ComposedMemory): Composition {
  const key = JSON.stringify([...sdls]);
  const composition = compositions.get(key) ?? composeAnew(sdls, memory);
  compositions.set(key, composition);
  return composition;
}

type Services = Parameters<typeof composeServices>[0];

function composeServicesOf(services: Services): string {
  const composed = composeServices(services);
  if (composed.errors !== undefined) throw new Error(composed.errors.map((e) => e.message).join('\n'));
  return composed.supergraphSdl;
}

function composeAnew(sdls: Sdls, memory: ComposedMemory | undefined): Composition {
  const parsed = [...sdls].map(([name, sdl]) => ({ name, typeDefs: parse(sdl, { noLocation: true }) }));
  const known = memory?.recall(sdls);
  const supergraphSdl = known ?? composeServicesOf(parsed);
  if (known === undefined) memory?.keep(sdls, supergraphSdl);
  const planning = createPlanning(supergraphSdl);
  const schema = planning.apiSchema.toGraphQLJSSchema();
  return {
    sdls,
    supergraphSdl,
    schema,
    listSizes: [listSizes(supergraphSdl), introspectionSizes(schema)],
    ...planning,
    subgraphSchemas: new Map(parsed.map(({ name, typeDefs }) => [name, () => subgraphSchemaOf(typeDefs)])),
    narrowedEnums: new Set(parsed.flatMap(({ typeDefs }) => narrowedEnumsOf(typeDefs, schema))),
  };
}
