// JSON schemas of runs and submissions, as OpenAPI describes them.
export const INSTANT = { type: ['string', 'null'], format: 'date-time' };

export const ENTRY_SCHEMA = {
  status: { enum: ['scheduled', 'listening', 'polling', 'idle', 'degraded', 'paused'] },
  project: {
    type: 'string',
    description:
      'Only for triggers that are restricted to one, and for its members: the project that their runs read and write in.',
  },
  problem: { type: 'string', description: 'The fault that keeps a degraded trigger from working.' },
  pause: {
    type: 'object',
    description: 'Only for paused triggers: since when, by whom, and why.',
    required: ['at', 'actor', 'reason'],
    properties: {
      at: { type: 'string', format: 'date-time' },
      actor: { type: 'string' },
      reason: { type: ['string', 'null'] },
    },
  },
  next_firing: { ...INSTANT, description: 'Only for schedules: the next time; null while paused.' },
  last_run: INSTANT,
  last_result: { type: ['string', 'null'] },
  last_error: { type: 'string', description: 'Only if the last run failed, or took none of its records.' },
  cursor: {
    ...INSTANT,
    description: 'Only for polling triggers: the time of the latest change that the trigger has seen.',
  },
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
  examples: [{ action: { type: 'ingest', adapter: 'sample-sheet', incremental: true } }],
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
            reuse: { enum: ['any', 'fresh'] },
          },
        },
      ],
    },
    context: {
      type: 'object',
      description:
        'A JSON object, stored with the cause of the run. If it has a `project`, the run is limited to that project.',
    },
  },
};

/** One trigger, with its definition. */
export const TRIGGER_SCHEMA = {
  type: 'object',
  required: ['name', 'type', 'status', 'last_run', 'last_result', 'definition'],
  properties: {
    name: { type: 'string' },
    type: { type: 'string' },
    ...ENTRY_SCHEMA,
    definition: { type: 'object' },
  },
};

export const RUN_LOG_SCHEMA = {
  type: 'object',
  required: ['lines', 'total'],
  properties: {
    lines: {
      type: 'array',
      items: {
        type: 'object',
        required: ['number', 'attempt', 'at', 'level', 'message'],
        properties: {
          number: { type: 'integer', minimum: 1 },
          attempt: { type: 'integer', minimum: 1 },
          at: INSTANT,
          level: { enum: ['info', 'warn', 'error'] },
          message: { type: 'string' },
        },
      },
    },
    total: { type: 'integer', minimum: 0 },
  },
};
