// The JSON schema of a DRS object (docs/reference/metadata.md#drs).
export const OBJECT_SCHEMA = {
  type: 'object',
  required: ['id', 'self_uri', 'size', 'created_time', 'checksums'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    self_uri: { type: 'string' },
    size: { type: 'integer' },
    created_time: { type: 'string', format: 'date-time' },
    updated_time: { type: 'string', format: 'date-time' },
    version: { type: 'string' },
    mime_type: { type: 'string' },
    checksums: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['checksum', 'type'],
        properties: { checksum: { type: 'string' }, type: { type: 'string' } },
      },
    },
    access_methods: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type'],
        properties: {
          type: { type: 'string' },
          access_id: { type: 'string' },
          access_url: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
        },
      },
    },
    description: { type: 'string' },
    aliases: { type: 'array', items: { type: 'string' } },
  },
} as const;

/** The whole answer, by the ids that were asked for. */
export const BULK_SCHEMA = {
  type: 'object',
  required: ['summary', 'resolved_drs_object', 'unresolved_drs_objects'],
  properties: {
    summary: {
      type: 'object',
      properties: {
        requested: { type: 'integer' },
        resolved: { type: 'integer' },
        unresolved: { type: 'integer' },
      },
    },
    resolved_drs_object: { type: 'array', items: OBJECT_SCHEMA },
    unresolved_drs_objects: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          error_code: { type: 'integer' },
          object_ids: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
} as const;
