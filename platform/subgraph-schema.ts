// The executable schema of a subgraph: its root fields behind their permissions, and more of them put in
// while it runs.
import { buildSubgraphSchema, printSubgraphSchema } from '@apollo/subgraph';
import { addResolversToSchema as addSubgraphResolvers } from '@apollo/subgraph/dist/schema-helper/index.js';
import { entitiesResolver } from '@apollo/subgraph/dist/types.js';
import { addResolversToSchema } from '@graphql-tools/schema/addResolversToSchema';
import {
  assertValidSchema,
  buildSchema,
  extendSchema,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  OperationTypeNode,
  parse,
} from 'graphql';
import { countObjects } from './budget/counted-fields.ts';
import type { Caller } from './identity.ts';
import { type KeptTexts, recalled } from './kept-texts.ts';
import { assertAnswersAsOf } from './past/as-of-fields.ts';
import { assertAllowed, type Permission } from './permissions.ts';
import { printedSchema } from './printed-schema.ts';
import { permissionsOf } from './subgraph-module.ts';

type Permissions = Readonly<Record<string, Permission>>;
type AnyResolver = GraphQLFieldResolver<unknown, { readonly caller: Caller }>;
type ResolverMap = Parameters<typeof addResolversToSchema>[0]['resolvers'];
type Field = ReturnType<GraphQLObjectType['getFields']>[string];

interface GuardedSchema {
  readonly schema: GraphQLSchema;
  readonly sdl: string;
  readonly permissions: Permissions;
}

type Modules = readonly {
  readonly typeDefs: string;
  readonly resolvers: object;
  readonly permissions: Permissions;
}[];

const schemas = new WeakMap<Modules, GuardedSchema>();

/** What federation makes of a subgraph's SDL, as it is kept. */
interface Federated {
  /** The executable schema's, with all that federation adds. */
  readonly executableSdl: string;
  /** What `_service` answers. */
  readonly serviceSdl: string;
  /** For composition. */
  readonly sdl: string;
}

/** Changes with what is kept, and with how it is made. */
const FORMAT = 'subgraph 1';
/** It was checked before it was kept. */
const VALID = { assumeValid: true, assumeValidSDL: true, noLocation: true };

function federated(typeDefs: readonly string[]): Federated {
  const made = buildSubgraphSchema(typeDefs.map((text) => ({ typeDefs: parse(text, { noLocation: true }) })));
  assertValidSchema(made);
  // federation's own resolver, of no argument
  const service = made.getQueryType()?.getFields()['_service']?.resolve as
    (() => { sdl: string }) | undefined;
  if (service === undefined) throw new Error('federation made no _service');
  return {
    executableSdl: printedSchema(made),
    serviceSdl: service().sdl,
    sdl: printSubgraphSchema(made),
  };
}

/** As `buildSubgraphSchema` binds the resolvers, to a schema made of what it made before. */
function executable({ executableSdl, serviceSdl }: Federated, modules: Modules): GraphQLSchema {
  const schema = buildSchema(executableSdl, VALID);
  const query = schema.getQueryType();
  const fields = query?.getFields();
  if (query == null || fields?.['_service'] === undefined) throw new Error('federation made no _service');
  fields['_service'].resolve = () => ({ sdl: serviceSdl });
  if (fields['_entities'] !== undefined) {
    const resolve: GraphQLFieldResolver<unknown, unknown, { representations: never }> = (
      _,
      { representations },
      context,
      info,
    ) => entitiesResolver({ representations, context, info });
    fields['_entities'].resolve = resolve;
    addSubgraphResolvers(schema, {
      _Entity: { __resolveType: ({ __typename }: { readonly __typename: string }) => __typename },
    });
  }
  // the resolver map's type is erased here: each noun types its own against the SDL
  for (const { resolvers } of modules) addSubgraphResolvers(schema, resolvers as never);
  return schema;
}

/**
 * The schema of these modules. The same array gets the same schema: its resolvers keep nothing, two components
 * of one process differ in their contexts.
 * @param memory what processes before this one made
 * @throws Error for a root field without a permission or a resolver: it stops the start
 */
export function guardedSchema(modules: Modules, memory?: KeptTexts): GuardedSchema {
  const guarded = schemas.get(modules) ?? buildGuardedSchema(modules, memory);
  schemas.set(modules, guarded);
  return guarded;
}

function buildGuardedSchema(modules: Modules, memory: KeptTexts | undefined): GuardedSchema {
  const permissions = permissionsOf(modules);
  const sources = modules.map(({ typeDefs }) => typeDefs);
  const made = recalled(memory, [FORMAT, ...sources], () => federated(sources));
  const schema = executable(made, modules);
  guard(schema, permissions);
  countObjects(schema);
  return { schema, sdl: made.sdl, permissions };
}

/**
 * Puts the permission check before every root resolver, so that a subgraph refuses what the edge would have
 * refused.
 */
function guard(schema: GraphQLSchema, permissions: Permissions): void {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    if (root)
      for (const field of Object.values(root.getFields()))
        if (field.name !== '_service') guardField(root, field, permissions);
  }
}

function guardField(root: GraphQLObjectType, field: Field, permissions: Permissions): void {
  const coordinate = `${root.name}.${field.name}`;
  // what an entity shows is for its own fields to decide
  const permission = field.name === '_entities' ? 'authenticated' : permissions[coordinate];
  if (permission === undefined) throw new Error(`${coordinate} has no entry in its subgraph's permissions`);
  const wrap =
    (inner: AnyResolver): AnyResolver =>
    (source, args, context, info) => {
      assertAllowed(context.caller, permission);
      assertAnswersAsOf(context.caller, coordinate);
      return inner(source, args, context, info);
    };
  // the types of graphql-js leave source and arguments open
  if (field.subscribe) field.subscribe = wrap(field.subscribe as AnyResolver);
  else if (field.resolve) field.resolve = wrap(field.resolve as AnyResolver);
  else throw new Error(`${coordinate} has no resolver`);
}

/**
 * The schema with more in it, its own resolvers kept and its new root fields guarded: many times as quick as
 * a subgraph made anew.
 */
export function extendedSchema(
  schema: GraphQLSchema,
  sdl: string,
  resolvers: object,
  permissions: Permissions,
): GraphQLSchema {
  const copy = extendSchema(schema, parse(sdl, { noLocation: true }), {
    assumeValid: true,
    assumeValidSDL: true,
  });
  // it is a copy that nobody else holds; a resolver that departs from the SDL throws
  const extended = addResolversToSchema({
    schema: copy,
    resolvers: resolvers as ResolverMap, // each noun types its own against the SDL
    updateResolversInPlace: true,
  });
  for (const kind of [OperationTypeNode.QUERY, OperationTypeNode.MUTATION, OperationTypeNode.SUBSCRIPTION]) {
    const [known, root] = [schema.getRootType(kind)?.getFields() ?? {}, extended.getRootType(kind)];
    for (const field of Object.values(root?.getFields() ?? {}))
      if (root && !Object.hasOwn(known, field.name)) guardField(root, field, permissions);
  }
  countObjects(extended, schema);
  return extended;
}
