// OpenAPI of the gateway's endpoints that are not rows (docs/reference/gateway.md#openapi-description): raw
// handlers, described by hand.
import { gatewayErrorSchema } from '../../rest-compat/envelope-schemas.ts';
import { jsonOf, type OpenApiPart } from '../../rest-compat/openapi.ts';
import { integer, type JsonSchema, object, ref, string } from './json-schema.ts';
import { ENDPOINTS_WITHOUT_TOKENS, OAUTH_ENDPOINTS, OAUTH_SCHEMAS } from './oauth-openapi.ts';

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
  readonly answer: JsonSchema;
  /** The schema of the answer, where 503 has it, too, beside the usual refusals. */
  readonly unhealthy?: string;
  readonly media?: string;
  readonly body?: JsonSchema;
  readonly bodyMedia?: readonly string[];
  readonly query?: Readonly<Record<string, JsonSchema>>;
  readonly isPublic?: boolean;
  /** From some addresses no credential is needed. */
  readonly isSometimesPublic?: boolean;
  readonly error?: JsonSchema;
}

type Endpoints = Readonly<Record<string, Readonly<Record<string, Described>>>>;

/** What there is, by the configuration. */
export interface ConfiguredEndpoints {
  /** Without them there are only API keys. */
  readonly hasTokens: boolean;
  readonly health: string;
  /** Undefined if metrics are off. */
  readonly metrics: { readonly path: string; readonly access: 'trusted' | 'open' | 'admin' } | undefined;
}

const configuredEndpoints = ({ health, metrics }: ConfiguredEndpoints): Endpoints => ({
  [health]: {
    get: {
      id: 'health',
      summary: 'Returns the health of the gateway and its components.',
      answer: ref('Health'),
      unhealthy: 'gateway_Health',
      isPublic: true,
    },
  },
  ...(metrics === undefined
    ? {}
    : {
        [metrics.path]: {
          get: {
            id: 'metrics',
            summary: 'Returns metrics in the Prometheus text exposition format.',
            answer: string,
            media: 'text/plain',
            isPublic: metrics.access === 'open',
            isSometimesPublic: metrics.access === 'trusted',
          },
        },
      }),
});

/** Who has to send one. */
function credentialOf(isPublic: boolean, isSometimesPublic: boolean): JsonSchema {
  if (isPublic) return { description: 'Requires no credential.', security: [] };
  return isSometimesPublic
    ? {
        description: 'Requires a credential, but not from trusted networks.',
        security: [{}, { bearer: [] }, { apiKey: [] }],
      }
    : { description: 'Requires a credential.' };
}

function operation(
  path: string,
  {
    id,
    summary,
    status = 200,
    answer,
    unhealthy,
    body,
    query = {},
    isPublic = false,
    isSometimesPublic = false,
    media = 'application/json',
    bodyMedia = ['application/json'],
    error: refusal = ref('Error'),
  }: Described,
): JsonSchema {
  const error = { description: 'The request was rejected or failed.', content: json(refusal) };
  return {
    operationId: `gateway_${id}`,
    summary,
    tags: ['gateway'],
    ...credentialOf(isPublic, isSometimesPublic),
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
      ...(unhealthy === undefined
        ? {}
        : { '503': { description: 'Unhealthy.', content: jsonOf(unhealthy, 'gateway_Error') } }),
      '4XX': error,
      '5XX': error,
    },
  };
}

export function gatewayDescription(configured: ConfiguredEndpoints): OpenApiPart {
  const endpoints: Endpoints = {
    ...(configured.hasTokens ? OAUTH_ENDPOINTS : ENDPOINTS_WITHOUT_TOKENS),
    ...configuredEndpoints(configured),
  };
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
