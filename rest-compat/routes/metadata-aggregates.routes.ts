// Entities counted and measured in groups (docs/reference/metadata.md#aggregates).
import { AS_OF, flag, integer, list, numbers, PAGE, requiredText, text } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { fieldFilters, LISTING } from './metadata-request.ts';

export const aggregateRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/aggregate',
    summary: 'Counts and measures entities of a type in groups, the largest first.',
    pick: 'aggregate',
    takesAny: true,
    operation: `query Aggregate($entityType: String!, $filter: String, $fields: [FieldFilter!], $groupBy: [String!]!, $of: [String!]!, $percentiles: [Float!]!, $having: String, $includeUnavailable: Boolean, $asOf: DateTime, $limit: Int, $offset: Int) {
      aggregate(entityType: $entityType, filter: $filter, fields: $fields, groupBy: $groupBy, of: $of, percentiles: $percentiles, having: $having, includeUnavailable: $includeUnavailable, asOf: $asOf, limit: $limit, offset: $offset) {
        groups { key count measures } total limit offset } }`,
    query: {
      entity_type: requiredText('Entities of this type and its subtypes.'),
      group_by: list(
        'Names of fields or columns (entity_type, is_available, …), separated by commas, at most 8: entities with the same values are a group. With an interval, times by period (drawn:month) and numbers by width (age:10). All are one group without it.',
      ),
      of: list(
        'Names of fields or columns to measure in each group, separated by commas, at most 10: count, distinct, min, max, sum and avg.',
      ),
      percentiles: numbers(
        'At most 20 numbers from 0 to 1, separated by commas: the values below which these shares of the measured numbers lie.',
      ),
      having: text(
        'A CEL expression over count, key and measures, as count > 5 && measures.age.avg < 30.0: only groups for which it is true.',
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
      percentiles: query.percentiles,
      having: query.having,
      includeUnavailable: query.include_unavailable,
      asOf: query.as_of,
      limit: query.limit,
      offset: query.offset,
    }),
  }),
  route({
    method: 'GET',
    path: '/facets',
    summary: 'Counts the most frequent values of several fields of a type at once.',
    pick: 'facets',
    takesAny: true,
    operation: `query Facets($entityType: String!, $filter: String, $fields: [FieldFilter!], $of: [String!]!, $includeUnavailable: Boolean, $asOf: DateTime, $limit: Int) {
      facets(entityType: $entityType, filter: $filter, fields: $fields, of: $of, includeUnavailable: $includeUnavailable, asOf: $asOf, limit: $limit) {
        field values { value count } distinct missing } }`,
    query: {
      entity_type: requiredText('Entities of this type and its subtypes.'),
      of: list('Names of fields or columns, separated by commas, at most 20.'),
      filter: LISTING.filter,
      include_unavailable: flag(
        false,
        'Also entities that are not available; naming is_available in filter or of does the same.',
      ),
      ...AS_OF,
      limit: integer({ min: 1, max: 1000, default: 10 }, 'The maximum number of values of each.'),
    },
    variables: ({ query, rest }) => ({
      entityType: query.entity_type,
      filter: query.filter,
      fields: fieldFilters(rest),
      of: query.of ?? [],
      includeUnavailable: query.include_unavailable,
      asOf: query.as_of,
      limit: query.limit,
    }),
  }),
];
