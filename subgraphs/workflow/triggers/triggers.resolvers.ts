// Resolvers of triggers.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { PastSlice } from '../../../platform/past/past.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { pageArguments } from '../run-records/page-arguments.ts';
import type { RunSlice } from '../run-records/runs.service.ts';
import type { TriggerSlice } from './triggers.service.ts';

export type TriggerContext = OperationContext & PastSlice & TriggerSlice & RunSlice;

export const triggerResolvers = {
  Query: {
    triggers: (_, { asOf }, { triggers }) => triggers.list(asOf ?? null),
    trigger: (_, { name, asOf }, { triggers }) => triggers.get(name, asOf ?? null),
  },
  Mutation: {
    pauseTrigger: (_, { name, reason }, { triggers }) => triggers.pause(name, reason ?? null),
    resumeTrigger: (_, { name }, { triggers }) => triggers.resume(name),
  },
  Trigger: {
    nextFiring: (trigger, _, { triggers }) => triggers.nextFiring(trigger),
    cursor: (trigger, _, { triggers }) => triggers.lastSeen(trigger),
    runs: ({ name, asOf }, args, { runs }) => runs.pageOfTrigger(name, pageArguments({ ...args, asOf })),
  },
} satisfies Resolvers<TriggerContext>;
