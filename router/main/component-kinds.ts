// The platform's own three components: their REST APIs, permissions, and how each is created in this process.
import path from 'node:path';
import type { Logger } from 'pino';
import type { PreparedOperation } from '../../platform/component.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import { DOCS } from '../../platform/docs-page.ts';
import type { Permission } from '../../platform/permissions.ts';
import type { LocalComponent } from '../../platform/subgraph.ts';
import { type RestApiKind, REST_API_KINDS } from '../../rest-compat/rest-apis.ts';
import { createArtifactComponent } from '../../subgraphs/artifact/component.ts';
import { artifactPermissions } from '../../subgraphs/artifact/nouns.ts';
import { createMetadataComponent } from '../../subgraphs/metadata/component.ts';
import { metadataPermissions } from '../../subgraphs/metadata/nouns.ts';
import { createWorkflowComponent } from '../../subgraphs/workflow/component.ts';
import { metadataCursors } from '../../subgraphs/workflow/cursors/metadata-cursors.ts';
import { engineSettings } from '../../subgraphs/workflow/engine/engine-settings.ts';
import { workflowPermissions } from '../../subgraphs/workflow/nouns.ts';
import { standingRights } from '../standing-rights/standing-rights.ts';
import { askAsCaller, askAsWorkflow } from './ask-as-workflow.ts';

export interface ComponentDeps {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  /** The server's public address; known once it listens. */
  readonly publicUrl: () => string;
  /** A trusted document over the whole platform's schema; run it after everything is assembled. */
  readonly ask: (document: string) => PreparedOperation;
  /** Work to do before requests are accepted, once the platform can be called. It must not reject. */
  readonly onReady: (work: () => Promise<void>) => void;
}

export interface ComponentKind extends RestApiKind {
  readonly permissions: Readonly<Record<string, Permission>>;
  create(around: ComponentDeps): Promise<LocalComponent>;
}

export const COMPONENT_KINDS: readonly ComponentKind[] = [
  {
    ...REST_API_KINDS.metadata,
    permissions: metadataPermissions,
    create: ({ config, database, log, publicUrl }) =>
      createMetadataComponent({
        database,
        log: log.child({ component: 'metadata' }),
        docs: config.server.docs ? DOCS : null,
        publicUrl,
        ...config.metadata,
      }),
  },
  {
    ...REST_API_KINDS.workflow,
    permissions: workflowPermissions,
    create: async ({ config, database, log, ask }) =>
      createWorkflowComponent({
        database,
        log: log.child({ component: 'workflow' }),
        ...engineSettings(config),
        cursors: metadataCursors(askAsWorkflow(ask)),
        executeAs: (caller) => askAsCaller(ask, caller),
      }),
  },
  {
    ...REST_API_KINDS.artifact,
    permissions: artifactPermissions,
    async create({ config, database, log, ask, publicUrl, onReady }) {
      const component = createArtifactComponent({
        database,
        log: log.child({ component: 'artifact' }),
        ask,
        standing: standingRights(database.pool),
        settings: config.artifact,
        publicUrl,
        workDirectory: path.join(config.database.dataDir, 'artifact-runs'),
      });
      onReady(() => component.begin());
      return component;
    },
  },
];

export const allPermissions: Readonly<Record<string, Permission>> = Object.assign(
  {},
  ...COMPONENT_KINDS.map((kind) => kind.permissions),
) as Record<string, Permission>; // Merges such records.
