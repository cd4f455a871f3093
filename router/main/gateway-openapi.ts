// The gateway's own endpoints in OpenAPI (spec 1 «Endpoints»): raw handlers, so described by hand, next to each other.
import { gatewayErrorSchema, type OpenApiPart } from '../../rest-compat/openapi.ts';
import { OAUTH_ENDPOINTS, OAUTH_SCHEMAS } from './oauth-openapi.ts';

type JsonSchema = Readonly<Record<string, unknown>>;
const string = { type: 'string' };
const time = { type: ['string', 'null'], format: 'date-time' };
const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  required,
  properties,
});
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/gateway_${name}` });
const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  gateway_Error: gatewayErrorSchema,
  ...OAUTH_SCHEMAS,
  gateway_ApiKey: object(
    {
      id: string,
      label: string,
      role: { enum: ['admin', 'project_lead', 'analyst', 'viewer', 'service'] },
      project: { type: ['string', 'null'] },
      expires: time,
      created_at: time,
      created_by: string,
      owner: string,
      last_used_at: time,
      revoked: { type: 'boolean' },
      revoked_at: time,
    },
    ['id', 'label', 'role'],
  ),
  gateway_Health: object({
    status: { enum: ['healthy', 'degraded', 'unhealthy'] },
    bridge: string,
    components: {
      type: 'object',
      additionalProperties: object(
        { status: string, latency_ms: { type: 'integer' }, url: string, detail: string },
        ['status', 'url'],
      ),
    },
    checked_at: { type: 'string', format: 'date-time' },
  }),
  gateway_SyncEvent: object(
    {
      id: string,
      event_type: string,
      source: string,
      source_id: string,
      actor: string,
      details: { type: 'object' },
      resolved: { type: 'boolean' },
      resolved_at: time,
      created_at: time,
      note: { type: ['string', 'null'] },
      resolved_by: { type: ['string', 'null'] },
    },
    ['id', 'event_type'],
  ),
  gateway_Scan: object(
    {
      scan_id: string,
      status: { enum: ['started', 'completed', 'failed'] },
      started_at: time,
      finished_at: time,
      checked: { type: ['integer', 'null'] },
      mismatches: { type: ['integer', 'null'] },
      error: { type: ['string', 'null'] },
    },
    ['scan_id', 'status', 'started_at'],
  ),
};

interface Described {
  readonly id: string;
  readonly summary: string;
  readonly status?: number;
  readonly answer: JsonSchema;
  readonly media?: string;
  readonly body?: JsonSchema;
  readonly bodyMedia?: readonly string[];
  readonly query?: Readonly<Record<string, JsonSchema>>;
  readonly isPublic?: boolean;
  readonly error?: JsonSchema;
}

const ENDPOINTS: Readonly<Record<string, Readonly<Record<string, Described>>>> = {
  ...OAUTH_ENDPOINTS,
  '/api/v1/gateway/auth/api-keys': {
    post: {
      id: 'createApiKey',
      summary: 'Create an API key; its secret is shown only now.',
      status: 201,
      answer: { allOf: [ref('ApiKey'), object({ secret: string })] },
      body: object(
        {
          label: string,
          role: string,
          project: string,
          expires: { type: 'string', format: 'date-time' },
          owner: string,
        },
        ['label', 'role'],
      ),
    },
    get: {
      id: 'listApiKeys',
      summary: 'List API keys, without secrets.',
      answer: object(
        { keys: { type: 'array', items: ref('ApiKey') }, next_cursor: { type: ['string', 'null'] } },
        ['keys'],
      ),
      query: { all: { type: 'boolean' }, user: string },
    },
  },
  '/api/v1/gateway/auth/api-keys/{key_id}': {
    delete: {
      id: 'revokeApiKey',
      summary: 'Revoke an API key at once.',
      answer: object({ id: string, revoked: { const: true }, revoked_at: time }),
      body: object({ reason: string }, []),
    },
  },
  '/api/v1/gateway/auth/api-keys/{key_id}/rotate': {
    post: {
      id: 'rotateApiKey',
      summary: 'Replace an API key by a new one in one step.',
      answer: object({
        new_key: object({
          id: string,
          secret: string,
          label: string,
          role: string,
          project: { type: ['string', 'null'] },
        }),
        revoked_key: object({ id: string, revoked_at: time }),
      }),
    },
  },
  '/api/v1/gateway/health': {
    get: {
      id: 'health',
      summary: 'Health of the gateway and its components.',
      answer: ref('Health'),
      isPublic: true,
    },
  },
  '/api/v1/gateway/metrics': {
    get: {
      id: 'metrics',
      summary: 'Metrics in the text exposition format.',
      answer: string,
      media: 'text/plain',
    },
  },
  '/api/v1/gateway/sync/events': {
    get: {
      id: 'listSyncEvents',
      summary: 'The sync event log.',
      answer: object(
        {
          events: { type: 'array', items: ref('SyncEvent') },
          total: { type: 'integer' },
          next_cursor: { type: ['string', 'null'] },
        },
        ['events', 'total'],
      ),
      query: {
        status: { enum: ['unresolved', 'resolved', 'all'], default: 'all' },
        limit: { type: 'integer', default: 50, minimum: 1, maximum: 500 },
        offset: { type: 'integer', default: 0, minimum: 0 },
      },
    },
  },
  '/api/v1/gateway/sync/events/{event_id}': {
    get: { id: 'getSyncEvent', summary: 'One sync event.', answer: ref('SyncEvent') },
  },
  '/api/v1/gateway/sync/events/{event_id}/resolve': {
    post: {
      id: 'resolveSyncEvent',
      summary: 'Mark a sync event as resolved.',
      answer: ref('SyncEvent'),
      body: object({ note: string }, []),
    },
  },
  '/api/v1/gateway/sync/scan': {
    post: { id: 'startScan', summary: 'Start a consistency scan.', status: 202, answer: ref('Scan') },
  },
  '/api/v1/gateway/sync/scan/latest': {
    get: { id: 'latestScan', summary: 'The latest consistency scan.', answer: ref('Scan') },
  },
};

function operation(
  path: string,
  {
    id,
    summary,
    status = 200,
    answer,
    body,
    query = {},
    isPublic = false,
    media = 'application/json',
    bodyMedia = ['application/json'],
    error: refusal = ref('Error'),
  }: Described,
): JsonSchema {
  const error = { description: 'Refused or failed.', content: json(refusal) };
  return {
    operationId: `gateway_${id}`,
    summary,
    tags: ['gateway'],
    ...(isPublic ? { security: [] } : {}),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: string,
      })),
      ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', required: false, schema })),
    ],
    ...(body
      ? {
          requestBody: {
            required: Array.isArray(body['required']) && body['required'].length > 0,
            content: Object.fromEntries(bodyMedia.map((type) => [type, { schema: body }])),
          },
        }
      : {}),
    responses: {
      [String(status)]: { description: 'Success.', content: { [media]: { schema: answer } } },
      '4XX': error,
      '5XX': error,
    },
  };
}

export const gatewayDescription = (): OpenApiPart => ({
  paths: Object.fromEntries(
    Object.entries(ENDPOINTS).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, described]) => [method, operation(path, described)]),
      ),
    ]),
  ),
  schemas: SCHEMAS,
});
