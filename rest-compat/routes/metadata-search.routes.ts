// Full-text search (docs/reference/metadata.md#search).
import { AS_OF, flag, PAGE, requiredText, text } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { ENTITY_PAGE, HITS } from '../row-table.ts';
import { EXPORT_QUERY } from './metadata-export.routes.ts';
import { ENTITY, expandOf, listingVariables, WORDS } from './metadata-request.ts';

export const searchRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/search',
    summary: 'Finds entities by words in their string fields, best match first.',
    pick: 'search',
    table: HITS,
    operation: `query Search($entityType: String!, $q: String!, $filter: String, $limit: Int, $offset: Int, $cursor: String, $includeUnavailable: Boolean, $asOf: DateTime) {
      search(entityType: $entityType, q: $q, filter: $filter, limit: $limit, offset: $offset, cursor: $cursor, includeUnavailable: $includeUnavailable, asOf: $asOf) { ${ENTITY} score } }`,
    query: {
      entity_type: requiredText('Only entities of this type and its subtypes.'),
      q: WORDS,
      filter: text(
        'Only those that match, too: a CEL expression, as of lists, that the database can decide by itself.',
      ),
      ...PAGE,
      include_unavailable: flag(false, 'Also return unavailable entities.'),
      ...AS_OF,
    },
    variables: ({ query }) => ({
      entityType: query.entity_type,
      q: query.q,
      filter: query.filter,
      limit: query.limit,
      offset: query.offset,
      cursor: query.cursor,
      includeUnavailable: query.include_unavailable,
      asOf: query.as_of,
    }),
  }),
  route({
    method: 'GET',
    path: '/search/{entity_type}.{format}',
    summary:
      'Returns all entities of a type and its subtypes that hold words as a file: csv, ndjson, arrow, parquet or xlsx.',
    pick: 'exportEntities',
    isExport: true,
    table: { ...ENTITY_PAGE, entityType: ({ params }) => params['entity_type'] ?? null },
    absent: ({ entity_type: type }) => `schema not found: ${type}`,
    operation: `subscription ExportFound($entityType: String!, $q: String!, $filter: String, $limit: Int, $offset: Int, $cursor: String, $orderBy: String, $includeUnavailable: Boolean, $asOf: DateTime, $expand: String) {
      exportEntities(entityType: $entityType, q: $q, filter: $filter, limit: $limit, offset: $offset, cursor: $cursor, orderBy: $orderBy, includeUnavailable: $includeUnavailable, asOf: $asOf, expand: $expand) { lines } }`,
    query: { q: WORDS, ...EXPORT_QUERY },
    variables: ({ params, query }) => ({
      entityType: params.entity_type,
      q: query.q,
      ...listingVariables({ query, rest: {} }),
      ...expandOf(query.expand),
    }),
  }),
];
