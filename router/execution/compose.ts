// Composes subgraphs into one supergraph and builds the API schema and the query planner.
import { composeServices } from '@apollo/composition';
import {
  type Schema as FederationSchema,
  Supergraph as FederationSupergraph,
} from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, isEnumType, parse } from 'graphql';
import { introspectionSizes, listSizes, type ListSizes } from './list-sizes.ts';

/** Maximum plans that are compared for one operation: bounds the planning time. */
const MAX_PLANS = 1000;

/** Subgraph name → SDL. */
export type Sdls = ReadonlyMap<string, string>;

export interface Composition {
  readonly sdls: Sdls;
  readonly supergraphSdl: string;
  /** The schema that clients see, as graphql-js represents it. */
  readonly schema: GraphQLSchema;
  /** The same, as the planner represents it. */
  readonly apiSchema: FederationSchema;
  readonly planner: QueryPlanner;
  /** The known sizes of lists: by the SDL's directives, and for introspection. */
  readonly listSizes: readonly ListSizes[];
  /** Each subgraph's own schema, without resolvers: tells whether a client's document is valid there. */
  readonly subgraphSchemas: ReadonlyMap<string, GraphQLSchema>;
  /** Enums with subgraph values that clients do not see. */
  readonly narrowedEnums: ReadonlySet<string>;
}

/** Names of the API schema's enums that have fewer values there than in the subgraph. */
const narrowedEnumsOf = (own: GraphQLSchema, api: GraphQLSchema): readonly string[] =>
  Object.values(own.getTypeMap()).flatMap((type) => {
    const open = api.getType(type.name);
    if (!isEnumType(type) || !isEnumType(open)) return [];
    return type.getValues().every(({ name }) => open.getValue(name)) ? [] : [type.name];
  });

/** @throws Error with all errors of the composition, one per line */
export function compose(sdls: Sdls): Composition {
  const parsed = [...sdls].map(([name, sdl]) => ({ name, typeDefs: parse(sdl) }));
  const composed = composeServices(parsed);
  if (composed.errors !== undefined) throw new Error(composed.errors.map((e) => e.message).join('\n'));
  const supergraph = FederationSupergraph.build(composed.supergraphSdl);
  const apiSchema = supergraph.apiSchema();
  const schema = apiSchema.toGraphQLJSSchema();
  const subgraphSchemas = new Map(
    parsed.map(({ name, typeDefs }) => [name, buildSubgraphSchema({ typeDefs })]),
  );
  return {
    sdls,
    supergraphSdl: composed.supergraphSdl,
    schema,
    listSizes: [listSizes(composed.supergraphSdl), introspectionSizes(schema)],
    apiSchema,
    planner: new QueryPlanner(supergraph, { debug: { maxEvaluatedPlans: MAX_PLANS } }),
    subgraphSchemas,
    narrowedEnums: new Set([...subgraphSchemas.values()].flatMap((own) => narrowedEnumsOf(own, schema))),
  };
}
