// Unpacks the triggers' arguments and makes one call each.
import type { PageBounds } from '../../../platform/paging.ts';
import type { WorkflowContext } from '../context.ts';
import type { RunStatus } from '../runs/run.ts';
import { pageArguments } from '../runs/runs.resolvers.ts';
import type { Trigger } from './triggers.service.ts';

interface PageArguments extends PageBounds {
  readonly status?: RunStatus | null;
  readonly cursor?: string | null;
}

export const triggerResolvers = {
  Query: {
    triggers: (_: unknown, __: unknown, { triggers }: WorkflowContext) => triggers.list(),
    trigger: (_: unknown, { name }: { name: string }, { triggers }: WorkflowContext) => triggers.get(name),
  },
  Trigger: {
    cursor: (trigger: Trigger, _: unknown, { triggers }: WorkflowContext) => triggers.lastSeen(trigger),
    runs: ({ name }: Trigger, args: PageArguments, { runs }: WorkflowContext) =>
      runs.pageOfTrigger(name, pageArguments(args)),
  },
};
