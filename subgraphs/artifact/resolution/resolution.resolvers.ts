// Resolvers of resolution.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ProductionSlice } from '../productions/production-requests.service.ts';
import type { RuleSlice } from '../rules/rules.service.ts';
import type { ResolutionSlice } from '../planning/resolution.service.ts';

export type ResolutionContext = OperationContext & ResolutionSlice & ProductionSlice & RuleSlice;

export const resolutionResolvers = {
  Query: {
    resolveArtifact: (_, { entityType, criteria, rule, parameters, reuse }, { requests }) =>
      requests.resolve(entityType, criteria, rule ?? null, parameters, reuse),
    resolveAll: (_, { entityType, partialSpec, reuse, limit, cursor }, { resolution }) =>
      resolution.collection(entityType, partialSpec, reuse, limit, cursor ?? null),
  },
  ArtifactResolution: {
    decision: ({ plan }) => plan.decision,
    rule: ({ plan }) => plan.rule,
  },
  ResolvedEntity: {
    uri: (entity, _, { resolution }) => resolution.uriOf(entity),
    fields: (entity) => entity.data,
  },
} satisfies Resolvers<ResolutionContext>;
