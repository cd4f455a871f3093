// JSON schemas of rules, as OpenAPI describes them.
export const TEXT = { type: 'string' };

export const OPTIONAL_TEXT = { type: ['string', 'null'] };

export const RULE_SCHEMA = {
  type: 'object',
  required: [
    'name',
    'version',
    'rule',
    'produces',
    'requires',
    'execute',
    'status',
    'scope',
    'cwl_hash',
    'registered_by',
    'registered_at',
  ],
  properties: {
    name: TEXT,
    version: { type: 'integer', minimum: 1 },
    rule: { ...TEXT, description: '`name@version`.' },
    produces: { anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }] },
    requires: { type: 'array', items: { type: 'object', properties: { ref: TEXT } } },
    execute: { type: 'object', properties: { cwl_url: TEXT, cwl_content: TEXT, cwl_hash: TEXT } },
    description: OPTIONAL_TEXT,
    tags: { type: 'array', items: TEXT },
    status: { enum: ['active', 'superseded', 'deprecated'] },
    reuse: {
      enum: ['any', 'produced'],
      description: '`produced`: only entities that a production made are reused.',
    },
    scope: TEXT,
    previous_version_id: OPTIONAL_TEXT,
    deprecation_note: OPTIONAL_TEXT,
    cwl_hash: { ...TEXT, description: 'SHA-256 of the bytes of the main document.' },
    workflow_hash: {
      ...OPTIONAL_TEXT,
      description: 'The hash over all documents that the workflow consists of; null if they are not known.',
    },
    registered_by: TEXT,
    registered_at: { type: 'string', format: 'date-time' },
  },
};

/** What a caller sends as a rule's definition. */
export const DEFINITION_SCHEMA = {
  name: TEXT,
  produces: {
    description:
      'One output mapping or a list of them: `entity_type`, `from_output`, `array_mode` (`one_per_item`), `match`.',
    anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }],
  },
  requires: {
    type: 'array',
    items: {
      type: 'object',
      required: ['ref'],
      properties: {
        ref: {
          ...TEXT,
          description: 'An entity type, optionally with conditions: `Sample(sample_id={sample_id})`.',
        },
      },
    },
  },
  execute: {
    type: 'object',
    properties: {
      cwl_url: TEXT,
      cwl_content: { ...TEXT, description: 'The workflow, encoded in base64.' },
      cwl_hash: {
        ...TEXT,
        description: 'The expected SHA-256 of the bytes of the main document: `sha256:<hex>`.',
      },
    },
  },
  description: OPTIONAL_TEXT,
  tags: { type: 'array', items: TEXT },
  scope: { ...TEXT, description: '`global` or `user:<id>`.' },
  reuse: {
    enum: ['any', 'produced', null],
    default: 'any',
    description: '`produced`: reuse only entities made by a production, not entities written by users.',
  },
};

export const VIOLATION_SCHEMA = {
  type: 'object',
  required: ['check', 'output', 'output_type', 'entity_type', 'field', 'expected_type', 'message'],
  properties: {
    check: TEXT,
    output: OPTIONAL_TEXT,
    output_type: OPTIONAL_TEXT,
    entity_type: OPTIONAL_TEXT,
    field: OPTIONAL_TEXT,
    expected_type: OPTIONAL_TEXT,
    message: TEXT,
  },
};
