// JSON schemas of runs and submissions, as OpenAPI describes them.
export const INSTANT = { type: ['string', 'null'], format: 'date-time' };

export const ENTRY_SCHEMA = {
  status: { enum: ['scheduled', 'listening', 'polling', 'idle', 'degraded'] },
  problem: { type: 'string', description: 'What keeps a degraded trigger from its work.' },
  last_run: INSTANT,
  last_result: { type: ['string', 'null'] },
  cursor: { ...INSTANT, description: 'Of polling triggers only: the latest change they have seen.' },
};

export const RUN_PAGE_SCHEMA = {
  type: 'object',
  required: ['runs', 'total', 'next_cursor'],
  properties: {
    runs: {
      type: 'array',
      items: { $ref: '#/components/schemas/workflow_ListRuns_Response/properties/runs/items' },
    },
    total: { type: 'integer' },
    next_cursor: { type: ['string', 'null'] },
  },
};

export const SUBMISSION_SCHEMA = {
  type: 'object',
  required: ['action'],
  properties: {
    action: {
      oneOf: [
        {
          type: 'object',
          required: ['type', 'adapter'],
          properties: {
            type: { const: 'ingest' },
            adapter: { type: 'string' },
            incremental: { type: 'boolean' },
          },
        },
        {
          type: 'object',
          required: ['type', 'entity_type'],
          properties: {
            type: { const: 'resolve' },
            entity_type: { type: 'string' },
            criteria: { type: 'object' },
            parameters: { type: 'object' },
          },
        },
      ],
    },
    context: {
      type: 'object',
      description: 'Kept with what caused the run. In its `project` alone the run works.',
    },
  },
};
