// Partners of the REST rows of staleness and refreshing.
import { type Case, REFRESH, STALENESS } from './partner-case.ts';

export const STALENESS_PARTNERS: Readonly<Record<string, () => readonly Case[]>> = {
  'GET /staleness': () =>
    ['', 'entity_type=Greeting&filter=id != "x"', 'entity_type=Nothing'].map((query) => ({
      path: `/staleness?${query}`,
      document: `query ($entityType: String, $filter: String) { stale(entityType: $entityType, filter: $filter) {
      items { entity_id: entityId entity_type: entityType production_id: productionId since staleness { ${STALENESS} } }
      next_cursor: nextCursor is_complete: isComplete up_to: upTo } }`,
      variables: {
        entityType: new URLSearchParams(query).get('entity_type'),
        filter: new URLSearchParams(query).get('filter'),
      },
    })),
  'GET /refresh': () => [
    {
      path: '/refresh?entity_type=Greeting',
      document: `query { refreshPlan(entityType: "Greeting") { ${REFRESH} } }`,
    },
  ],
  'POST /refresh': () => [
    {
      path: '/refresh',
      body: { entity_type: 'Greeting' },
      document: `mutation { refresh(entityType: "Greeting") { request_id: requestId plan { ${REFRESH} } productions { production_id: id status entity_type: entityType criteria } } }`,
    },
  ],
  'GET /staleness/{entity_id}': () =>
    ['greeting1', 'nowhere'].map((id) => ({
      path: `/staleness/${id}`,
      document: `query ($id: ID!) { staleness(entityId: $id) { ${STALENESS} } }`,
      variables: { id },
    })),
};
