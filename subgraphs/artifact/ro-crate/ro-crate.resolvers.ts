// Resolvers of crates.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ProductionSlice } from '../productions/production-requests.service.ts';
import type { RuleSlice } from '../rules/rules.service.ts';
import type { CrateSlice } from './ro-crate.service.ts';

export type CrateContext = OperationContext & CrateSlice & ProductionSlice & RuleSlice;

export const crateResolvers = {
  Query: {
    workflowRunCrate: (_, { entityId }, { crates }) => crates.ofEntity(entityId),
  },
} satisfies Resolvers<CrateContext>;
