// The platform's own three components: how each is made in this process, which rows are its REST face, who may call what.
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import { badRequest, type DomainError, invalid } from '../../platform/errors.ts';
import type { LocalComponent } from '../../platform/subgraph.ts';
import type { Permission } from '../../platform/permissions.ts';
import { type Envelope, gatewayEnvelope, metadataEnvelope } from '../../rest-compat/envelopes.ts';
import { gatewayErrorSchema, metadataEnvelopeSchema, metadataErrorSchema } from '../../rest-compat/openapi.ts';
import type { Row } from '../../rest-compat/route.ts';
import { artifactRows } from '../../rest-compat/routes/artifact.routes.ts';
import { metadataRows } from '../../rest-compat/routes/metadata.routes.ts';
import { workflowRows } from '../../rest-compat/routes/workflow.routes.ts';
import { createArtifactComponent } from '../../subgraphs/artifact/component.ts';
import { artifactPermissions } from '../../subgraphs/artifact/permissions.ts';
import { createMetadataComponent } from '../../subgraphs/metadata/component.ts';
import { metadataPermissions } from '../../subgraphs/metadata/permissions.ts';
import { createWorkflowComponent } from '../../subgraphs/workflow/component.ts';
import { workflowPermissions } from '../../subgraphs/workflow/permissions.ts';

export interface Surroundings { readonly config: Config; readonly database: Database; readonly log: Logger }

type JsonSchema = Readonly<Record<string, unknown>>;

export interface ComponentKind {
  readonly name: 'metadata' | 'workflow' | 'artifact';
  readonly rows: readonly Row[];
  readonly permissions: Readonly<Record<string, Permission>>;
  readonly envelope: Envelope;
  /** What a parameter out of range is (contract 0, «Pages»). */
  readonly refuse: (message: string) => DomainError;
  readonly payloadSchema: (payload: JsonSchema) => JsonSchema;
  readonly errorSchema: JsonSchema;
  create(around: Surroundings): Promise<LocalComponent>;
}

const bare = { envelope: gatewayEnvelope, refuse: badRequest, payloadSchema: (payload: JsonSchema) => payload, errorSchema: gatewayErrorSchema };

export const COMPONENT_KINDS: readonly ComponentKind[] = [
  {
    name: 'metadata', rows: metadataRows, permissions: metadataPermissions,
    envelope: metadataEnvelope, refuse: invalid, payloadSchema: metadataEnvelopeSchema, errorSchema: metadataErrorSchema,
    create: ({ database, log }) => createMetadataComponent({ database, log: log.child({ component: 'metadata' }) }),
  },
  {
    name: 'workflow', rows: workflowRows, permissions: workflowPermissions, ...bare,
    create: async ({ config, database, log }) => createWorkflowComponent({ database, log: log.child({ component: 'workflow' }), triggers: config.workflow.triggers }),
  },
  {
    name: 'artifact', rows: artifactRows, permissions: artifactPermissions, ...bare,
    create: async ({ database, log }) => createArtifactComponent({ database, log: log.child({ component: 'artifact' }) }),
  },
];

export const allPermissions: Readonly<Record<string, Permission>> = Object.assign({}, ...COMPONENT_KINDS.map((kind) => kind.permissions)) as Record<string, Permission>; // a merge of such records
