// Relationships in GraphQL: unpack, one call, map.
import type { Moment } from '../as-of/timeline.ts';
import type { EntitySource } from '../entities/entity-record.ts';
import { tellCut, warnOnce } from '../cut-list.ts';
import { authorOf, type MetadataContext } from '../metadata-context.ts';
import { type RelationshipKey, relationshipId } from '../provenance/write.ts';
import type { Direction, Relationship } from './relationship.ts';
import type { OfEntity, TraversalNode } from './relationships.service.ts';

interface BoundsArgs {
  direction?: Direction | null;
  relationshipType?: string | null;
  limit?: number | null;
  offset?: number | null;
  cursor?: string | null;
}
interface AsOf {
  asOf?: string | null;
}
interface FindArgs extends AsOf {
  entityId?: string | null;
  sourceId?: string | null;
  targetId?: string | null;
  relationshipType?: string | null;
  limit?: number | null;
  cursor?: string | null;
}
interface TraverseArgs extends AsOf {
  sourceId: string;
  relationshipType?: string | null;
  maxDepth?: number | null;
  direction?: Direction | null;
  limit?: number | null;
}
interface KeyArgs {
  sourceId: string;
  targetId: string;
  relationshipType: string;
  context?: string | null;
}

const [MOST, USUAL] = [1000, 100];
const bounds = (
  { direction, relationshipType, limit, offset, cursor }: BoundsArgs,
  usual: number,
  at: Moment,
): OfEntity => ({
  direction: direction ?? 'BOTH',
  relationshipType: relationshipType ?? null,
  limit: limit ?? usual,
  offset: offset ?? 0,
  cursor: cursor ?? null,
  at,
});
const keyOf = ({ sourceId, targetId, relationshipType }: KeyArgs): RelationshipKey => ({
  sourceId,
  targetId,
  type: relationshipType,
});
const removed = (key: RelationshipKey) => ({
  id: relationshipId(key),
  sourceEntityId: key.sourceId,
  targetEntityId: key.targetId,
  relationshipType: key.type,
});

export const relationshipResolvers = {
  Query: {
    relationships: async (
      _: unknown,
      { entityId, asOf, ...args }: BoundsArgs & AsOf & { entityId: string },
      { relationships, timeline, caller, extensions }: MetadataContext,
    ) => {
      const found = await relationships.of(entityId, bounds(args, MOST, await timeline.moment(asOf)), caller);
      if (found)
        tellCut(extensions, found, {
          name: 'relationships',
          page: 'findRelationships',
          isUsual: (args.limit ?? MOST) === MOST,
        });
      return found?.items ?? null;
    },
    findRelationships: async (
      _: unknown,
      { entityId, sourceId, targetId, relationshipType, limit, cursor, asOf }: FindArgs,
      { relationships, timeline, caller }: MetadataContext,
    ) =>
      relationships.find(
        {
          entityId: entityId ?? null,
          sourceId: sourceId ?? null,
          targetId: targetId ?? null,
          relationshipType: relationshipType ?? null,
          limit: limit ?? 100,
          cursor: cursor ?? null,
          at: await timeline.moment(asOf),
        },
        caller,
      ),
    traverse: async (
      _: unknown,
      { sourceId, relationshipType, maxDepth, direction, limit, asOf }: TraverseArgs,
      { relationships, timeline, caller }: MetadataContext,
    ) =>
      relationships.traverse(
        {
          sourceId,
          relationshipType: relationshipType ?? null,
          maxDepth: maxDepth ?? 10,
          direction: direction ?? 'OUT',
          limit: limit ?? MOST,
          at: await timeline.moment(asOf),
        },
        caller,
      ),
  },
  Mutation: {
    relate: (
      _: unknown,
      { metadata, context, ...key }: KeyArgs & { metadata?: unknown },
      { relationships, caller }: MetadataContext,
    ) => relationships.relate(keyOf(key), metadata ?? null, authorOf(caller, context ?? null)),
    unrelate: async (
      _: unknown,
      { reason, context, ...key }: KeyArgs & { reason?: string | null },
      { relationships, caller }: MetadataContext,
    ) => removed(await relationships.unrelate(keyOf(key), reason ?? null, authorOf(caller, context ?? null))),
    unrelateById: async (
      _: unknown,
      {
        entityId,
        relationshipId: id,
        reason,
        context,
      }: { entityId: string; relationshipId: string; reason?: string | null; context?: string | null },
      { relationships, caller }: MetadataContext,
    ) =>
      removed(
        await relationships.unrelateById(entityId, id, reason ?? null, authorOf(caller, context ?? null)),
      ),
  },
  Entity: {
    relationships: async (
      { id, at = null }: EntitySource,
      args: BoundsArgs,
      { relationshipsOf, extensions }: MetadataContext,
    ) => {
      const { items, nextCursor } = await relationshipsOf(id, bounds(args, USUAL, at));
      if (nextCursor !== null && (args.limit ?? USUAL) === USUAL)
        warnOnce(extensions, `relationships is cut at ${USUAL}: relationshipPage goes on by cursor`);
      return items;
    },
    relationshipPage: async (
      { id, at = null }: EntitySource,
      args: BoundsArgs,
      { relationshipsOf }: MetadataContext,
    ) => ({ ...(await relationshipsOf(id, bounds(args, USUAL, at))), limit: args.limit ?? USUAL }),
  },
  Relationship: {
    source: ({ sourceEntityId, at }: Relationship, _: unknown, { entityById }: MetadataContext) =>
      entityById(sourceEntityId, at ?? null),
    target: ({ targetEntityId, at }: Relationship, _: unknown, { entityById }: MetadataContext) =>
      entityById(targetEntityId, at ?? null),
  },
  TraversalNode: {
    entity: ({ entityId, relationship }: TraversalNode, _: unknown, { entityById }: MetadataContext) =>
      entityById(entityId, relationship.at ?? null),
  },
};
