// Creates, removes, finds and traverses relationships between entities
// (docs/reference/metadata.md#relationships).
import type { CallOptions, WriteOptions } from './call-options.ts';
import type { Core } from './core.ts';
import { ENTITY, type Entity } from './entity.ts';
import { absentEntity } from './errors/absent-entity.ts';
import { EntityNotFoundError } from './errors/errors.ts';
import { Listing, type PageRequest } from './listing.ts';

/** A typed, directed link from one entity to another (docs/reference/metadata.md#relationship-fields). */
export interface Relationship {
  /** `<source id>-><target id>:<relationship type>`. */
  readonly id: string;
  readonly sourceEntityId: string;
  readonly targetEntityId: string;
  readonly relationshipType: string;
  /** The metadata given when the relationship was created. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly createdAt: string;
  readonly createdBy: string;
}

/** A relationship that was removed. */
export type RemovedRelationship = Pick<
  Relationship,
  'id' | 'sourceEntityId' | 'targetEntityId' | 'relationshipType'
>;

/** The direction as seen from an entity. */
export type Direction = 'in' | 'out' | 'both';

export interface RelateOptions extends WriteOptions {
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface UnrelateOptions extends WriteOptions {
  readonly reason?: string | undefined;
}

export interface TraverseOptions extends CallOptions {
  /** Follow only relationships of this type. */
  readonly relationshipType?: string | undefined;
  /** 1 to 100, default 10. */
  readonly maxDepth?: number | undefined;
  /** Default `out`. */
  readonly direction?: Direction | undefined;
  /** Maximum number of entities, 1 to 10000, default 1000. */
  readonly limit?: number | undefined;
}

export interface TraversalNode<Data extends object = Record<string, unknown>> {
  readonly entityId: string;
  readonly entity: Entity<Data> | null;
  /** Number of relationships between the start and this entity. */
  readonly depth: number;
  /** Entity ids from the start to this entity. */
  readonly path: readonly string[];
  /** The relationship by which the entity was reached. */
  readonly relationship: Relationship;
}

export interface Traversal<Data extends object = Record<string, unknown>> {
  /** Nearest first, each entity once. */
  readonly nodes: readonly TraversalNode<Data>[];
  /** False where the result was cut off at `limit`. */
  readonly isComplete: boolean;
}

export interface SoughtRelationships extends CallOptions {
  readonly sourceId?: string | undefined;
  readonly targetId?: string | undefined;
  readonly relationshipType?: string | undefined;
  readonly pageSize?: number | undefined;
}

export interface RelationshipsOptions extends CallOptions {
  /** Default `both`. */
  readonly direction?: Direction | undefined;
  readonly relationshipType?: string | undefined;
  readonly pageSize?: number | undefined;
}

export interface Relationships {
  /** @throws EntityNotFoundError for either end, RelationshipExistsError */
  relate(
    sourceId: string,
    targetId: string,
    relationshipType: string,
    options?: RelateOptions,
  ): Promise<Relationship>;
  /** @throws RelationshipNotFoundError, EntityNotFoundError */
  unrelate(
    sourceId: string,
    targetId: string,
    relationshipType: string,
    options?: UnrelateOptions,
  ): Promise<RemovedRelationship>;
  /**
   * Returns all entities that can be reached from an entity.
   * @throws EntityNotFoundError, ValidationError for a depth out of range
   */
  traverse<Data extends object = Record<string, unknown>>(
    sourceId: string,
    options?: TraverseOptions,
  ): Promise<Traversal<Data>>;
  /** Returns relationships between any entities, in order of creation. */
  findRelationships(sought?: SoughtRelationships): Listing<Relationship>;
  /**
   * Returns the relationships of an entity, in order of creation. @throws EntityNotFoundError when it is read
   */
  relationships(entityId: string, options?: RelationshipsOptions): Listing<Relationship>;
}

const RELATIONSHIP = 'id sourceEntityId targetEntityId relationshipType metadata createdAt createdBy';
const RELATE = `mutation Relate($sourceId: ID!, $targetId: ID!, $relationshipType: String!, $metadata: JSON, $context: ProvenanceContext) {
  relationship: relate(sourceId: $sourceId, targetId: $targetId, relationshipType: $relationshipType, metadata: $metadata, context: $context) { ${RELATIONSHIP} } }`;
const UNRELATE = `mutation Unrelate($sourceId: ID!, $targetId: ID!, $relationshipType: String!, $reason: String, $context: ProvenanceContext) {
  relationship: unrelate(sourceId: $sourceId, targetId: $targetId, relationshipType: $relationshipType, reason: $reason, context: $context) {
    id sourceEntityId targetEntityId relationshipType } }`;
const TRAVERSE = `query Traverse($sourceId: ID!, $relationshipType: String, $maxDepth: Int, $direction: RelationshipDirection, $limit: Int) {
  traverse(sourceId: $sourceId, relationshipType: $relationshipType, maxDepth: $maxDepth, direction: $direction, limit: $limit) {
    nodes { entityId entity { ${ENTITY} } depth path relationship { ${RELATIONSHIP} } } isComplete } }`;
const FIND = `query FindRelationships($sourceId: ID, $targetId: ID, $relationshipType: String, $limit: Int, $cursor: String) {
  findRelationships(sourceId: $sourceId, targetId: $targetId, relationshipType: $relationshipType, limit: $limit, cursor: $cursor) { items { ${RELATIONSHIP} } nextCursor } }`;
const OF_ENTITY = `query Relationships($id: ID!, $entityId: ID, $sourceId: ID, $targetId: ID, $relationshipType: String, $limit: Int, $cursor: String) {
  entity(id: $id) { id }
  page: findRelationships(entityId: $entityId, sourceId: $sourceId, targetId: $targetId, relationshipType: $relationshipType, limit: $limit, cursor: $cursor) { items { ${RELATIONSHIP} } nextCursor } }`;

/** The filter parameter for the entity's end of a relationship, by direction. */
const END = { out: 'sourceId', in: 'targetId', both: 'entityId' } as const;
const named = (direction: Direction | undefined): string | undefined => direction?.toUpperCase();

export const relationshipsOf = ({ transport }: Core): Relationships => ({
  async relate(
    sourceId,
    targetId,
    relationshipType,
    { metadata, provenanceContext: context, ...options } = {},
  ) {
    const { relationship } = await transport.send<{ relationship: Relationship }>(
      { document: RELATE, safety: 'once', explain: absentEntity(null, sourceId, targetId) },
      { sourceId, targetId, relationshipType, metadata, context },
      options,
    );
    return relationship;
  },
  async unrelate(
    sourceId,
    targetId,
    relationshipType,
    { reason, provenanceContext: context, ...options } = {},
  ) {
    const { relationship } = await transport.send<{ relationship: RemovedRelationship }>(
      { document: UNRELATE, safety: 'once', explain: absentEntity(null, sourceId, targetId) },
      { sourceId, targetId, relationshipType, reason, context },
      options,
    );
    return relationship;
  },
  async traverse<Data extends object>(
    sourceId: string,
    { direction, relationshipType, maxDepth, limit, ...options }: TraverseOptions = {},
  ) {
    const { traverse } = await transport.send<{ traverse: Traversal<Data> | null }>(
      { document: TRAVERSE, safety: 'read' },
      { sourceId, relationshipType, maxDepth, direction: named(direction), limit },
      options,
    );
    if (traverse === null) throw new EntityNotFoundError(null, sourceId);
    return traverse;
  },
  findRelationships({ pageSize, sourceId, targetId, relationshipType, ...options } = {}) {
    return new Listing(async (request: PageRequest) => {
      const { findRelationships } = await transport.send<{
        findRelationships: { items: Relationship[]; nextCursor: string | null };
      }>({ document: FIND, safety: 'read' }, { sourceId, targetId, relationshipType, ...request }, options);
      return findRelationships;
    }, pageSize);
  },
  relationships(id, { direction = 'both', relationshipType, pageSize, ...options } = {}) {
    return new Listing(async (request: PageRequest) => {
      const { entity, page } = await transport.send<{
        entity: { id: string } | null;
        page: { items: Relationship[]; nextCursor: string | null };
      }>(
        { document: OF_ENTITY, safety: 'read' },
        { id, [END[direction]]: id, relationshipType, ...request },
        options,
      );
      if (entity === null) throw new EntityNotFoundError(null, id);
      return page;
    }, pageSize);
  },
});
