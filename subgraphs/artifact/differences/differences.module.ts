// What differs between productions and between rules, as a noun of the artifact subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { documentPatch, PRODUCTION_DOCUMENT, RULE_DOCUMENT } from '../../../platform/documents.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { ArtifactNoun } from '../noun.ts';
import type { ProductionSlice } from '../productions/production-requests.service.ts';
import type { RuleSlice } from '../rules/rules.service.ts';
import { rememberMeanings } from '../staleness/read-meaning.ts';
import { DifferenceService, type DifferenceSlice } from './differences.service.ts';

type DifferenceContext = OperationContext & DifferenceSlice & ProductionSlice & RuleSlice;

export const differences: ArtifactNoun<DifferenceSlice, DifferenceContext> = {
  typeDefs: readSdl('subgraphs/artifact/differences/differences.graphql'),
  resolvers: {
    Query: {
      productionDiff: (_, { id, toId }, { differences: found }) => found.ofProductions(id, toId),
      ruleDiff: (_, { name, toName }, { differences: found }) => found.ofRules(name, toName),
    },
    ProductionDiff: {
      jsonPatch: (diff, _, context, { schema }) =>
        documentPatch(diff, PRODUCTION_DOCUMENT, { context, schema }),
    },
    RuleDiff: {
      jsonPatch: (diff, _, context, { schema }) => documentPatch(diff, RULE_DOCUMENT, { context, schema }),
    },
  },
  permissions: { 'Query.productionDiff': 'artifact:read', 'Query.ruleDiff': 'artifact:read' },
  services({ pool }) {
    const meanings = rememberMeanings();
    return {
      differences: perOperation(
        ({ caller, productions, rules }) =>
          new DifferenceService({ db: readingFor(pool, caller), productions, rules, meanings }),
      ),
    };
  },
};
