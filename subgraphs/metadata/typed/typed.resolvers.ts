// The typed part of the graph in GraphQL: what is the same whichever schemas there are, and what is made for each.
import type { GraphQLResolveInfo } from 'graphql';
import { GraphQLSafeInt } from 'graphql-scalars';
import { selects, warned } from '../entities/entities.resolvers.ts';
import type { EntityRecord } from '../entities/entity-record.ts';
import type { MetadataContext } from '../metadata-context.ts';
import { ownValue } from '../schemas/entity-type.ts';
import { valueFault } from '../schemas/value.ts';
import { boundsOf, type Connection, CONNECTION, connectionOf, type ConnectionArgs } from './connection.ts';
import type { TypedField, TypedType, TypedTypes } from './typed-types.ts';
import { whereToCel } from './where-to-cel.ts';

interface OneArgs { id: string; asOf?: string | null }
interface ListArgs extends ConnectionArgs {
  where?: Readonly<Record<string, unknown>> | null; filter?: string | null; orderBy?: string | null; includeUnavailable?: boolean | null; asOf?: string | null;
}
type Resolver = (source: EntityRecord, args: unknown, context: MetadataContext) => unknown;

/** For the schema that the router composes: what the typed part is. */
export const typedSchemaResolvers = {
  Query: { typedSchema: (_: unknown, __: unknown, { typedSchema }: MetadataContext) => typedSchema() },
};

/** Whether an entity of a type answers to the name of a schema. */
const isA = ({ schemas }: MetadataContext, entityType: string, schema: string): boolean => schemas.get(entityType)?.selfAndAncestors.includes(schema) ?? entityType === schema;

/** The entity that a reference names: null where the caller sees none, or it is of another type. */
async function referenced({ definition, target }: TypedField, id: unknown, at: EntityRecord['at'], context: MetadataContext): Promise<EntityRecord | null> {
  if (typeof id !== 'string') return null;
  const found = await context.entityById(id, at);
  const schema = target?.schema ?? definition.references;
  return found !== null && schema !== null && isA(context, found.entityType, schema) ? found : null;
}

/** A field's value, or null where there is none; data of the past may not fit the schema of today, and counts as none. */
function fieldResolver(field: TypedField): Resolver {
  const { definition } = field;
  return (source, _, context) => {
    const value = ownValue(source.data, definition.name);
    if (value === undefined || value === null || valueFault(definition, value) !== null) return null;
    if (definition.type !== 'ref') return value;
    return definition.many ? (value as readonly unknown[]).map((id) => referenced(field, id, source.at, context)) : referenced(field, value, source.at, context); // a list, as valueFault has found nothing
  };
}

const everyFilter = (filters: readonly (string | null | undefined)[]): string | null => {
  const given = filters.filter((filter) => typeof filter === 'string' && filter !== '');
  return given.length < 2 ? given[0] ?? null : given.map((filter) => `(${filter})`).join(' && ');
};

function rootResolvers(type: TypedType): Record<string, unknown> {
  return {
    [type.one]: async (_: unknown, { id, asOf }: OneArgs, context: MetadataContext) => {
      const found = await context.entityById(id, await context.timeline.moment(asOf));
      return found !== null && isA(context, found.entityType, type.schema) ? found : null;
    },
    [type.list]: async (_: unknown, { where, filter, orderBy, includeUnavailable, asOf, ...args }: ListArgs, { entities, timeline, caller, listing, extensions }: MetadataContext, { fieldNodes }: GraphQLResolveInfo): Promise<Connection> => {
      const bounds = boundsOf(args);
      return connectionOf(bounds, warned(await entities.list({
        entityType: type.schema, filter: everyFilter([filter, whereToCel(type, where)]), fields: [], limit: Math.max(bounds.count, 1), offset: 0, cursor: bounds.cursor, orderBy: orderBy ?? null,
        backwards: bounds.backwards, includeUnavailable: includeUnavailable ?? false, at: await timeline.moment(asOf),
      }, caller, { ...listing, counts: selects(fieldNodes, 'totalCount') }), extensions));
    },
  };
}

/** Resolvers of the typed part over these types. */
export function typedResolvers({ types, omitted }: TypedTypes): Record<string, unknown> {
  const resolvers: Record<string, unknown> = {
    SafeInt: GraphQLSafeInt,
    Query: { typed: () => ({}) },
    Typed: Object.assign({ omitted: () => omitted }, ...types.map(rootResolvers)) as Record<string, unknown>, // a merge of such records
  };
  for (const type of types) {
    resolvers[type.name] = { entity: (source: EntityRecord) => source, ...Object.fromEntries(type.fields.map((field) => [field.name, fieldResolver(field)])) };
    resolvers[`${type.name}Connection`] = CONNECTION;
  }
  return resolvers;
}
