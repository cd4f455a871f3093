// Reads in the types of schemas: one entity, pages, the values of fields, references in both directions.
import type { GraphQLFieldResolver } from 'graphql';
import type { OperationContext } from '../../../platform/operation-context.ts';
import { selects, selectsOnly, warned } from '../entities/entities.resolvers.ts';
import type { EntitySlice, Explanation } from '../entities/entities.service.ts';
import type { ListRequest } from '../entities/list-request.ts';
import type { QueryEntityArgs } from '../generated/resolvers.ts';
import type { EntityRecord, EntityView } from '../reading/entity-record.ts';
import type { Moment, TimeSlice } from '../reading/timeline.ts';
import { ownValue } from '../schema-model/entity-type.ts';
import { valueFault } from '../schema-model/value.ts';
import type { SchemaSlice } from '../schemas/schemas.service.ts';
import {
  boundsOf,
  type Connection,
  type ConnectionArgs,
  type ConnectionBounds,
  connectionOf,
  type Explained,
} from './connection.ts';
import type { TypedSlice } from './typed-api.ts';
import type { TypedField, TypedType } from './typed-types.ts';
import { whereToCel } from './where-to-cel.ts';

export type ReadContext = OperationContext & TypedSlice & EntitySlice & SchemaSlice & TimeSlice;

/** Which entities of a type are meant. */
export interface ScopeArgs {
  where?: Readonly<Record<string, unknown>> | null;
  filter?: string | null;
  includeUnavailable?: boolean | null;
  asOf?: string | null;
}
interface ListArgs extends ScopeArgs, ConnectionArgs {
  orderBy?: string | null;
}

/** Whether an entity's type is the schema's type or a subtype. */
const isA = ({ schemas }: ReadContext, entityType: string, schema: string): boolean =>
  schemas.get(entityType)?.selfAndAncestors.includes(schema) ?? entityType === schema;

/** The entity of a reference: null if the caller cannot see it, or it has another type. */
async function referenced(
  { definition, target }: TypedField,
  id: unknown,
  at: Moment,
  context: ReadContext,
): Promise<EntityRecord | null> {
  if (typeof id !== 'string') return null;
  const found = await context.entityById(id, at);
  const schema = target?.schema ?? definition.references;
  return found !== null && schema !== null && isA(context, found.entityType, schema) ? found : null;
}

/** A field's value or null; past data that does not fit today's schema counts as missing. */
export function fieldResolver(field: TypedField): GraphQLFieldResolver<EntityView, ReadContext> {
  const { definition } = field;
  return (source, _, context) => {
    const value = ownValue(source.data, definition.name);
    if (value === undefined || value === null || valueFault(definition, value) !== null) return null;
    if (definition.type !== 'ref') return value;
    const at = source.at ?? null;
    return definition.many
      ? (value as readonly unknown[]).map((id) => referenced(field, id, at, context))
      : referenced(field, value, at, context); // valueFault has ensured a list.
  };
}

/** `where` and `filter` as one expression. */
export function filterOf(type: TypedType, { where, filter }: ScopeArgs): string | null {
  const given = [filter, whereToCel(type, where)].filter(
    (one): one is string => typeof one === 'string' && one !== '',
  );
  return given.length < 2 ? (given[0] ?? null) : given.map((one) => `(${one})`).join(' && ');
}

const listRequest = (type: TypedType, args: ListArgs, bounds: ConnectionBounds, at: Moment): ListRequest => ({
  entityType: type.schema,
  filter: filterOf(type, args),
  fields: [],
  limit: Math.max(bounds.count, 1),
  offset: 0,
  cursor: bounds.cursor,
  orderBy: args.orderBy ?? null,
  backwards: bounds.backwards,
  includeUnavailable: args.includeUnavailable ?? false,
  at,
});

export const oneResolver =
  (type: TypedType): GraphQLFieldResolver<unknown, ReadContext> =>
  async (_, { id, asOf }: QueryEntityArgs, context): Promise<EntityRecord | null> => {
    const found = await context.entityById(id, await context.timeline.moment(asOf));
    return found !== null && isA(context, found.entityType, type.schema) ? found : null;
  };

export const listResolver =
  (type: TypedType): GraphQLFieldResolver<unknown, ReadContext> =>
  async (
    _,
    args: ListArgs,
    { entities, timeline, caller, listing, extensions },
    { fieldNodes },
  ): Promise<Connection | Explained> => {
    const bounds = boundsOf(args);
    const request = listRequest(type, args, bounds, await timeline.moment(args.asOf));
    const explanation = async (): Promise<Explanation> =>
      warned(await entities.explain(request, caller), extensions);
    if (selectsOnly(fieldNodes, 'explanation')) return { explanation };
    const page = await entities.list(request, caller, {
      ...listing,
      counts: selects(fieldNodes, 'totalCount'),
      rows: !selectsOnly(fieldNodes, 'totalCount'),
    });
    return { ...connectionOf(bounds, warned(page, extensions)), explanation };
  };

/** What refers to an entity by the field: at the time of which the entity is. */
export const reverseResolver =
  (
    type: TypedType,
    { definition: { name, many } }: TypedField,
  ): GraphQLFieldResolver<EntityView, ReadContext> =>
  async ({ id, at }, args: ListArgs, { referringTo, extensions }): Promise<Connection> => {
    const bounds = boundsOf(args);
    const list = listRequest(type, args, bounds, at ?? null);
    return connectionOf(bounds, warned(await referringTo(id, { field: { name, many }, list }), extensions));
  };
