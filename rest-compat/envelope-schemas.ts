// JSON schemas of the envelopes around payloads and errors (docs/reference/api-conventions.md).
type JsonSchema = Readonly<Record<string, unknown>>;

/** docs/reference/api-conventions.md#metadata-envelope, around a payload. */
export const metadataEnvelopeSchema = (payload: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['data', 'error', 'meta'],
  properties: {
    data: payload,
    error: { type: 'null' },
    meta: {
      type: 'object',
      required: ['schema_version', 'request_id'],
      properties: {
        schema_version: { type: 'string' },
        request_id: { type: 'string' },
        next_cursor: {
          type: ['string', 'null'],
          description: 'Only in lists: send it as `cursor` to get the next page; null on the last page.',
        },
        warnings: { type: 'array', items: { type: 'string' } },
      },
    },
  },
});

export const metadataErrorSchema: JsonSchema = {
  type: 'object',
  examples: [
    {
      data: null,
      error: { code: 404, message: 'entity not found: sample:HG00096' },
      meta: { schema_version: '12', request_id: '5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a' },
    },
  ],
  required: ['data', 'error', 'meta'],
  properties: {
    data: { type: 'null' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' } },
    },
    meta: {
      type: 'object',
      required: ['schema_version', 'request_id'],
      properties: { schema_version: { type: 'string' }, request_id: { type: 'string' } },
    },
  },
};

/** docs/reference/api-conventions.md#gateway-error. */
export const gatewayErrorSchema: JsonSchema = {
  type: 'object',
  examples: [
    {
      error: 'insufficient_role',
      message: 'this operation requires role analyst or higher; the caller has viewer',
      request_id: '5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a',
      details: {},
    },
  ],
  required: ['error', 'message', 'request_id', 'details'],
  properties: {
    error: { type: 'string' },
    message: { type: 'string' },
    request_id: { type: 'string', format: 'uuid' },
    details: { type: 'object' },
  },
};
