// Full-text search (docs/reference/metadata.md#search).
import { AS_OF, flag, PAGE, requiredText } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { HITS } from '../row-table.ts';
import { ENTITY } from './metadata-request.ts';

export const searchRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/search',
    summary: 'Finds entities by words in their string fields, best match first.',
    pick: 'search',
    table: HITS,
    operation: `query Search($entityType: String!, $q: String!, $limit: Int, $offset: Int, $cursor: String, $includeUnavailable: Boolean, $asOf: DateTime) {
      search(entityType: $entityType, q: $q, limit: $limit, offset: $offset, cursor: $cursor, includeUnavailable: $includeUnavailable, asOf: $asOf) { ${ENTITY} score } }`,
    query: {
      entity_type: requiredText('Only entities of this type and its subtypes.'),
      q: requiredText('Words that must all occur; the last one may be the beginning of a word.'),
      ...PAGE,
      include_unavailable: flag(false, 'Also return unavailable entities.'),
      ...AS_OF,
    },
    variables: ({ query }) => ({
      entityType: query.entity_type,
      q: query.q,
      limit: query.limit,
      offset: query.offset,
      cursor: query.cursor,
      includeUnavailable: query.include_unavailable,
      asOf: query.as_of,
    }),
  }),
];
