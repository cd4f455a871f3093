// Metadata's endpoints (docs/reference/metadata.md#endpoints), each a row over one GraphQL operation.
import { invalid } from '../../platform/errors.ts';
import { integer, list, PAGE, text, flag } from '../parameters.ts';
import { objectBody, route, type RestRoute } from '../route.ts';
import { availabilityRows } from './metadata-availability.routes.ts';
import { drsRows } from './metadata-drs.routes.ts';
import { externalIdRows } from './metadata-external-ids.routes.ts';
import { relationshipRows } from './metadata-relationships.routes.ts';
import {
  AS_OF,
  contextOf,
  ENTITY,
  EXPAND,
  entityAbsent,
  requiredField,
  versionsOf,
} from './metadata-request.ts';
import { searchRows } from './metadata-search.routes.ts';
import { stateRows } from './metadata-state.routes.ts';
import { statusRows } from './metadata-status.routes.ts';

const dataOf = (body: Record<string, unknown>): unknown => {
  if (!Object.hasOwn(body, 'data')) throw invalid('data is required', { field: 'data' });
  if (body['data'] === null) throw invalid('data must be an object', { field: 'data' });
  return body['data'];
};

const fieldFilters = (
  rest: Readonly<Record<string, readonly string[]>>,
): { name: string; values: readonly string[] }[] =>
  Object.keys(rest).map((name) => ({ name, values: rest[name] ?? [] }));

const listDocument = (variables: string, fields: string): string =>
  `query List${fields === '' ? '' : 'Expanded'}Entities($entityType: String, $filter: String, $fields: [FieldFilter!], $limit: Int, $offset: Int, $cursor: String, $orderBy: String, $includeUnavailable: Boolean, $asOf: DateTime${variables}) {
      entities(entityType: $entityType, filter: $filter, fields: $fields, limit: $limit, offset: $offset, cursor: $cursor, orderBy: $orderBy, includeUnavailable: $includeUnavailable, asOf: $asOf) {
        items { ${ENTITY}${fields} } total limit offset next_cursor: nextCursor } }`;

const expandOf = (paths: readonly string[] | null): { expand?: string } =>
  paths === null || paths.length === 0 ? {} : { expand: paths.join(',') };

const entities: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/entities',
    summary: 'List entities, filtered by type, fields and CEL.',
    pick: 'entities',
    operation: listDocument('', ''),
    takesAny: true,
    expandedOperation: {
      parameter: 'expand',
      operation: listDocument(', $expand: String!', ' expanded(paths: $expand)'),
    },
    query: {
      entity_type: text('Only entities of this type and its subtypes.'),
      ...PAGE,
      filter: text(
        'A CEL expression over data, id, entity_type, version, is_available, created_at, updated_at.',
      ),
      order_by: text(
        'created_at, updated_at, id or data.<field>, with a leading - for descending; several by comma.',
      ),
      include_unavailable: flag(false, 'Also entities that are not available.'),
      ...AS_OF,
      ...EXPAND,
    },
    variables: ({ query, rest }) => ({
      entityType: query.entity_type,
      filter: query.filter,
      fields: fieldFilters(rest),
      limit: query.limit,
      offset: query.offset,
      cursor: query.cursor,
      orderBy: query.order_by,
      includeUnavailable: query.include_unavailable,
      asOf: query.as_of,
      ...expandOf(query.expand),
    }),
  }),
  route({
    method: 'GET',
    path: '/entities/{entity_id}',
    summary: 'One entity.',
    pick: 'entity',
    absent: entityAbsent,
    operation: `query GetEntity($id: ID!, $asOf: DateTime) { entity(id: $id, asOf: $asOf) { ${ENTITY} } }`,
    expandedOperation: {
      parameter: 'expand',
      operation: `query GetExpandedEntity($id: ID!, $asOf: DateTime, $expand: String!) { entity(id: $id, asOf: $asOf) { ${ENTITY} expanded(paths: $expand) } }`,
    },
    query: { ...AS_OF, ...EXPAND },
    variables: ({ params, query }) => ({
      id: params.entity_id,
      asOf: query.as_of,
      ...expandOf(query.expand),
    }),
  }),
  route({
    method: 'PUT',
    path: '/entities/{entity_type}/{entity_id}',
    summary: 'Change some fields of an entity.',
    pick: 'updateEntity',
    body: 'required',
    bodySchema: { type: 'object', required: ['data'], properties: { data: { type: 'object' } } },
    operation: `mutation UpdateEntity($entityType: String!, $id: ID!, $data: JSON!, $ifVersionIn: [Int!], $context: ProvenanceContext) {
      updateEntity(entityType: $entityType, id: $id, data: $data, ifVersionIn: $ifVersionIn, context: $context) { ${ENTITY} } }`,
    variables: (input) => ({
      entityType: input.params.entity_type,
      id: input.params.entity_id,
      data: dataOf(objectBody(input.body)),
      ifVersionIn: versionsOf(input),
      context: contextOf(input),
    }),
  }),
  route({
    method: 'POST',
    path: '/ingest',
    summary: 'Create an entity, or merge into the one with the same id.',
    pick: 'ingestEntity',
    body: 'required',
    bulk: true,
    bodySchema: {
      type: 'object',
      required: ['entity_type', 'data'],
      properties: { entity_type: { type: 'string' }, id: { type: 'string' }, data: { type: 'object' } },
    },
    operation: `mutation Ingest($entityType: String!, $id: ID, $data: JSON!, $context: ProvenanceContext) {
      ingestEntity(entityType: $entityType, id: $id, data: $data, context: $context) { ${ENTITY} } }`,
    variables: (input) => {
      const body = objectBody(input.body);
      const entityType = requiredField(body, 'entity_type');
      const { id } = body;
      if (id !== undefined && id !== null && typeof id !== 'string')
        throw invalid('id must be a string', { field: 'id' });
      return { entityType, id: id ?? null, data: dataOf(body), context: contextOf(input) };
    },
  }),
  route({
    method: 'GET',
    path: '/entities/{entity_id}/history',
    summary: 'Provenance of an entity, oldest first.',
    pick: 'entityHistory',
    absent: entityAbsent,
    operation: `query History($id: ID!, $eventTypes: [String!], $limit: Int, $offset: Int, $cursor: String, $asOf: DateTime) { entityHistory(entityId: $id, eventTypes: $eventTypes, limit: $limit, offset: $offset, cursor: $cursor, asOf: $asOf) {
      id event_type: eventType entity_id: entityId entity_type: entityType actor timestamp schema_version: schemaVersion context payload } }`,
    query: {
      event_types: list('Only events of these types.'),
      limit: integer({ min: 1, max: 1000, default: 1000 }, 'How many to answer at most.'),
      offset: PAGE.offset,
      cursor: PAGE.cursor,
      ...AS_OF,
    },
    variables: ({ params, query }) => ({
      id: params.entity_id,
      eventTypes: query.event_types,
      limit: query.limit,
      offset: query.offset,
      cursor: query.cursor,
      asOf: query.as_of,
    }),
  }),
];

const schemas: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/schemas',
    summary: 'Register a schema or a new version of one.',
    pick: 'createSchema',
    body: 'required',
    bodySchema: {
      type: 'object',
      required: ['name', 'version', 'fields'],
      properties: {
        name: { type: 'string' },
        version: { type: 'string' },
        fields: { type: 'array', items: { type: 'object' } },
        parent: { type: 'string' },
        rules: { type: 'array' },
        description: { type: 'string' },
      },
    },
    operation: `mutation CreateSchema($definition: JSON!, $context: ProvenanceContext) { createSchema(definition: $definition, context: $context) { name version } }`,
    variables: (input) => ({ definition: objectBody(input.body), context: contextOf(input) }),
    responseSchema: {
      type: 'object',
      required: ['name', 'version', 'status'],
      properties: { name: { type: 'string' }, version: { type: 'string' }, status: { const: 'created' } },
    },
    shape: (schema: { name: string; version: string }) => ({ ...schema, status: 'created' }),
  }),
  route({
    method: 'GET',
    path: '/schemas',
    summary: 'All schema definitions.',
    pick: 'schemas',
    operation: 'query ListSchemas { schemas { definition } }',
    variables: () => ({}),
    responseSchema: { type: 'array', items: { type: 'object' } },
    shape: (all: { definition: unknown }[]) => all.map(({ definition }) => definition),
  }),
  route({
    method: 'GET',
    path: '/schemas/{name}',
    summary: 'One schema definition.',
    pick: 'schema',
    absent: ({ name }) => `schema not found: ${name}`,
    operation: 'query GetSchema($name: String!) { schema(name: $name) { definition } }',
    variables: ({ params }) => ({ name: params.name }),
    responseSchema: { type: 'object' },
    shape: ({ definition }: { definition: unknown }) => definition,
  }),
  route({
    method: 'GET',
    path: '/schemas/{entity_type}/references',
    summary: 'Reference fields of a type.',
    pick: 'schemaReferences',
    absent: (p) => `schema not found: ${p['entity_type']}`,
    operation:
      'query References($entityType: String!) { schemaReferences(entityType: $entityType) { field target_entity_type: targetEntityType } }',
    variables: ({ params }) => ({ entityType: params.entity_type }),
  }),
  route({
    method: 'GET',
    path: '/schemas/{entity_type}/reference-faults',
    summary: 'References that lead nowhere, or to an entity of another type.',
    pick: 'referenceFaults',
    absent: (p) => `schema not found: ${p['entity_type']}`,
    operation: `query ReferenceFaults($entityType: String!, $limit: Int, $cursor: String) { referenceFaults(entityType: $entityType, limit: $limit, cursor: $cursor) {
      items { entity_id: entityId entity_type: entityType field target_id: targetId target_entity_type: targetEntityType reason actual_entity_type: actualEntityType } next_cursor: nextCursor } }`,
    query: { limit: PAGE.limit, cursor: PAGE.cursor },
    variables: ({ params, query }) => ({
      entityType: params.entity_type,
      limit: query.limit,
      cursor: query.cursor,
    }),
    shape: (page: { items: { reason: string }[]; next_cursor: string | null }) => ({
      ...page,
      items: page.items.map((fault) => ({ ...fault, reason: fault.reason.toLowerCase() })),
    }),
  }),
];

export const metadataRows: readonly RestRoute[] = [
  ...entities,
  ...schemas,
  ...availabilityRows,
  ...relationshipRows,
  ...externalIdRows,
  ...statusRows,
  ...drsRows,
  ...searchRows,
  ...stateRows,
];
