// Resolvers of resolution.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { readInstant } from '../../../platform/past/past.ts';
import { readParameters } from '../productions/production-requests.service.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ProductionSlice } from '../productions/production-requests.service.ts';
import type { RuleSlice } from '../rules/rules.service.ts';
import type { ResolutionSlice } from '../planning/resolution.service.ts';

export type ResolutionContext = OperationContext & ResolutionSlice & ProductionSlice & RuleSlice;

export const resolutionResolvers = {
  Query: {
    resolveArtifact: (
      _,
      { entityType, criteria, rule, parameters, reuse, ...args },
      { requests, resolutionAt, caller },
    ) => {
      const asOf = readInstant(args.asOf ?? caller.asOf);
      return asOf === null
        ? requests.resolve(entityType, criteria, rule ?? null, parameters, reuse)
        : resolutionAt(asOf).resolve(entityType, criteria, rule ?? null, readParameters(parameters), reuse);
    },
    resolveAll: (
      _,
      { entityType, partialSpec, reuse, limit, cursor, ...args },
      { resolution, resolutionAt, caller },
    ) => {
      const asOf = readInstant(args.asOf ?? caller.asOf);
      const at = asOf === null ? resolution : resolutionAt(asOf);
      return at.collection(entityType, partialSpec, reuse, limit, cursor ?? null);
    },
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
