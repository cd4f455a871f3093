// The artifact component's part of causal chains as a noun.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import { Past } from '../../../platform/past/past.ts';
import { readLinks } from '../../../platform/read-links.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { FileSlice } from '../files/files.service.ts';
import type { ArtifactNoun } from '../noun.ts';
import type { RuleSlice } from '../rules/rules.service.ts';
import { CausalLinkService, type CausalLinkSlice } from './causal-links.service.ts';

type CausalLinkContext = OperationContext & CausalLinkSlice & FileSlice & RuleSlice;

export const causalLinks: ArtifactNoun<CausalLinkSlice, CausalLinkContext> = {
  typeDefs: readSdl('subgraphs/artifact/causal-links/causal-links.graphql'),
  resolvers: {
    Query: {
      artifactLinks: (_, asked, { causalLinks: links }) =>
        readLinks('artifact', asked, (question) => links.of(question)),
    },
  },
  permissions: { 'Query.artifactLinks': 'links:read' },
  services: ({ pool }) => ({
    causalLinks: perOperation(
      ({ caller, rules, files }) =>
        new CausalLinkService(
          { db: readingFor(pool, caller), rules, files, past: new Past(pool, 'artifact', caller) },
          caller,
        ),
    ),
  }),
};
