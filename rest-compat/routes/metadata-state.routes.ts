// The state of an entity at a time, and how two states differ (docs/reference/metadata.md#state-at-a-time and
// #differences), for clients over HTTP.
import { instant, PAGE, requiredInstant, requiredText, text } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { ENTITY, entityAbsent, fieldFilters, LISTING, WORDS } from './metadata-request.ts';

const STATE = 'id entity_type: entityType version is_available: isAvailable';
const DIFFERENCES = `before { ${STATE} } after { ${STATE} } differences { field kind before after } json_patch: jsonPatch`;

/** The operations of a list of differences and of its lines, by how the set is chosen beside its type and filter. */
function setOperations(name: string, chosen: { readonly declared: string; readonly passed: string }) {
  const declared = `${chosen.declared}, $entityType: String, $filter: String, $includeUnavailable: Boolean, $from: DateTime!, $to: DateTime`;
  const passed = `${chosen.passed}, entityType: $entityType, filter: $filter, includeUnavailable: $includeUnavailable, from: $from, to: $to`;
  return {
    operation: `query ${name}(${declared}, $first: Int, $after: String) {
      entitiesDiff(${passed}, first: $first, after: $after) {
        items { entity_id: entityId entity_type: entityType kind ${DIFFERENCES} } next_cursor: nextCursor } }`,
    lines: {
      operation: `subscription ${name}Lines(${declared}) { exportEntitiesDiff(${passed}) { lines } }`,
      pick: 'exportEntitiesDiff',
    },
  };
}

const SET_QUERY = {
  from: requiredInstant('The first moment.'),
  to: instant('The second moment; the present by default.'),
  filter: LISTING.filter,
  include_unavailable: LISTING.include_unavailable,
  limit: PAGE.limit,
  cursor: PAGE.cursor,
};

interface SetQuery {
  readonly from: string;
  readonly to: string | null;
  readonly filter: string | null;
  readonly include_unavailable: boolean | null;
  readonly limit: number;
  readonly cursor: string | null;
}

const setVariables = (query: SetQuery) => ({
  filter: query.filter,
  includeUnavailable: query.include_unavailable,
  from: query.from,
  to: query.to,
  first: query.limit,
  after: query.cursor,
});

export const stateRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/entities/{entity_id}/state',
    summary: 'Returns the state that an entity had at a given time.',
    pick: 'entityAt',
    absent: ({ entity_id: id }) => `entity not found at that time: ${id}`,
    operation: `query StateAt($id: ID!, $at: DateTime!) { entityAt(id: $id, at: $at) { ${ENTITY} } }`,
    query: { at: requiredInstant('The point in time.') },
    variables: ({ params, query }) => ({ id: params.entity_id, at: query.at }),
  }),
  route({
    method: 'GET',
    path: '/entities/{entity_id}/diff',
    summary: 'Compares the data of an entity at two times, or of two entities.',
    pick: 'entityDiff',
    absent: entityAbsent,
    operation: `query Diff($id: ID!, $from: DateTime, $to: DateTime, $toId: ID) { entityDiff(entityId: $id, from: $from, to: $to, toEntityId: $toId) { ${DIFFERENCES} } }`,
    query: {
      from: instant('The time of the first state; the present by default.'),
      to: instant('The time of the second state; the present by default.'),
      to_entity_id: text('The id of the entity of the second state; the same one by default.'),
    },
    variables: ({ params, query }) => ({
      id: params.entity_id,
      from: query.from,
      to: query.to,
      toId: query.to_entity_id,
    }),
  }),
  route({
    method: 'GET',
    path: '/diff',
    summary:
      'Lists the entities that were added to, removed from and changed in a set between two moments: those of a type, or that a filter finds.',
    pick: 'entitiesDiff',
    takesAny: true,
    ...setOperations('SetDiff', { declared: '$fields: [FieldFilter!]', passed: 'fields: $fields' }),
    query: { entity_type: text('Only entities of this type and its subtypes.'), ...SET_QUERY },
    variables: ({ query, rest }) => ({
      ...setVariables(query),
      entityType: query.entity_type,
      fields: fieldFilters(rest),
    }),
  }),
  route({
    method: 'GET',
    path: '/search/diff',
    summary:
      'Lists the entities that were added to, removed from and changed in what a search finds, between two moments.',
    pick: 'entitiesDiff',
    ...setOperations('FoundDiff', { declared: '$q: String!', passed: 'q: $q' }),
    query: {
      entity_type: requiredText('Only entities of this type and its subtypes.'),
      q: WORDS,
      ...SET_QUERY,
    },
    variables: ({ query }) => ({ ...setVariables(query), entityType: query.entity_type, q: query.q }),
  }),
];
