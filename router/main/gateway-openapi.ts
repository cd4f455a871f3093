// OpenAPI of the gateway's endpoints that are not rows (docs/reference/gateway.md#openapi-description): raw
// handlers, described by hand.
import { gatewayErrorSchema } from '../../rest-compat/envelope-schemas.ts';
import type { OpenApiPart } from '../../rest-compat/openapi.ts';
import { integer, type JsonSchema, object, ref, string } from './json-schema.ts';
import { OAUTH_ENDPOINTS, OAUTH_SCHEMAS } from './oauth-openapi.ts';

const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  gateway_Error: gatewayErrorSchema,
  ...OAUTH_SCHEMAS,
  gateway_Health: object(
    {
      status: { enum: ['healthy', 'degraded', 'unhealthy'] },
      bridge: string,
      components: {
        type: 'object',
        additionalProperties: object({ status: string, latency_ms: integer, url: string, detail: string }, [
          'status',
          'url',
        ]),
      },
      checked_at: { type: 'string', format: 'date-time' },
      problems: { type: 'array', items: object({ code: string, detail: string }) },
    },
    ['status', 'bridge', 'components', 'checked_at'],
  ),
};

interface Described {
  readonly id: string;
  readonly summary: string;
  readonly status?: number;
  /** Other statuses with the same answer, and what they mean. */
  readonly otherStatuses?: Readonly<Record<number, string>>;
  readonly answer: JsonSchema;
  readonly media?: string;
  readonly body?: JsonSchema;
  readonly bodyMedia?: readonly string[];
  readonly query?: Readonly<Record<string, JsonSchema>>;
  readonly isPublic?: boolean;
  readonly error?: JsonSchema;
}

type Endpoints = Readonly<Record<string, Readonly<Record<string, Described>>>>;

/** Endpoints whose paths are configured. */
export interface ConfiguredPaths {
  readonly health: string;
  /** Undefined if metrics are off. */
  readonly metrics: string | undefined;
}

const configuredEndpoints = ({ health, metrics }: ConfiguredPaths): Endpoints => ({
  [health]: {
    get: {
      id: 'health',
      summary: 'Returns the health of the gateway and its components.',
      answer: ref('Health'),
      otherStatuses: { 503: 'Unhealthy.' },
      isPublic: true,
    },
  },
  ...(metrics === undefined
    ? {}
    : {
        [metrics]: {
          get: {
            id: 'metrics',
            summary: 'Returns metrics in the Prometheus text exposition format.',
            answer: string,
            media: 'text/plain',
          },
        },
      }),
});

function operation(
  path: string,
  {
    id,
    summary,
    status = 200,
    otherStatuses = {},
    answer,
    body,
    query = {},
    isPublic = false,
    media = 'application/json',
    bodyMedia = ['application/json'],
    error: refusal = ref('Error'),
  }: Described,
): JsonSchema {
  const error = { description: 'The request was rejected or failed.', content: json(refusal) };
  const content = { [media]: { schema: answer } };
  return {
    operationId: `gateway_${id}`,
    summary,
    description: isPublic ? 'Requires no credential.' : 'Requires a credential.',
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
      [String(status)]: { description: 'Success.', content },
      ...Object.fromEntries(
        Object.entries(otherStatuses).map(([other, description]) => [other, { description, content }]),
      ),
      '4XX': error,
      '5XX': error,
    },
  };
}

export function gatewayDescription(paths: ConfiguredPaths): OpenApiPart {
  const endpoints: Endpoints = { ...OAUTH_ENDPOINTS, ...configuredEndpoints(paths) };
  return {
    paths: Object.fromEntries(
      Object.entries(endpoints).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, described]) => [method, operation(path, described)]),
        ),
      ]),
    ),
    schemas: SCHEMAS,
  };
}
