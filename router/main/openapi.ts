// The merged OpenAPI description (docs/reference/gateway.md#openapi-description): the gateway's own
// endpoints and every component's.
import type { GraphQLSchema } from 'graphql';
import type { Permission } from '../../platform/permissions.ts';
import { withAnswerExamples } from '../../rest-compat/answer-examples.ts';
import { describeRows, type OpenApiPart, openObjects, TAG_DESCRIPTIONS } from '../../rest-compat/openapi.ts';
import { gatewayErrorSchema } from '../../rest-compat/envelope-schemas.ts';
import { GATEWAY_API } from '../../rest-compat/rest-apis.ts';
import type { AdoptedDescription } from '../pass-through/adopt-description.ts';
import type { ComponentKind } from './component-kinds.ts';
import type { JsonSchema } from './json-schema.ts';
import { type ConfiguredEndpoints, gatewayDescription } from './gateway-openapi.ts';

export interface Described {
  readonly kinds: readonly ComponentKind[];
  /** Components of kind `rest`, as they describe themselves. */
  readonly others: ReadonlyMap<string, AdoptedDescription>;
  readonly schema: GraphQLSchema;
  readonly permissionOf: (document: string) => Permission;
  readonly version: string;
  readonly configured: ConfiguredEndpoints;
}

/** What the gateway refuses for a component has its own shape (docs/reference/api-conventions.md#envelopes). */
function withRefusals(error: JsonSchema): JsonSchema {
  if (error === gatewayErrorSchema) return error;
  const { examples, ...own } = error;
  return { examples, anyOf: [own, { $ref: '#/components/schemas/gateway_Error' }] };
}

export function mergedDescription({
  kinds,
  others,
  schema,
  permissionOf,
  version,
  configured,
}: Described): Record<string, unknown> {
  const own = gatewayDescription(configured);
  const parts = [{ name: 'gateway', ...GATEWAY_API }, ...kinds].map((kind) =>
    describeRows({
      component: kind.name,
      prefix: `/api/v1/${kind.name}`,
      rows: kind.rows,
      schema,
      permissionOf,
      envelope: kind.payloadSchema,
      error: withRefusals(kind.errorSchema),
    }),
  );
  // Object.assign of several is any
  const described = Object.assign({}, own.paths, ...parts.map((p) => p.paths)) as OpenApiPart['paths'];
  const adopted = [...others.values()];
  const sections = new Set(
    adopted.flatMap(({ components }) => Object.keys(components) as (keyof typeof components)[]),
  ); // its own keys
  sections.delete('schemas');
  const merged = (section: keyof AdoptedDescription['components']): Record<string, unknown> =>
    // Object.assign of several is any
    Object.assign({}, ...adopted.map(({ components }) => components[section])) as Record<string, unknown>;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cairn',
      version,
      description:
        'A GraphQL-first, federated platform for research data. Every operation is also available at POST /graphql.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: ['gateway', ...kinds.map((kind) => kind.name), ...others.keys()].map((name) => ({
      name,
      description: TAG_DESCRIPTIONS[name] ?? `The component ${name}, as it describes itself.`,
    })),
    security: [{ bearer: [] }, { apiKey: [] }],
    // paths never collide: each has its prefix
    paths: {
      ...(openObjects(withAnswerExamples(described)) as object), // as it was given
      ...(Object.assign({}, ...adopted.map((p) => p.paths)) as object),
    },
    components: {
      // nor do prefixed names
      schemas: {
        ...(openObjects(Object.assign({}, own.schemas, ...parts.map((p) => p.schemas))) as object), // as above
        ...merged('schemas'),
      },
      ...Object.fromEntries([...sections].map((section) => [section, merged(section)])),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token, or an API key.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
    },
  };
}
