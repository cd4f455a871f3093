// Composes subgraphs into one supergraph and builds the API schema and the query planner.
import { composeServices } from '@apollo/composition';
import {
  buildASTSchema,
  buildSchema,
  type DefinitionNode,
  DirectiveLocation,
  type DocumentNode,
  type GraphQLSchema,
  isEnumType,
  Kind,
  parse,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { type KeptTexts, recalled } from '../../platform/kept-texts.ts';
import { once } from '../../platform/once-per.ts';
import { defined, printedSchema } from '../../platform/printed-schema.ts';
import { introspectionSizes, type ListSize, listSizes, type ListSizes } from './list-sizes.ts';
import { createPlanning, type Planning } from './planner.ts';
import { soleOwners } from './sole-owners.ts';

/** Subgraph name → SDL. */
export type Sdls = ReadonlyMap<string, string>;

export interface Composition {
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
  /** `Query.entity` → the only subgraph that can answer it, and that can answer all that it has below it. */
  readonly soleOwners: ReadonlyMap<string, string>;
  /** Made for the first operation that needs a plan: many processes run none, and it takes a tenth of a second. */
  readonly planning: () => Planning;
}

/** What composing makes, as it is kept. */
interface Composed {
  readonly supergraphSdl: string;
  /** The API schema's. */
  readonly apiSdl: string;
  readonly listSizes: readonly (readonly [string, ListSize])[];
  readonly narrowedEnums: readonly string[];
  readonly soleOwners: readonly (readonly [string, string])[];
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
const namedIn = (definitions: readonly DefinitionNode[]): DefinitionNode[] =>
  defined(
    definitions.filter(
      (one) =>
        one.kind !== Kind.DIRECTIVE_DEFINITION || one.locations.some(({ value }) => EXECUTABLE.has(value)),
    ),
  );

/** It has been composed, so that it is valid: checking it again would hold up the first operation for 0.1 s. */
const VALID = { assumeValid: true, assumeValidSDL: true };

const subgraphSchemaOf = (sdl: string): GraphQLSchema => {
  const { kind, definitions } = parse(sdl, { noLocation: true });
  return buildASTSchema({ kind, definitions: namedIn(definitions) }, VALID);
};

/** A component's instances alternate between two SDLs while they are upgraded one after another. */
const KEPT_COMPOSITIONS = 4;
const compositions = new LRUCache<string, Composition>({ max: KEPT_COMPOSITIONS });

/**
 * Composes once for the same SDLs: it blocks the event loop for a third of a second.
 * @param memory what processes before this one composed
 * @throws Error with every complaint of the composition, one a line
 */
export function compose(sdls: Sdls, memory?: KeptTexts): Composition {
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

/** Changes with what is kept, and with how it is made. */
const FORMAT = 'composition 1';

function composed(sdls: Sdls): Composed {
  const parsed = [...sdls].map(([name, sdl]) => ({ name, typeDefs: parse(sdl, { noLocation: true }) }));
  const supergraphSdl = composeServicesOf(parsed);
  const api = createPlanning(supergraphSdl, { isChecked: false }).apiSchema.toGraphQLJSSchema();
  return {
    supergraphSdl,
    apiSdl: printedSchema(api),
    listSizes: [...listSizes(supergraphSdl)],
    narrowedEnums: parsed.flatMap(({ typeDefs }) => narrowedEnumsOf(typeDefs, api)),
    soleOwners: [...soleOwners(supergraphSdl)],
  };
}

/** The same of what was kept as of what was just composed: nothing depends on whether there was something. */
function composeAnew(sdls: Sdls, memory: KeptTexts | undefined): Composition {
  const { supergraphSdl, apiSdl, ...more } = recalled(memory, [FORMAT, ...[...sdls].flat()], () =>
    composed(sdls),
  );
  const schema = buildSchema(apiSdl, { ...VALID, noLocation: true });
  return {
    sdls,
    supergraphSdl,
    schema,
    listSizes: [new Map(more.listSizes), introspectionSizes(schema)],
    subgraphSchemas: new Map([...sdls].map(([name, sdl]) => [name, once(() => subgraphSchemaOf(sdl))])),
    narrowedEnums: new Set(more.narrowedEnums),
    soleOwners: new Map(more.soleOwners),
    planning: once(() => createPlanning(supergraphSdl, { isChecked: true })),
  };
}
