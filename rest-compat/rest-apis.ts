// The REST APIs of the three components: their rows, formats and errors.
import { badRequest, type DomainError, invalid } from '../platform/errors.ts';
import { type Envelope, gatewayEnvelope, metadataEnvelope } from './envelopes.ts';
import { gatewayErrorSchema, metadataEnvelopeSchema, metadataErrorSchema } from './envelope-schemas.ts';
import type { RestRoute } from './route.ts';
import { artifactRows } from './routes/artifact.routes.ts';
import { gatewayRows } from './routes/gateway.routes.ts';
import { metadataRows } from './routes/metadata.routes.ts';
import { runWhyRows } from './routes/why.routes.ts';
import { runDiffRows } from './routes/differences.routes.ts';
import { workflowRows } from './routes/workflow.routes.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

export interface RestApiKind {
  readonly name: 'metadata' | 'workflow' | 'artifact';
  readonly rows: readonly RestRoute[];
  readonly envelope: Envelope;
  /** The error for a parameter out of range (docs/reference/api-conventions.md#refused-parameters). */
  readonly refuse: (message: string) => DomainError;
  /** OpenAPI: a payload's schema in the component's envelope, and its errors'. */
  readonly payloadSchema: (payload: JsonSchema) => JsonSchema;
  readonly errorSchema: JsonSchema;
}

const bare = {
  envelope: gatewayEnvelope,
  refuse: badRequest,
  payloadSchema: (payload: JsonSchema) => payload,
  errorSchema: gatewayErrorSchema,
};

export const REST_API_KINDS: {
  readonly [Name in RestApiKind['name']]: RestApiKind & { readonly name: Name };
} = {
  metadata: {
    name: 'metadata',
    rows: metadataRows,
    envelope: metadataEnvelope,
    refuse: invalid,
    payloadSchema: metadataEnvelopeSchema,
    errorSchema: metadataErrorSchema,
  },
  workflow: { name: 'workflow', rows: [...workflowRows, ...runWhyRows, ...runDiffRows], ...bare },
  artifact: { name: 'artifact', rows: artifactRows, ...bare },
};

/** The gateway's own endpoints over its subgraph, below `/api/v1/gateway`. */
export const GATEWAY_API = { rows: gatewayRows, ...bare };

/** docs/reference/api-conventions.md#body-limits: maximum bytes of ingest, GraphQL and bulk bodies. */
export const BULK_BODY_LIMIT = 10 * 1024 * 1024;
