// Relationships of an entity (docs/reference/metadata.md#relationships).
import { AS_OF, choice, integer, PAGE, text } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { contextOf, entityAbsent, fieldOf, requiredField } from './metadata-request.ts';

const RELATIONSHIP =
  'id source_entity_id: sourceEntityId target_entity_id: targetEntityId relationship_type: relationshipType metadata created_at: createdAt created_by: createdBy';

export const relationshipRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/entities/{entity_id}/relationships',
    summary: 'Lists the relationships of an entity in order of creation.',
    pick: 'relationships',
    absent: entityAbsent,
    operation: `query ListRelationships($id: ID!, $direction: RelationshipDirection, $type: String, $limit: Int, $offset: Int, $cursor: String, $asOf: DateTime) {
      relationships(entityId: $id, direction: $direction, relationshipType: $type, limit: $limit, offset: $offset, cursor: $cursor, asOf: $asOf) { ${RELATIONSHIP} } }`,
    query: {
      direction: choice(
        ['both', 'in', 'out'],
        'both',
        'Only relationships to the entity (`in`), from it (`out`), or both.',
      ),
      relationship_type: text('Only relationships of this type.'),
      limit: integer(
        { min: 1, max: 1000, default: 1000 },
        'The maximum number of relationships in the answer.',
      ),
      offset: PAGE.offset,
      cursor: PAGE.cursor,
      ...AS_OF,
    },
    variables: ({ params, query }) => ({
      id: params.entity_id,
      direction: query.direction.toUpperCase(),
      type: query.relationship_type,
      limit: query.limit,
      offset: query.offset,
      cursor: query.cursor,
      asOf: query.as_of,
    }),
  }),
  route({
    method: 'POST',
    path: '/entities/{entity_id}/relationships',
    summary: 'Creates a relationship from an entity to another.',
    pick: 'relate',
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [{ target_entity_id: 'sample:HG00096', relationship_type: 'derived_from' }],
      required: ['target_entity_id', 'relationship_type'],
      properties: {
        target_entity_id: { type: 'string' },
        relationship_type: { type: 'string' },
        metadata: { type: 'object' },
      },
    },
    operation: `mutation Relate($source: ID!, $target: ID!, $type: String!, $metadata: JSON, $context: ProvenanceContext) {
      relate(sourceId: $source, targetId: $target, relationshipType: $type, metadata: $metadata, context: $context) { ${RELATIONSHIP} } }`,
    variables: (input) => ({
      source: input.params.entity_id,
      target: requiredField(input.body, 'target_entity_id'),
      type: requiredField(input.body, 'relationship_type'),
      metadata: fieldOf(input.body, 'metadata'),
      context: contextOf(input),
    }),
  }),
  route({
    method: 'DELETE',
    path: '/entities/{entity_id}/relationships/{rel_id}',
    summary: 'Removes a relationship of an entity.',
    pick: 'unrelateById',
    operation: `mutation Unrelate($id: ID!, $relationshipId: ID!, $reason: String, $context: ProvenanceContext) {
      unrelateById(entityId: $id, relationshipId: $relationshipId, reason: $reason, context: $context) { id } }`,
    query: { reason: text('The reason, recorded with the event.') },
    variables: (input) => ({
      id: input.params.entity_id,
      relationshipId: input.params.rel_id,
      reason: input.query.reason,
      context: contextOf(input),
    }),
    responseSchema: {
      type: 'object',
      required: ['status', 'relationship_id'],
      properties: { status: { const: 'deleted' }, relationship_id: { type: 'string' } },
    },
    shape: ({ id }: { id: string }) => ({ status: 'deleted', relationship_id: id }),
  }),
];
