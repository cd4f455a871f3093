// External ids of entities (docs/reference/metadata.md#external-ids).
import { AS_OF, flag, requiredText, text } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { contextOf, ENTITY, entityAbsent, optionalField, requiredField } from './metadata-request.ts';

const RECORD =
  'id entity_id: entityId id_type: idType external_id: externalId created_at: createdAt superseded_at: supersededAt superseded_by: supersededBy';
const BY_EXTERNAL_ID = `query ByExternalId($idType: String, $externalId: String!, $asOf: DateTime) { entityByExternalId(idType: $idType, externalId: $externalId, asOf: $asOf) { ${ENTITY} } }`;

export const externalIdRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/entities/{entity_id}/external-ids',
    summary: 'Lists the external ids of an entity, oldest first.',
    pick: 'externalIds',
    absent: entityAbsent,
    operation: `query ListExternalIds($id: ID!, $all: Boolean, $asOf: DateTime) { externalIds(entityId: $id, includeSuperseded: $all, asOf: $asOf) { ${RECORD} } }`,
    query: {
      include_superseded: flag(false, 'Also list external ids that a corrected value has replaced.'),
      ...AS_OF,
    },
    variables: ({ params, query }) => ({
      id: params.entity_id,
      all: query.include_superseded,
      asOf: query.as_of,
    }),
  }),
  route({
    method: 'POST',
    path: '/entities/{entity_id}/external-ids',
    summary: 'Registers an external id of an entity.',
    pick: 'registerExternalId',
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [{ external_id: 'SAMEA3302837', id_type: 'biosamples' }],
      required: ['external_id'],
      properties: {
        external_id: { type: 'string', maxLength: 1000 },
        id_type: { type: 'string', default: 'default' },
      },
    },
    operation: `mutation RegisterExternalId($id: ID!, $externalId: String!, $idType: String, $context: ProvenanceContext) {
      registerExternalId(entityId: $id, externalId: $externalId, idType: $idType, context: $context) { ${RECORD} } }`,
    variables: (input) => ({
      id: input.params.entity_id,
      externalId: requiredField(input.body, 'external_id'),
      idType: optionalField(input.body, 'id_type') ?? 'default',
      context: contextOf(input),
    }),
  }),
  route({
    method: 'POST',
    path: '/entities/{entity_id}/supersede',
    summary: 'Replaces an external id with a corrected value.',
    pick: 'supersedeExternalId',
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [
        { old_external_id: 'SAMEA3302837', new_external_id: 'SAMEA3302838', reason: 'a typing error' },
      ],
      required: ['old_external_id', 'new_external_id'],
      properties: {
        old_external_id: { type: 'string' },
        new_external_id: { type: 'string', maxLength: 1000 },
        id_type: { type: 'string' },
        reason: { type: 'string' },
      },
    },
    operation: `mutation SupersedeExternalId($id: ID!, $old: String!, $new: String!, $idType: String, $reason: String, $context: ProvenanceContext) {
      supersedeExternalId(entityId: $id, oldExternalId: $old, newExternalId: $new, idType: $idType, reason: $reason, context: $context) { ${RECORD} } }`,
    variables: (input) => ({
      id: input.params.entity_id,
      old: requiredField(input.body, 'old_external_id'),
      new: requiredField(input.body, 'new_external_id'),
      idType: optionalField(input.body, 'id_type'),
      reason: optionalField(input.body, 'reason'),
      context: contextOf(input),
    }),
  }),
  route({
    method: 'GET',
    path: '/entities/{entity_id}/superseded',
    summary: 'Lists the external ids of an entity that a corrected value has replaced.',
    pick: 'supersededExternalIds',
    absent: entityAbsent,
    operation: `query ListSuperseded($id: ID!, $asOf: DateTime) { supersededExternalIds(entityId: $id, asOf: $asOf) { ${RECORD} } }`,
    query: AS_OF,
    variables: ({ params, query }) => ({ id: params.entity_id, asOf: query.as_of }),
  }),
  route({
    method: 'GET',
    path: '/external-ids/{id_type}/{external_id}',
    summary: 'Returns the entity that has an external id.',
    pick: 'entityByExternalId',
    absent: ({ external_id: value }) => `external id not found: ${value}`,
    operation: BY_EXTERNAL_ID,
    query: AS_OF,
    variables: ({ params, query }) => ({
      idType: params.id_type,
      externalId: params.external_id,
      asOf: query.as_of,
    }),
  }),
  route({
    // docs/reference/gateway.md#canonical-paths: an identifier with `/` is sent in the query
    method: 'GET',
    path: '/external-ids',
    summary:
      'Returns the entity that has an external id. The id may contain any characters, including `/` and `..`.',
    pick: 'entityByExternalId',
    absent: () => 'external id not found',
    operation: BY_EXTERNAL_ID,
    query: {
      external_id: requiredText('The external id.'),
      id_type: text('The type of the external id; `default` if omitted.'),
      ...AS_OF,
    },
    variables: ({ query }) => ({
      idType: query.id_type ?? 'default',
      externalId: query.external_id,
      asOf: query.as_of,
    }),
  }),
];
