// Puts the workflow subgraph together as a component of this process.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/identity.ts';
import { answers } from '../../platform/queryable.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { createLocalComponent, type LocalComponent } from '../../platform/subgraph.ts';
import type { WorkflowContext } from './context.ts';
import type { Transact } from './engine/settle.ts';
import type { PollCursors } from './cursors/poll-cursors.ts';
import { observationResolvers } from './observations/observations.resolvers.ts';
import { type ObservationPorts, ObservationService } from './observations/observations.service.ts';
import { workflowPermissions } from './permissions.ts';
import type { Execute } from './ports.ts';
import { runResolvers } from './runs/runs.resolvers.ts';
import { EntityRuns } from './runs/entity-runs.ts';
import { ProgressBell } from './runs/progress-bell.ts';
import { RunCommands } from './runs/run-commands.service.ts';
import { RunService } from './runs/runs.service.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { ConfiguredTrigger } from './triggers/trigger-definition.ts';
import { triggerResolvers } from './triggers/triggers.resolvers.ts';
import { TriggerList, TriggerService } from './triggers/triggers.service.ts';

export interface WorkflowOptions {
  readonly database: Pick<Database, 'pool' | 'listen'>;
  readonly log: Logger;
  /** `workflow.triggers` of the configuration, checked. */
  readonly triggers: readonly ConfiguredTrigger[];
  /** `workflow.adapters` of the configuration: their names. */
  readonly adapters?: readonly { readonly name: string }[];
  /** Tells the configuration from others: what is queued here waits for who runs by it. */
  readonly configuration?: string;
  /** The metadata's poll cursors; without them polling triggers show none. */
  readonly cursors?: PollCursors;
  /** The platform as a caller sees it, for what a poll would have matched; without it polls cannot be evaluated. */
  readonly executeAs?: (caller: Caller) => Execute;
}

const SDL_FILES = [
  'schema.graphql',
  'triggers/triggers.graphql',
  'runs/runs.graphql',
  'observations/observations.graphql',
];
const readSdl = (): string =>
  SDL_FILES.map((file) => readFileSync(path.join(projectRoot, 'subgraphs/workflow', file), 'utf8')).join(
    '\n',
  );

export function createWorkflowComponent({
  database,
  log,
  triggers,
  adapters = [],
  configuration,
  cursors,
  executeAs,
}: WorkflowOptions): LocalComponent {
  const list = new TriggerList(triggers);
  const entityRuns = new EntityRuns(database.pool);
  const bell = new ProgressBell({
    listen: (onProgress) =>
      database.listen('workflow_progress', onProgress, () => {
        onProgress(null);
      }),
    onFault: (err) => {
      log.warn({ err }, 'listening for the progress of runs could not end');
    },
  });
  const transact: Transact = (work) => inTransaction(database.pool, work);
  const commandPorts = {
    db: database.pool,
    transact,
    triggers,
    adapters: new Set(adapters.map((adapter) => adapter.name)),
    configuration: configuration ?? null,
  };
  const observationPorts: ObservationPorts = {
    db: database.pool,
    transact,
    triggers: () => triggers,
    executeAs: executeAs ?? null,
    log,
  };
  return createLocalComponent<WorkflowContext>({
    name: 'workflow',
    typeDefs: readSdl(),
    resolvers: {
      ...runResolvers,
      ...observationResolvers,
      Trigger: { ...triggerResolvers.Trigger, ...observationResolvers.Trigger },
      Query: { ...runResolvers.Query, ...triggerResolvers.Query, ...observationResolvers.Query },
      Mutation: { ...runResolvers.Mutation, ...observationResolvers.Mutation },
    },
    permissions: workflowPermissions,
    context: (caller) => ({
      caller,
      extensions: {},
      runs: new RunService(database.pool, caller, bell, entityRuns),
      commands: new RunCommands(commandPorts, caller),
      observations: new ObservationService(observationPorts, caller),
      triggers: new TriggerService(database.pool, list, cursors ?? null, caller),
    }),
    isReady: () => answers(database.pool),
    log,
  });
}
