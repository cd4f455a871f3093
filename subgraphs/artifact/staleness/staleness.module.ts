// Staleness as a noun of the artifact subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { ArtifactNoun } from '../noun.ts';
import type { ProductionSlice } from '../productions/production-requests.service.ts';
import type { RuleSlice } from '../rules/rules.service.ts';
import { rememberMeanings, RuleChanges } from './rule-changes.ts';
import { StalenessService, type StalenessSlice } from './staleness.service.ts';

type StalenessContext = OperationContext & StalenessSlice & ProductionSlice & RuleSlice;

export const staleness: ArtifactNoun<StalenessSlice, StalenessContext> = {
  typeDefs: readSdl('subgraphs/artifact/staleness/staleness.graphql'),
  resolvers: {
    Query: { staleness: (_, { entityId }, { staleness: now }) => now.ofVisible(entityId) },
    Production: { staleness: (production, _, { staleness: now }) => now.of(production) },
    Entity: { staleness: ({ id }, _, { staleness: now }) => now.ofEntity(id) },
  },
  permissions: { 'Query.staleness': 'artifact:read' },
  services({ pool, ask, planning: { book } }) {
    const meanings = rememberMeanings();
    return {
      staleness: perOperation(({ caller, productions, rules }) => {
        const db = readingFor(pool, caller);
        const changes = new RuleChanges({ db, rules, book, meanings, actor: caller.actor });
        return new StalenessService({ db, ask, productions, rules: changes }, caller);
      }),
    };
  },
};
