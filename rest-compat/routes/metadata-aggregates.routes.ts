// Entities counted and measured in groups (docs/reference/metadata.md#aggregates).
import { flag, integer, list, PAGE, requiredText } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { AS_OF, fieldFilters, LISTING } from './metadata-request.ts';

export const aggregateRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/aggregate',
    summary: 'Counts and measures entities of a type in groups, the largest first.',
    pick: 'aggregate',
    takesAny: true,
    operation: `query Aggregate($entityType: String!, $filter: String, $fields: [FieldFilter!], $groupBy: [String!]!, $of: [String!]!, $includeUnavailable: Boolean, $asOf: DateTime, $limit: Int, $offset: Int) {
      aggregate(entityType: $entityType, filter: $filter, fields: $fields, groupBy: $groupBy, of: $of, includeUnavailable: $includeUnavailable, asOf: $asOf, limit: $limit, offset: $offset) {
        groups { key count measures } total limit offset } }`,
    query: {
      entity_type: requiredText('Entities of this type and its subtypes.'),
      group_by: list(
        'Names of fields or columns (entity_type, is_available, …), separated by commas, at most 8: entities with the same values are a group. All are one group without it.',
      ),
      of: list(
        'Names of fields or columns to measure in each group, separated by commas, at most 10: count, distinct, min, max, sum and avg.',
      ),
      filter: LISTING.filter,
      include_unavailable: flag(
        false,
        'Also entities that are not available; naming is_available in filter or group_by does the same.',
      ),
      ...AS_OF,
      limit: integer({ min: 1, max: 1000, default: 100 }, 'The maximum number of groups in the answer.'),
      offset: PAGE.offset,
    },
    variables: ({ query, rest }) => ({
      entityType: query.entity_type,
      filter: query.filter,
      fields: fieldFilters(rest),
      groupBy: query.group_by ?? [],
      of: query.of ?? [],
      includeUnavailable: query.include_unavailable,
      asOf: query.as_of,
      limit: query.limit,
      offset: query.offset,
    }),
  }),
];
