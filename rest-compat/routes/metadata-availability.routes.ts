// Deleting entities and changing their availability (docs/reference/metadata.md#availability,
// docs/reference/metadata.md#bulk-availability).
import { invalid } from '../../platform/errors.ts';
import { AS_OF, text } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import {
  booleanField,
  contextOf,
  entityAbsent,
  fieldOf,
  optionalField,
  versionsOf,
} from './metadata-request.ts';

const AVAILABILITY = 'entity_id: id is_available: isAvailable';

function idsOf(body: unknown): string[] {
  const ids = fieldOf(body, 'entity_ids');
  if (ids === null) throw invalid('entity_ids is required', { field: 'entity_ids' });
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string'))
    throw invalid('entity_ids must be a list of strings', { field: 'entity_ids' });
  return ids;
}

export const availabilityRows: readonly RestRoute[] = [
  route({
    method: 'DELETE',
    path: '/entities/{entity_id}',
    summary: 'Makes an entity unavailable. Its data and history are kept.',
    pick: 'deleteEntity',
    operation: `mutation DeleteEntity($id: ID!, $ifVersionIn: [Int!], $reason: String, $context: ProvenanceContext) {
      deleteEntity(id: $id, ifVersionIn: $ifVersionIn, reason: $reason, context: $context) { id } }`,
    heeds: ['if-match'],
    query: { reason: text('The reason, recorded with the event.') },
    variables: (input) => ({
      id: input.params.entity_id,
      ifVersionIn: versionsOf(input),
      reason: input.query.reason,
      context: contextOf(input),
    }),
    responseSchema: {
      type: 'object',
      required: ['status', 'entity_id'],
      properties: { status: { const: 'deleted' }, entity_id: { type: 'string' } },
    },
    shape: ({ id }: { id: string }) => ({ status: 'deleted', entity_id: id }),
  }),
  route({
    method: 'GET',
    path: '/entities/{entity_id}/availability',
    summary: 'Returns whether an entity is available.',
    pick: 'entity',
    absent: entityAbsent,
    operation: `query GetAvailability($id: ID!, $asOf: DateTime) { entity(id: $id, asOf: $asOf) { ${AVAILABILITY} } }`,
    query: AS_OF,
    variables: ({ params, query }) => ({ id: params.entity_id, asOf: query.as_of }),
  }),
  route({
    method: 'POST',
    path: '/entities/{entity_id}/availability',
    summary: 'Makes an entity available or unavailable.',
    pick: 'setAvailability',
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [{ is_available: false, reason: 'consent was withdrawn' }],
      required: ['is_available'],
      properties: { is_available: { type: 'boolean' }, reason: { type: 'string' } },
    },
    operation: `mutation SetAvailability($id: ID!, $isAvailable: Boolean!, $ifVersionIn: [Int!], $reason: String, $context: ProvenanceContext) {
      setAvailability(id: $id, isAvailable: $isAvailable, ifVersionIn: $ifVersionIn, reason: $reason, context: $context) { ${AVAILABILITY} } }`,
    heeds: ['if-match'],
    variables: (input) => ({
      id: input.params.entity_id,
      isAvailable: booleanField(input.body, 'is_available'),
      ifVersionIn: versionsOf(input),
      reason: optionalField(input.body, 'reason'),
      context: contextOf(input),
    }),
  }),
  route({
    method: 'POST',
    path: '/entities/{entity_type}/bulk-availability',
    summary: 'Makes several entities of a type available or unavailable.',
    pick: 'setAvailabilityBulk',
    body: 'required',
    hasBulkLimit: true,
    bodySchema: {
      type: 'object',
      examples: [
        { entity_ids: ['sample:HG00096', 'sample:HG00097'], available: false, reason: 'freezer failed' },
      ],
      required: ['entity_ids', 'available'],
      properties: {
        entity_ids: { type: 'array', items: { type: 'string' } },
        available: { type: 'boolean' },
        reason: { type: 'string' },
        actor: {
          type: 'string',
          description: 'The actor to record if the request has no authenticated actor; ignored otherwise.',
        },
      },
    },
    operation: `mutation SetAvailabilityBulk($entityType: String!, $ids: [ID!]!, $available: Boolean!, $reason: String, $context: ProvenanceContext) {
      setAvailabilityBulk(entityType: $entityType, entityIds: $ids, available: $available, reason: $reason, context: $context) { updated errors { entity_id: entityId code message } } }`,
    actor: (body) => optionalField(body, 'actor'),
    variables: (input) => ({
      entityType: input.params.entity_type,
      ids: idsOf(input.body),
      available: booleanField(input.body, 'available'),
      reason: optionalField(input.body, 'reason'),
      context: contextOf(input),
    }),
    status: ({ errors }: { errors: readonly unknown[] }) => (errors.length === 0 ? 200 : 207),
    otherStatuses: [207],
  }),
];
