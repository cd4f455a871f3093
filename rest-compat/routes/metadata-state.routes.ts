// The state of an entity at a time, and how two states differ (docs/reference/metadata.md#state-at-a-time and
// #differences), for clients over HTTP.
import { instant, requiredInstant, text } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { ENTITY, entityAbsent } from './metadata-request.ts';

const STATE = 'id entity_type: entityType version is_available: isAvailable';

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
    operation: `query Diff($id: ID!, $from: DateTime, $to: DateTime, $toId: ID) { entityDiff(entityId: $id, from: $from, to: $to, toEntityId: $toId) {
      before { ${STATE} } after { ${STATE} } differences { field kind before after } json_patch: jsonPatch } }`,
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
];
