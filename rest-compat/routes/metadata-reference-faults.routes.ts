// Rows of reference faults (docs/reference/metadata.md#reference-faults).
import { PAGE } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';

const TEXT = { type: 'string' };

/** Reasons are in small letters, so that it is not the schema of the operation. */
const FAULTS_SCHEMA = {
  type: 'object',
  required: ['items', 'next_cursor'],
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: [
          'entity_id',
          'entity_type',
          'field',
          'target_id',
          'target_entity_type',
          'reason',
          'actual_entity_type',
        ],
        properties: {
          entity_id: TEXT,
          entity_type: TEXT,
          field: TEXT,
          target_id: TEXT,
          target_entity_type: TEXT,
          reason: { type: 'string', enum: ['missing', 'other_type'] },
          actual_entity_type: { type: ['string', 'null'] },
        },
      },
    },
    next_cursor: { type: ['string', 'null'] },
  },
};

export const referenceFaultRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/schemas/{entity_type}/reference-faults',
    summary: 'Lists references to entities that do not exist or have another type.',
    pick: 'referenceFaults',
    absent: (p) => `schema not found: ${p['entity_type']}`,
    operation: `query ReferenceFaults($entityType: String!, $limit: Int, $cursor: String) { referenceFaults(entityType: $entityType, limit: $limit, cursor: $cursor) {
      items { entity_id: entityId entity_type: entityType field target_id: targetId target_entity_type: targetEntityType reason actual_entity_type: actualEntityType } next_cursor: nextCursor } }`,
    query: { limit: PAGE.limit, cursor: PAGE.cursor },
    variables: ({ params, query }) => ({
      entityType: params.entity_type,
      limit: query.limit,
      cursor: query.cursor,
    }),
    responseSchema: FAULTS_SCHEMA,
    shape: (page: { items: { reason: string }[]; next_cursor: string | null }) => ({
      ...page,
      items: page.items.map((fault) => ({ ...fault, reason: fault.reason.toLowerCase() })),
    }),
  }),
];
