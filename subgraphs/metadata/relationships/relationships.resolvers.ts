// Resolvers of relationships.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Moment, TimeSlice } from '../reading/timeline.ts';
import { authorOf } from '../author-of.ts';
import { tellCut, warnCut } from '../cut-list.ts';
import type { EntitySlice } from '../entities/entities.service.ts';
import type { MutationUnrelateArgs, QueryRelationshipsArgs, Resolvers } from '../generated/resolvers.ts';
import { type RelationshipKey, relationshipId } from '../log/write.ts';
import type { OfEntity, RelationshipSlice } from './relationships.service.ts';

export type RelationshipContext = OperationContext & RelationshipSlice & EntitySlice & TimeSlice;

const [MAX_LIMIT, DEFAULT_LIMIT] = [1000, 100];
const bounds = (
  { direction, relationshipType, limit, offset, cursor }: Omit<QueryRelationshipsArgs, 'entityId' | 'asOf'>,
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
const keyOf = ({ sourceId, targetId, relationshipType }: MutationUnrelateArgs): RelationshipKey => ({
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
      _,
      { entityId, asOf, ...args },
      { relationships, timeline, caller, extensions },
    ) => {
      const found = await relationships.of(
        entityId,
        bounds(args, MAX_LIMIT, await timeline.moment(asOf)),
        caller,
      );
      if (found)
        tellCut(extensions, found, {
          name: 'relationships',
          page: 'findRelationships',
          isUsual: (args.limit ?? MAX_LIMIT) === MAX_LIMIT,
        });
      return found?.items ?? null;
    },
    findRelationships: async (
      _,
      { entityId, sourceId, targetId, relationshipType, limit, cursor, asOf },
      { relationships, timeline, caller },
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
      _,
      { sourceId, relationshipType, maxDepth, direction, limit, asOf },
      { relationships, timeline, caller },
    ) =>
      relationships.traverse(
        {
          sourceId,
          relationshipType: relationshipType ?? null,
          maxDepth: maxDepth ?? 10,
          direction: direction ?? 'OUT',
          limit: limit ?? MAX_LIMIT,
          at: await timeline.moment(asOf),
        },
        caller,
      ),
  },
  Mutation: {
    relate: (_, { metadata, context, ...key }, { relationships, caller }) =>
      relationships.relate(keyOf(key), metadata ?? null, authorOf(caller, context ?? null)),
    unrelate: async (_, { reason, context, ...key }, { relationships, caller }) =>
      removed(await relationships.unrelate(keyOf(key), reason ?? null, authorOf(caller, context ?? null))),
    unrelateById: async (_, { entityId, relationshipId: id, reason, context }, { relationships, caller }) =>
      removed(
        await relationships.unrelateById(entityId, id, reason ?? null, authorOf(caller, context ?? null)),
      ),
  },
  Entity: {
    relationships: async ({ id, at = null }, args, { relationshipsOf, extensions }) => {
      const found = await relationshipsOf(id, bounds(args, DEFAULT_LIMIT, at));
      const isUsual = (args.limit ?? DEFAULT_LIMIT) === DEFAULT_LIMIT;
      warnCut(extensions, found, { name: 'relationships', page: 'relationshipPage', isUsual });
      return found.items;
    },
    relationshipPage: async ({ id, at = null }, args, { relationshipsOf }) => ({
      ...(await relationshipsOf(id, bounds(args, DEFAULT_LIMIT, at))),
      limit: args.limit ?? DEFAULT_LIMIT,
    }),
  },
  Relationship: {
    source: ({ sourceEntityId, at }, _, { entityById }) => entityById(sourceEntityId, at ?? null),
    target: ({ targetEntityId, at }, _, { entityById }) => entityById(targetEntityId, at ?? null),
  },
  TraversalNode: {
    entity: ({ entityId, relationship }, _, { entityById }) => entityById(entityId, relationship.at ?? null),
  },
} satisfies Resolvers<RelationshipContext>;
