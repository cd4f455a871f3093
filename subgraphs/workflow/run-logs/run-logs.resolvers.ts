// Resolvers of the logs of runs.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { RunLogLine } from '../run-records/run-log.ts';
import type { RunSlice } from '../run-records/runs.service.ts';
import type { RunLogSlice } from './run-logs.service.ts';

export type RunLogContext = OperationContext & RunSlice & RunLogSlice;

export const runLogResolvers = {
  Run: {
    log: (run, page, { runLogs }) => runLogs.page(run, page),
  },
  RunLogPage: {
    total: (page, _, { runLogs }) => runLogs.total(page),
  },
  Subscription: {
    runLog: {
      subscribe: (_, { runId, after }, { runLogs, caller }) => runLogs.follow(runId, after, caller.signal),
      resolve: (line: RunLogLine) => line,
    },
  },
} satisfies Resolvers<RunLogContext>;
