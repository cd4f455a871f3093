// Resolvers of the run log.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { type PastSlice, readInstant } from '../../../platform/past/past.ts';
import type { Changed } from '../../../platform/past/table-changes.ts';
import { cutWithWarning } from '../../../platform/warnings.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ObservationSlice } from '../observations/observations.service.ts';
import type { TriggerSlice } from '../triggers/triggers.service.ts';
import type { Run } from '../run-records/run.ts';
import type { RunSlice } from '../run-records/runs.service.ts';
import { pageArguments } from '../run-records/page-arguments.ts';

export type RunContext = OperationContext & PastSlice & RunSlice & TriggerSlice & ObservationSlice;

export const runResolvers = {
  Query: {
    run: (_, { runId, asOf }, { runs }) => runs.get(runId, asOf ?? null),
    runs: (_, args, { runs }) => runs.page(args.trigger ?? null, pageArguments(args)),
  },
  Mutation: {
    runTrigger: (_, { name }, { commands }) => commands.trigger(name),
    submitRun: (_, { action, context }, { commands }) => commands.submit(action, context ?? null),
    cancelRun: (_, { runId }, { commands }) => commands.cancel(runId),
  },
  Subscription: {
    runProgress: {
      subscribe: (_, { runId }, { runs, caller }) => runs.follow(runId, caller.signal),
      resolve: (run: Run) => run,
    },
    runChanges: {
      subscribe: (_, { trigger, project, after }, { runChanges, caller }) =>
        runChanges.follow(
          { trigger: trigger ?? null, project: project ?? null },
          readInstant(after, 'after'),
          caller,
        ),
      resolve: ({ changedAt: at, ...run }: Changed<Run>) => ({ at, run }),
    },
  },
  Run: {
    cause: (run, _, { observations }) => observations.causeOf(run),
    trigger: (run, _, { triggers }) => triggers.get(run.triggerName, run.asOf),
    entities: async (run, page, { runs, extensions }) =>
      cutWithWarning(extensions, await runs.entitiesOf(run, page), page.limit, {
        name: 'entities of a run',
        more: 'use offset to get the rest',
      }),
  },
  RunPage: {
    total: (page, _, { runs }) => runs.total(page),
  },
  UnresolvedEntity: {
    entityId: (unresolved) => unresolved.entity_id,
  },
  Entity: {
    __resolveReference: ({ id }) => ({ id }),
    runs: async ({ id }, page, { runs, extensions }) =>
      cutWithWarning(extensions, await runs.ofEntity(id, page), page.limit, {
        name: 'runs of an entity',
        more: 'use offset to get the rest',
      }),
  },
} satisfies Resolvers<RunContext>;
