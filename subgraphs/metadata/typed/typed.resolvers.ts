// Resolvers of the typed part: those that do not depend on schemas, and those created for each.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { GraphQLFieldResolver, GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import { GraphQLSafeInt } from 'graphql-scalars';
import { never } from '../../../platform/budget/budget.ts';
import { countField } from '../../../platform/budget/counted-fields.ts';
import type { Dress } from '../../../platform/lazy-schema.ts';
import { projectRoot } from '../../../platform/project-root.ts';
import type { FeedItem } from '../change-feed/change-feed.service.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { CONNECTION } from './connection.ts';
import { nodeType } from './node-type.ts';
import {
  aggregateResolver,
  facetsResolver,
  measureResolvers,
  type MeasureContext,
  numberMeasureResolvers,
} from './typed-aggregates.ts';
import { type FeedContext, openTypedFeed, stateAfter } from './typed-feed.ts';
import {
  fieldResolver,
  listResolver,
  oneResolver,
  type ReadContext,
  reverseResolver,
} from './typed-reads.ts';
import type { TypeRole } from './typed-roles.ts';
import type { AddedField, TypedType, TypedTypes } from './typed-types.ts';
import { TypedWrites, type WriteContext, writeResolver } from './typed-writes.ts';

export type TypedContext = ReadContext & WriteContext & FeedContext & MeasureContext;

/** The typed part's metadata for the router's composition. */
export const typedSchemaResolvers = {
  Query: {
    typedSchema: (_, __, { typedSchema }) => typedSchema(),
    node: async (_, { id }, { entityById, timeline }) => entityById(id, await timeline.moment(null)),
  },
  Node: {
    __resolveType: ({ entityType }, { typedSchema }, info) =>
      // the generated type knows of no types of schemas
      nodeType(entityType, typedSchema().typed, typedSchema().catalogue, info) as 'Entity',
  },
  TypedSchema: {
    base: ({ sdl }) => sdl,
    sdl: async (schema, _, { caller }) => {
      const sdl = await schema.whole();
      // may be long, and is asked for under many names: no part of an operation that is not counted
      return caller.budget?.read(sdl.length) === false ? never() : sdl;
    },
    changes: (schema, { since }) => schema.changes(since ?? null),
  },
} satisfies Resolvers<TypedContext>;

/** The fields that do not depend on schemas. */
export const TYPED_SDL = readFileSync(
  path.join(projectRoot, 'subgraphs/metadata/typed/typed-extension.graphql'),
  'utf8',
);

/** Resolvers of the fields that do not depend on schemas. */
export const typedBaseResolvers = {
  SafeInt: GraphQLSafeInt,
  Query: { typed: () => ({}) },
  Mutation: { typed: () => new TypedWrites() },
  Subscription: {
    typed: {
      subscribe: (_: unknown, __: unknown, context: TypedContext, info: GraphQLResolveInfo) =>
        openTypedFeed(context, info),
      resolve: (item: FeedItem) => item,
    },
  },
  Typed: { omitted: () => [] },
  NumberMeasures: numberMeasureResolvers,
  TypedMutation: {
    revision: (_: unknown, __: unknown, { typedSchema }: TypedContext) => typedSchema().version,
  },
};

function addedResolver(added: AddedField): GraphQLFieldResolver<never, TypedContext> {
  const { role, type } = added;
  switch (role) {
    case 'one':
      return oneResolver(type);
    case 'list':
      return listResolver(type);
    case 'reverse':
      return reverseResolver(type, added.field);
    case 'create':
    case 'update':
    case 'upsert':
    case 'delete':
      return writeResolver(type, role);
    case 'changed':
      return (item: FeedItem) => item;
    case 'aggregate':
      return aggregateResolver(type);
    case 'facets':
      return facetsResolver(type);
    default:
      return role satisfies never;
  }
}

const itself = (source: unknown): unknown => source;

function typeResolvers(
  type: TypedType,
  role: TypeRole,
): Readonly<Record<string, GraphQLFieldResolver<never, TypedContext>>> {
  switch (role) {
    case 'type':
      return {
        entity: itself,
        referencedBy: itself,
        ...Object.fromEntries(type.fields.map((field) => [field.name, fieldResolver(field)])),
      };
    case 'Connection':
      return CONNECTION;
    case 'FeedItem':
      return { node: ({ event }: FeedItem, _, context) => stateAfter(event, context) };
    case 'AggregateFields':
      return measureResolvers(type);
    default:
      return {};
  }
}

/** Resolvers of the typed part for these types, attached as types and fields are built. */
export const typedResolvers = (typed: TypedTypes): Dress => ({
  field(field, holder) {
    const found = typed.fieldNamed(holder, field.name);
    if (found) field.resolve = addedResolver(found) as GraphQLFieldResolver<unknown, unknown>; // of its holder
    countField(field);
  },
  type(made) {
    const found = typed.typeNamed(made.name);
    if (found) dressed(made, typeResolvers(found.type, found.role));
  },
});

/** Attaches resolvers to a type's own fields on their first use, and counts what they answer. */
function dressed(
  type: GraphQLObjectType,
  resolvers: Readonly<Record<string, GraphQLFieldResolver<never, TypedContext>>>,
): void {
  const fieldsOf = type.getFields.bind(type);
  let isDressed = false;
  type.getFields = () => {
    const fields = fieldsOf();
    if (isDressed) return fields;
    isDressed = true;
    for (const name of Object.keys(fields)) {
      const field = fields[name];
      if (!field) continue;
      const resolve = resolvers[name];
      if (resolve) field.resolve = resolve as GraphQLFieldResolver<unknown, unknown>; // by the type's role
      countField(field);
    }
    return fields;
  };
}
