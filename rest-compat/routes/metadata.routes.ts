// Metadata's endpoints (docs/reference/metadata.md#endpoints), each a row over one GraphQL operation.
import { invalid } from '../../platform/errors.ts';
import { AS_OF, integer, list, PAGE, text } from '../parameters.ts';
import type { Preference } from '../preferences.ts';
import { objectBody, route, type RestRoute } from '../route.ts';
import { ENTITY_PAGE, EVENTS } from '../row-table.ts';
import { aggregateRows } from './metadata-aggregates.routes.ts';
import { availabilityRows } from './metadata-availability.routes.ts';
import { schemaDiffRows } from './differences.routes.ts';
import { drsRows } from './metadata-drs.routes.ts';
import { exportRows } from './metadata-export.routes.ts';
import { externalIdRows } from './metadata-external-ids.routes.ts';
import { bulkRows } from './metadata-bulk.routes.ts';
import { entityFileRows } from './stored-files.routes.ts';
import { referenceFaultRows } from './metadata-reference-faults.routes.ts';
import { relationshipRows } from './metadata-relationships.routes.ts';
import {
  contextOf,
  ENTITY,
  EXPAND,
  expandOf,
  entityAbsent,
  ifExistsOf,
  LISTING,
  listingVariables,
  requiredField,
  versionsOf,
} from './metadata-request.ts';
import { searchRows } from './metadata-search.routes.ts';
import { stateRows } from './metadata-state.routes.ts';
import { statusRows } from './metadata-status.routes.ts';
import { entityWhyRows, eventWhyRows } from './why.routes.ts';

const dataOf = (body: Record<string, unknown>): unknown => {
  if (!Object.hasOwn(body, 'data')) throw invalid('data is required', { field: 'data' });
  if (body['data'] === null) throw invalid('data must be an object', { field: 'data' });
  return body['data'];
};

const listDocument = (variables: string, fields: string): string =>
  `query List${fields === '' ? '' : 'Expanded'}Entities($entityType: String, $filter: String, $fields: [FieldFilter!], $limit: Int, $offset: Int, $cursor: String, $orderBy: String, $includeUnavailable: Boolean, $asOf: DateTime, $count: CountMode${variables}) {
      entities(entityType: $entityType, filter: $filter, fields: $fields, limit: $limit, offset: $offset, cursor: $cursor, orderBy: $orderBy, includeUnavailable: $includeUnavailable, asOf: $asOf, count: $count) {
        items { ${ENTITY}${fields} } total limit offset next_cursor: nextCursor } }`;

/** docs/reference/metadata.md#totals */
const COUNT: Preference = {
  name: 'count',
  values: ['exact', 'estimated', 'none'],
  description: 'how `total` is found: counted, as the database estimates it, or not at all (null)',
};

const entities: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/entities',
    summary: 'Lists entities, filtered by type, fields and a CEL expression.',
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
      ...LISTING,
      ...EXPAND,
    },
    preferences: [COUNT],
    table: ENTITY_PAGE,
    variables: ({ query, rest, preferred }) => ({
      entityType: query.entity_type,
      ...listingVariables({ query, rest }),
      count: preferred('count')?.toUpperCase() ?? null,
      ...expandOf(query.expand),
    }),
  }),
  route({
    method: 'GET',
    path: '/entities/{entity_id}',
    summary: 'Returns one entity.',
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
    summary: 'Changes some fields of an entity.',
    pick: 'updateEntity',
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [{ data: { sex: 'female' } }],
      required: ['data'],
      properties: { data: { type: 'object' } },
    },
    operation: `mutation UpdateEntity($entityType: String!, $id: ID!, $data: JSON!, $ifVersionIn: [Int!], $context: ProvenanceContext) {
      updateEntity(entityType: $entityType, id: $id, data: $data, ifVersionIn: $ifVersionIn, context: $context) { ${ENTITY} } }`,
    heeds: ['if-match'],
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
    summary: 'Creates an entity, or merges the data into the entity with the same id.',
    pick: 'ingestEntity',
    body: 'required',
    hasBulkLimit: true,
    bodySchema: {
      type: 'object',
      examples: [
        { entity_type: 'Sample', id: 'sample:HG00096', data: { accession: 'HG00096', sex: 'male' } },
      ],
      required: ['entity_type', 'data'],
      properties: { entity_type: { type: 'string' }, id: { type: 'string' }, data: { type: 'object' } },
    },
    operation: `mutation Ingest($entityType: String!, $id: ID, $data: JSON!, $ifVersionIn: [Int!], $ifExists: Boolean, $context: ProvenanceContext) {
      ingestEntity(entityType: $entityType, id: $id, data: $data, ifVersionIn: $ifVersionIn, ifExists: $ifExists, context: $context) { ${ENTITY} } }`,
    heeds: ['if-match', 'if-none-match'],
    variables: (input) => {
      const body = objectBody(input.body);
      const entityType = requiredField(body, 'entity_type');
      const { id } = body;
      if (id !== undefined && id !== null && typeof id !== 'string')
        throw invalid('id must be a string', { field: 'id' });
      return {
        entityType,
        id: id ?? null,
        data: dataOf(body),
        ifVersionIn: versionsOf(input),
        ifExists: ifExistsOf(input),
        context: contextOf(input),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/entities/{entity_id}/history',
    summary: 'Lists the provenance events of an entity, oldest first.',
    pick: 'entityHistory',
    absent: entityAbsent,
    table: EVENTS,
    operation: `query History($id: ID!, $eventTypes: [String!], $limit: Int, $offset: Int, $cursor: String, $asOf: DateTime) { entityHistory(entityId: $id, eventTypes: $eventTypes, limit: $limit, offset: $offset, cursor: $cursor, asOf: $asOf) {
      id event_type: eventType entity_id: entityId entity_type: entityType actor timestamp schema_version: schemaVersion context payload } }`,
    query: {
      event_types: list('Only events of these types.'),
      limit: integer({ min: 1, max: 1000, default: 1000 }, 'The maximum number of events in the answer.'),
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
    summary: 'Registers a schema, or a new version of a schema.',
    pick: 'createSchema',
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [
        {
          name: 'Sample',
          version: '1.0.0',
          fields: [
            { name: 'accession', field_type: 'string', required: true, unique: true },
            { name: 'sex', field_type: 'enum', values: ['female', 'male'] },
          ],
        },
      ],
      required: ['name', 'version', 'fields'],
      properties: {
        name: { type: 'string' },
        version: { type: 'string' },
        fields: { type: 'array', items: { type: 'object' } },
        parent: { type: 'string' },
        rules: { type: 'array', items: { type: 'object' } },
        description: { type: 'string' },
      },
    },
    passesWholeBody: true,
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
    summary: 'Lists all schema definitions.',
    pick: 'schemas',
    operation: 'query ListSchemas { schemas { definition } }',
    variables: () => ({}),
    responseSchema: { type: 'array', items: { type: 'object' } },
    shape: (all: { definition: unknown }[]) => all.map(({ definition }) => definition),
  }),
  route({
    method: 'GET',
    path: '/schemas/{name}',
    summary: 'Returns one schema definition.',
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
    summary: 'Lists the reference fields of a type.',
    pick: 'schemaReferences',
    absent: (p) => `schema not found: ${p['entity_type']}`,
    operation:
      'query References($entityType: String!) { schemaReferences(entityType: $entityType) { field target_entity_type: targetEntityType } }',
    variables: ({ params }) => ({ entityType: params.entity_type }),
  }),
  ...referenceFaultRows,
];

export const metadataRows: readonly RestRoute[] = [
  ...entities,
  ...schemas,
  ...availabilityRows,
  ...relationshipRows,
  ...externalIdRows,
  ...statusRows,
  ...drsRows,
  ...bulkRows,
  ...entityFileRows,
  ...searchRows,
  ...stateRows,
  ...schemaDiffRows,
  ...exportRows,
  ...aggregateRows,
  ...entityWhyRows,
  ...eventWhyRows,
];
