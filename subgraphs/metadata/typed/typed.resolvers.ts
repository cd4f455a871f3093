// Resolvers of the typed part: those that do not depend on schemas, and those created for each.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { GraphQLFieldResolver, GraphQLObjectType } from 'graphql';
import { GraphQLSafeInt } from 'graphql-scalars';
import { never } from '../../../platform/budget/budget.ts';
import type { Dress } from '../../../platform/lazy-schema.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import { projectRoot } from '../../../platform/project-root.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import { selects, warned } from '../entities/entities.resolvers.ts';
import type { EntitySlice } from '../entities/entities.service.ts';
import type { EntityRecord } from '../reading/entity-record.ts';
import type { QueryEntityArgs, Resolvers } from '../generated/resolvers.ts';
import { ownValue } from '../schema-model/entity-type.ts';
import type { SchemaSlice } from '../schemas/schemas.service.ts';
import { valueFault } from '../schema-model/value.ts';
import { boundsOf, type Connection, CONNECTION, connectionOf, type ConnectionArgs } from './connection.ts';
import type { TypedSlice } from './typed-api.ts';
import type { FieldRole, TypedField, TypedType, TypedTypes } from './typed-types.ts';
import { whereToCel } from './where-to-cel.ts';

export type TypedContext = OperationContext & TypedSlice & EntitySlice & SchemaSlice & TimeSlice;

interface ListArgs extends ConnectionArgs {
  where?: Readonly<Record<string, unknown>> | null;
  filter?: string | null;
  orderBy?: string | null;
  includeUnavailable?: boolean | null;
  asOf?: string | null;
}
type Resolver = (source: EntityRecord, args: unknown, context: TypedContext) => unknown;

/** The typed part's metadata for the router's composition. */
export const typedSchemaResolvers = {
  Query: { typedSchema: (_, __, { typedSchema }) => typedSchema() },
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

/** Whether an entity's type is the schema's type or a subtype. */
const isA = ({ schemas }: TypedContext, entityType: string, schema: string): boolean =>
  schemas.get(entityType)?.selfAndAncestors.includes(schema) ?? entityType === schema;

/** The entity of a reference: null if the caller cannot see it, or it has another type. */
async function referenced(
  { definition, target }: TypedField,
  id: unknown,
  at: EntityRecord['at'],
  context: TypedContext,
): Promise<EntityRecord | null> {
  if (typeof id !== 'string') return null;
  const found = await context.entityById(id, at);
  const schema = target?.schema ?? definition.references;
  return found !== null && schema !== null && isA(context, found.entityType, schema) ? found : null;
}

/** A field's value or null; past data that does not fit today's schema counts as missing. */
function fieldResolver(field: TypedField): Resolver {
  const { definition } = field;
  return (source, _, context) => {
    const value = ownValue(source.data, definition.name);
    if (value === undefined || value === null || valueFault(definition, value) !== null) return null;
    if (definition.type !== 'ref') return value;
    return definition.many
      ? (value as readonly unknown[]).map((id) => referenced(field, id, source.at, context))
      : referenced(field, value, source.at, context); // valueFault has ensured a list.
  };
}

const everyFilter = (filters: readonly (string | null | undefined)[]): string | null => {
  const given = filters.filter((filter) => typeof filter === 'string' && filter !== '');
  return given.length < 2 ? (given[0] ?? null) : given.map((filter) => `(${filter})`).join(' && ');
};

function rootResolver(type: TypedType, role: FieldRole): GraphQLFieldResolver<unknown, TypedContext> {
  if (role === 'one') {
    return async (_: unknown, { id, asOf }: QueryEntityArgs, context) => {
      const found = await context.entityById(id, await context.timeline.moment(asOf));
      return found !== null && isA(context, found.entityType, type.schema) ? found : null;
    };
  }
  return async (
    _: unknown,
    { where, filter, orderBy, includeUnavailable, asOf, ...args }: ListArgs,
    { entities, timeline, caller, listing, extensions },
    { fieldNodes },
  ): Promise<Connection> => {
    const bounds = boundsOf(args);
    return connectionOf(
      bounds,
      warned(
        await entities.list(
          {
            entityType: type.schema,
            filter: everyFilter([filter, whereToCel(type, where)]),
            fields: [],
            limit: Math.max(bounds.count, 1),
            offset: 0,
            cursor: bounds.cursor,
            orderBy: orderBy ?? null,
            backwards: bounds.backwards,
            includeUnavailable: includeUnavailable ?? false,
            at: await timeline.moment(asOf),
          },
          caller,
          { ...listing, counts: selects(fieldNodes, 'totalCount') },
        ),
        extensions,
      ),
    );
  };
}

/** The fields that do not depend on schemas. */
export const TYPED_SDL = readFileSync(
  path.join(projectRoot, 'subgraphs/metadata/typed/typed-extension.graphql'),
  'utf8',
);

/** Resolvers of the fields that do not depend on schemas. */
export const typedBaseResolvers = {
  SafeInt: GraphQLSafeInt,
  Query: { typed: () => ({}) },
  Typed: { omitted: () => [] },
} satisfies Resolvers<TypedContext>;

/** Resolvers of the typed part for these types, attached as types and fields are built. */
export const typedResolvers = (typed: TypedTypes): Dress => ({
  field(field) {
    const found = typed.fieldNamed(field.name);
    if (found) field.resolve = rootResolver(found.type, found.role);
  },
  type(made) {
    const found = typed.typeNamed(made.name);
    if (found?.role === 'Connection') dressed(made, CONNECTION);
    if (found?.role === 'type')
      dressed(made, {
        entity: (source: EntityRecord) => source,
        ...Object.fromEntries(found.type.fields.map((field) => [field.name, fieldResolver(field)])),
      });
  },
});

/** Attaches resolvers to a type's fields on their first use. */
function dressed(
  type: GraphQLObjectType,
  resolvers: Readonly<Record<string, GraphQLFieldResolver<never, TypedContext>>>,
): void {
  const fieldsOf = type.getFields.bind(type);
  let isDressed = false;
  type.getFields = () => {
    const fields = fieldsOf();
    if (!isDressed)
      for (const [name, resolve] of Object.entries(resolvers)) {
        const field = fields[name];
        if (field) field.resolve = resolve as GraphQLFieldResolver<unknown, TypedContext>;
      } // By the type's role, of an entity or a connection.
    isDressed = true;
    return fields;
  };
}
