// The logs of runs as a noun of the workflow subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { Notifier } from '../../../platform/notifier.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { WorkflowNoun } from '../noun.ts';
import { RUN_LOG_CHANNEL } from '../run-records/run-logs.store.ts';
import { type RunLogContext, runLogResolvers } from './run-logs.resolvers.ts';
import { RunLogService, type RunLogSlice } from './run-logs.service.ts';

export const runLogs: WorkflowNoun<RunLogSlice, RunLogContext> = {
  typeDefs: readSdl('subgraphs/workflow/run-logs/run-logs.graphql'),
  resolvers: runLogResolvers,
  permissions: { 'Subscription.runLog': 'workflow:read' },
  services({ database: { pool, listen }, log }) {
    const growth = new Notifier({ listen, channel: RUN_LOG_CHANNEL, log });
    return {
      runLogs: perOperation(
        ({ caller, runs }: RunLogContext) => new RunLogService(readingFor(pool, caller), runs, growth),
      ),
    };
  },
};
