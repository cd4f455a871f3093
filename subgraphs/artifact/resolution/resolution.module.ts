// Resolution as a noun of the artifact subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { callerAsOf } from '../../../platform/caller-with.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { ArtifactNoun } from '../noun.ts';
import { RuleService } from '../rules/rules.service.ts';
import { type ResolutionContext, resolutionResolvers } from './resolution.resolvers.ts';
import { ResolutionService, type ResolutionSlice } from '../planning/resolution.service.ts';

export const resolution: ArtifactNoun<ResolutionSlice, ResolutionContext> = {
  typeDefs: readSdl('subgraphs/artifact/resolution/resolution.graphql'),
  resolvers: resolutionResolvers,
  permissions: {
    'Query.resolveArtifact': 'artifact:read',
    'Query.resolveAll': 'artifact:read',
  },
  services: ({ pool, planning }) => ({
    resolution: perOperation(
      ({ caller, rules }) =>
        new ResolutionService({ ...planning, db: readingFor(pool, caller) }, caller, rules),
    ),
    resolutionAt: perOperation(({ caller }) => (asOf: string) => {
      const [db, then] = [readingFor(pool, caller), callerAsOf(caller, asOf)];
      return new ResolutionService({ ...planning, db }, then, new RuleService(db, then));
    }),
  }),
};
