// Runs as a noun of the workflow subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { inTransaction, type Transact } from '../../../platform/database/transaction.ts';
import { Notifier } from '../../../platform/notifier.ts';
import { TableChanges } from '../../../platform/past/table-changes.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { WorkflowNoun } from '../noun.ts';
import { EntityRuns } from '../run-records/entity-runs.ts';
import { RunCommands } from '../run-records/run-commands.service.ts';
import { type RunContext, runResolvers } from './runs.resolvers.ts';
import { runChangesAfter } from '../run-records/run-changes.store.ts';
import { RunService, type RunSlice } from '../run-records/runs.service.ts';
import { RUN } from '../run-records/runs.store.ts';

export const runs: WorkflowNoun<RunSlice, RunContext> = {
  typeDefs: readSdl('subgraphs/workflow/runs/runs.graphql'),
  resolvers: runResolvers,
  permissions: {
    'Query.runs': 'workflow:read',
    'Query.run': 'workflow:read',
    'Mutation.runTrigger': 'workflow:run',
    'Mutation.submitRun': 'workflow:run',
    'Mutation.cancelRun': 'workflow:run',
    'Subscription.runProgress': 'workflow:read',
    'Subscription.runChanges': 'workflow:read',
  },
  services({ database: { pool, listen }, log, triggers, adapters = [], configuration = null }) {
    const entityRuns = new EntityRuns(pool);
    const progress = new Notifier({ listen, channel: 'workflow_progress', log });
    const changes = new Notifier({ listen, channel: 'workflow_change', log });
    const transact: Transact = (work) => inTransaction(pool, work);
    const commandDeps = {
      db: pool,
      transact,
      triggers,
      adapters: new Set(adapters.map(({ name }) => name)),
      configuration,
    };
    return {
      runChanges: new TableChanges({ db: pool, notifier: changes, table: RUN, page: runChangesAfter }),
      runs: perOperation(
        ({ caller, past }) =>
          new RunService({ db: readingFor(pool, caller), progress, entityRuns, past }, caller),
      ),
      commands: perOperation(({ caller }) => new RunCommands(commandDeps, caller)),
    };
  },
};
