// The REST faces of the three components: their rows, and how each of them speaks.
import { badRequest, type DomainError, invalid } from '../platform/errors.ts';
import { type Envelope, gatewayEnvelope, metadataEnvelope } from './envelopes.ts';
import { gatewayErrorSchema, metadataEnvelopeSchema, metadataErrorSchema } from './openapi.ts';
import type { Row } from './route.ts';
import { artifactRows } from './routes/artifact.routes.ts';
import { metadataRows } from './routes/metadata.routes.ts';
import { workflowRows } from './routes/workflow.routes.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

export interface FaceKind {
  readonly name: 'metadata' | 'workflow' | 'artifact';
  readonly rows: readonly Row[];
  readonly envelope: Envelope;
  /** What a parameter out of range is (contract 0, «Pages»). */
  readonly refuse: (message: string) => DomainError;
  /** OpenAPI: a payload's schema as the component wraps it, and its errors'. */
  readonly payloadSchema: (payload: JsonSchema) => JsonSchema;
  readonly errorSchema: JsonSchema;
}

const bare = {
  envelope: gatewayEnvelope,
  refuse: badRequest,
  payloadSchema: (payload: JsonSchema) => payload,
  errorSchema: gatewayErrorSchema,
};

export const FACES: { readonly [Name in FaceKind['name']]: FaceKind & { readonly name: Name } } = {
  metadata: {
    name: 'metadata',
    rows: metadataRows,
    envelope: metadataEnvelope,
    refuse: invalid,
    payloadSchema: metadataEnvelopeSchema,
    errorSchema: metadataErrorSchema,
  },
  workflow: { name: 'workflow', rows: workflowRows, ...bare },
  artifact: { name: 'artifact', rows: artifactRows, ...bare },
};

/** Contract 0: most bytes of ingest, GraphQL and bulk bodies. */
export const BULK_BODY_LIMIT = 10 * 1024 * 1024;
