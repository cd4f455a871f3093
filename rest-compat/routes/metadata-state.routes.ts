// The state of an entity at a time (docs/reference/metadata.md#state-at-a-time), for clients over HTTP.
import { requiredInstant } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { ENTITY } from './metadata-request.ts';

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
];
