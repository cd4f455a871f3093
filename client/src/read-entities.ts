// Reads one entity, now or at a time (docs/reference/metadata.md#reading-one-entity,
// docs/reference/metadata.md#state-at-a-time).
import { type CallOptions, instantOf, type Timestamp } from './call-options.ts';
import type { Core } from './core.ts';
import { celText, ENTITY, type Entity, EXPANDED } from './entity.ts';
import { EntityNotFoundError } from './errors/errors.ts';
import { type ExpandOptions, withExpansion } from './expansion.ts';
import type { Transport } from './transport/transport.ts';

export interface GetOptions extends CallOptions, ExpandOptions {
  /** Reads the entity's state at this time. */
  readonly asOf?: Timestamp | undefined;
}

export interface EntityReads {
  /**
   * Returns the entity with an id, available or not, by its type or a parent type.
   * @throws EntityNotFoundError
   */
  get<Data extends object = Record<string, unknown>>(
    entityType: string,
    entityId: string,
    options?: GetOptions,
  ): Promise<Entity<Data>>;
  /**
   * Returns the state of an entity after the events up to a time; null where it was created later.
   * @throws EntityNotFoundError where the entity does not exist now either
   */
  stateAt<Data extends object = Record<string, unknown>>(
    entityType: string,
    entityId: string,
    timestamp: Timestamp,
    options?: CallOptions,
  ): Promise<Entity<Data> | null>;
}

const GET = `query GetEntity($id: ID!, $asOf: DateTime) { entity(id: $id, asOf: $asOf) { ${ENTITY} } }`;
const GET_EXPANDED = `query GetEntity($id: ID!, $asOf: DateTime, $expand: String!) { entity(id: $id, asOf: $asOf) { ${EXPANDED} } }`;
const STATE = `query StateAt($id: ID!, $at: DateTime!) { entity(id: $id) { entityType } entityAt(id: $id, at: $at) { ${ENTITY} } }`;
const OF_TYPE = `query IsOfType($entityType: String!, $filter: String!) {
  entities(entityType: $entityType, filter: $filter, includeUnavailable: true, limit: 1) { items { id } } }`;

/**
 * Checks that the entity's type `actual` is `entityType` or a subtype of it; `actual` is undefined where
 * there is no entity.
 * @throws EntityNotFoundError otherwise
 */
export async function assertOfType(
  transport: Transport,
  entityType: string,
  entityId: string,
  actual: string | undefined,
  options: CallOptions,
): Promise<void> {
  if (actual === entityType) return;
  if (actual === undefined) throw new EntityNotFoundError(entityType, entityId);
  const { entities } = await transport.send<{ entities: { items: readonly unknown[] } }>(
    { document: OF_TYPE, safety: 'read' },
    { entityType, filter: `id == ${celText(entityId)}` },
    options,
  );
  if (entities.items.length === 0) throw new EntityNotFoundError(entityType, entityId);
}

export const entityReadsOf = ({ transport }: Core): EntityReads => ({
  async get<Data extends object>(
    entityType: string,
    entityId: string,
    { asOf, expand, ...options }: GetOptions = {},
  ) {
    const { entity } = await transport.send<{ entity: Entity<Data> | null }>(
      { document: expand === undefined ? GET : GET_EXPANDED, safety: 'read' },
      { id: entityId, asOf: instantOf(asOf), expand: expand?.join(',') },
      options,
    );
    if (entity === null) throw new EntityNotFoundError(entityType, entityId);
    await assertOfType(transport, entityType, entityId, entity.entityType, options);
    return withExpansion(entity);
  },
  async stateAt<Data extends object>(
    entityType: string,
    entityId: string,
    timestamp: Timestamp,
    options: CallOptions = {},
  ) {
    const { entity, entityAt } = await transport.send<{
      entity: { entityType: string } | null;
      entityAt: Entity<Data> | null;
    }>({ document: STATE, safety: 'read' }, { id: entityId, at: instantOf(timestamp) }, options);
    await assertOfType(transport, entityType, entityId, entity?.entityType, options);
    return entityAt;
  },
});
