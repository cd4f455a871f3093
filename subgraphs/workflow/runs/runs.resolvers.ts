// Unpacks the run log's arguments and makes one call each.
import type { PageBounds } from '../../../platform/paging.ts';
import type { WorkflowContext } from '../context.ts';
import type { Run, RunStatus, Unresolved } from './run.ts';
import type { RunPage } from './runs.service.ts';

interface PageArguments extends PageBounds {
  readonly status?: RunStatus | null;
  readonly cursor?: string | null;
}

/** Arguments that were not sent are undefined in GraphQL and null everywhere else. */
export const pageArguments = ({
  status,
  limit,
  offset,
  cursor,
}: PageArguments): PageBounds & { status: RunStatus | null; cursor: string | null } => ({
  status: status ?? null,
  limit,
  offset,
  cursor: cursor ?? null,
});

export const runResolvers = {
  Query: {
    run: (_: unknown, { runId }: { runId: string }, { runs }: WorkflowContext) => runs.get(runId),
    runs: (_: unknown, args: PageArguments & { trigger?: string | null }, { runs }: WorkflowContext) =>
      runs.page(args.trigger ?? null, pageArguments(args)),
  },
  Mutation: {
    runTrigger: (_: unknown, { name }: { name: string }, { commands }: WorkflowContext) =>
      commands.trigger(name),
    submitRun: (
      _: unknown,
      { action, context }: { action: unknown; context?: unknown },
      { commands }: WorkflowContext,
    ) => commands.submit(action, context ?? null),
    cancelRun: (_: unknown, { runId }: { runId: string }, { commands }: WorkflowContext) =>
      commands.cancel(runId),
  },
  Subscription: {
    runProgress: {
      subscribe: (_: unknown, { runId }: { runId: string }, { runs, caller }: WorkflowContext) =>
        runs.follow(runId, caller.signal),
      resolve: (run: Run) => run,
    },
  },
  Run: {
    cause: (run: Run, _: unknown, { observations }: WorkflowContext) => observations.causeOf(run),
    trigger: (run: Run, _: unknown, { triggers }: WorkflowContext) => triggers.get(run.triggerName),
    entities: (run: Run, page: PageBounds, { runs }: WorkflowContext) => runs.entitiesOf(run.runId, page),
  },
  RunPage: {
    total: (page: RunPage, _: unknown, { runs }: WorkflowContext) => runs.total(page),
  },
  UnresolvedEntity: {
    entityId: (unresolved: Unresolved) => unresolved.entity_id,
  },
  Entity: {
    __resolveReference: ({ id }: { id: string }) => ({ id }),
    runs: ({ id }: { id: string }, { limit }: { limit: number }, { runs }: WorkflowContext) =>
      runs.ofEntity(id, limit),
  },
};
