// Workflow Run RO-Crates as a noun of the artifact subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { ArtifactNoun } from '../noun.ts';
import { type CrateContext, crateResolvers } from './ro-crate.resolvers.ts';
import { CrateService, type CrateSlice } from './ro-crate.service.ts';

export const crates: ArtifactNoun<CrateSlice, CrateContext> = {
  typeDefs: readSdl('subgraphs/artifact/ro-crate/ro-crate.graphql'),
  resolvers: crateResolvers,
  permissions: {
    'Query.workflowRunCrate': 'artifact:read',
  },
  services({ pool, ask, settings, publicUrl }) {
    const { license, licenseName, publisher } = settings.crates;
    const stated = {
      license: license === undefined ? null : { url: license, name: licenseName ?? license },
      publisher: publisher ?? null,
    };
    return {
      crates: perOperation(
        ({ caller, productions, rules }) =>
          new CrateService(readingFor(pool, caller), ask, caller, productions, rules, {
            ...stated,
            publicUrl,
          }),
      ),
    };
  },
};
