// The executable schema of a subgraph: its root fields behind their permissions, and more of them put in
// while it runs.
import { buildSubgraphSchema, printSubgraphSchema } from '@apollo/subgraph';
import { addResolversToSchema } from '@graphql-tools/schema';
import {
  type DocumentNode,
  extendSchema,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  OperationTypeNode,
  parse,
} from 'graphql';
import { countObjects } from './budget/counted-fields.ts';
import type { Caller } from './identity.ts';
import { assertAnswersAsOf } from './past/as-of-fields.ts';
import { assertAllowed, type Permission } from './permissions.ts';
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
  readonly typeDefs: DocumentNode;
  readonly resolvers: object;
  readonly permissions: Permissions;
}[];

const schemas = new WeakMap<Modules, GuardedSchema>();

/**
 * The schema of these modules. The same array gets the same schema: its resolvers keep nothing, two components
 * of one process differ in their contexts.
 * @throws Error for a root field without a permission or a resolver: it stops the start
 */
export function guardedSchema(modules: Modules): GuardedSchema {
  const guarded = schemas.get(modules) ?? buildGuardedSchema(modules);
  schemas.set(modules, guarded);
  return guarded;
}

function buildGuardedSchema(modules: Modules): GuardedSchema {
  const permissions = permissionsOf(modules);
  const schema = buildSubgraphSchema(
    modules.map(({ typeDefs, resolvers }) => ({
      typeDefs,
      // the resolver map's type is erased here: each noun types its own against the SDL
      resolvers: resolvers as never,
    })),
  );
  guard(schema, permissions);
  countObjects(schema);
  return { schema, sdl: printSubgraphSchema(schema), permissions };
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
