// Entities of a type as a file (docs/reference/metadata.md#exports).
import { list, optionalInteger, PAGE } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { ENTITY_PAGE } from '../row-table.ts';
import { expandOf, LISTING, listingVariables } from './metadata-request.ts';

/** Which entities a file has, and with which columns. */
export const EXPORT_QUERY = {
  limit: optionalInteger({ min: 1 }, 'How many at most; all without it.'),
  offset: PAGE.offset,
  cursor: PAGE.cursor,
  ...LISTING,
  expand: list(
    'Single references whose fields are columns as well, `donor.age` for `donor`: `field` or `field.child`, separated by commas, at most 5 levels deep.',
  ),
};

export const exportRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/export/{entity_type}.{format}',
    summary:
      'Returns all entities of a type and its subtypes as a file: csv, ndjson, arrow, parquet or xlsx.',
    pick: 'exportEntities',
    isExport: true,
    takesAny: true,
    table: { ...ENTITY_PAGE, entityType: ({ params }) => params['entity_type'] ?? null },
    absent: ({ entity_type: type }) => `schema not found: ${type}`,
    operation: `subscription ExportEntities($entityType: String!, $filter: String, $fields: [FieldFilter!], $limit: Int, $offset: Int, $cursor: String, $orderBy: String, $includeUnavailable: Boolean, $asOf: DateTime, $expand: String) {
      exportEntities(entityType: $entityType, filter: $filter, fields: $fields, limit: $limit, offset: $offset, cursor: $cursor, orderBy: $orderBy, includeUnavailable: $includeUnavailable, asOf: $asOf, expand: $expand) { lines } }`,
    query: EXPORT_QUERY,
    variables: ({ params, query, rest }) => ({
      entityType: params.entity_type,
      ...listingVariables({ query, rest }),
      ...expandOf(query.expand),
    }),
  }),
];
