// The platform's own three components: their REST faces, who may call what, and how each is made in this process.
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Permission } from '../../platform/permissions.ts';
import type { LocalComponent } from '../../platform/subgraph.ts';
import { type FaceKind, FACES } from '../../rest-compat/faces.ts';
import { createArtifactComponent } from '../../subgraphs/artifact/component.ts';
import { artifactPermissions } from '../../subgraphs/artifact/permissions.ts';
import { createMetadataComponent } from '../../subgraphs/metadata/component.ts';
import { metadataPermissions } from '../../subgraphs/metadata/permissions.ts';
import { createWorkflowComponent } from '../../subgraphs/workflow/component.ts';
import { workflowPermissions } from '../../subgraphs/workflow/permissions.ts';

export interface Surroundings { readonly config: Config; readonly database: Database; readonly log: Logger }

export interface ComponentKind extends FaceKind {
  readonly permissions: Readonly<Record<string, Permission>>;
  create(around: Surroundings): Promise<LocalComponent>;
}

export const COMPONENT_KINDS: readonly ComponentKind[] = [
  {
    ...FACES.metadata, permissions: metadataPermissions,
    create: ({ config, database, log }) => createMetadataComponent({ database, log: log.child({ component: 'metadata' }), ...config.metadata }),
  },
  {
    ...FACES.workflow, permissions: workflowPermissions,
    create: async ({ config, database, log }) => createWorkflowComponent({ database, log: log.child({ component: 'workflow' }), triggers: config.workflow.triggers }),
  },
  {
    ...FACES.artifact, permissions: artifactPermissions,
    create: async ({ database, log }) => createArtifactComponent({ database, log: log.child({ component: 'artifact' }) }),
  },
];

export const allPermissions: Readonly<Record<string, Permission>> = Object.assign({}, ...COMPONENT_KINDS.map((kind) => kind.permissions)) as Record<string, Permission>; // a merge of such records
