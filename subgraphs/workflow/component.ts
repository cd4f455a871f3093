// Puts the workflow subgraph together as a component of this process.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import { answers } from '../../platform/queryable.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { createLocalComponent, type LocalComponent } from '../../platform/subgraph.ts';
import type { WorkflowContext } from './context.ts';
import type { PollCursors } from './cursors/poll-cursors.ts';
import { workflowPermissions } from './permissions.ts';
import { runResolvers } from './runs/runs.resolvers.ts';
import { RunCommands } from './runs/run-commands.service.ts';
import { RunService } from './runs/runs.service.ts';
import type { ConfiguredTrigger } from './triggers/trigger-definition.ts';
import { triggerResolvers } from './triggers/triggers.resolvers.ts';
import { TriggerList, TriggerService } from './triggers/triggers.service.ts';

export interface WorkflowOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly log: Logger;
  /** `workflow.triggers` of the configuration, checked. */
  readonly triggers: readonly ConfiguredTrigger[];
  /** `workflow.adapters` of the configuration: their names. */
  readonly adapters?: readonly { readonly name: string }[];
  /** The metadata's poll cursors; without them polling triggers show none. */
  readonly cursors?: PollCursors;
}

const SDL_FILES = ['schema.graphql', 'triggers/triggers.graphql', 'runs/runs.graphql'];
const readSdl = (): string => SDL_FILES.map((file) => readFileSync(path.join(projectRoot, 'subgraphs/workflow', file), 'utf8')).join('\n');

export function createWorkflowComponent({ database, log, triggers, adapters = [], cursors }: WorkflowOptions): LocalComponent {
  const list = new TriggerList(triggers);
  const commandPorts = { db: database.pool, triggers, adapters: new Set(adapters.map((adapter) => adapter.name)) };
  return createLocalComponent<WorkflowContext>({
    name: 'workflow',
    typeDefs: readSdl(),
    resolvers: { ...runResolvers, ...triggerResolvers, Query: { ...runResolvers.Query, ...triggerResolvers.Query } },
    permissions: workflowPermissions,
    context: (caller) => ({
      caller, extensions: {}, runs: new RunService(database.pool, caller), commands: new RunCommands(commandPorts, caller),
      triggers: new TriggerService(database.pool, list, cursors ?? null, caller),
    }),
    isReady: () => answers(database.pool),
    log,
  });
}
