// Production rules as a noun of the artifact subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { ArtifactNoun } from '../noun.ts';
import { type RuleContext, ruleResolvers } from './rules.resolvers.ts';
import { RuleService, type RuleSlice } from './rules.service.ts';

export const rules: ArtifactNoun<RuleSlice, RuleContext> = {
  typeDefs: readSdl('subgraphs/artifact/rules/rules.graphql'),
  resolvers: ruleResolvers,
  permissions: {
    'Query.rules': 'artifact:read',
    'Query.rule': 'artifact:read',
  },
  services: ({ pool }) => ({
    rules: perOperation(({ caller }) => new RuleService(readingFor(pool, caller), caller)),
  }),
};
