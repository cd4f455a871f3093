// What the workflows of rules consist of, as a noun of the artifact subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { ArtifactNoun } from '../noun.ts';
import { type RuleWorkflowContext, ruleWorkflowResolvers } from './rule-workflows.resolvers.ts';
import { RuleWorkflowService, type RuleWorkflowSlice } from './rule-workflows.service.ts';

export const ruleWorkflows: ArtifactNoun<RuleWorkflowSlice, RuleWorkflowContext> = {
  typeDefs: readSdl('subgraphs/artifact/rule-workflows/rule-workflows.graphql'),
  resolvers: ruleWorkflowResolvers,
  permissions: {},
  services: ({ pool }) => ({
    ruleWorkflows: perOperation(({ caller }) => new RuleWorkflowService(readingFor(pool, caller))),
  }),
};
