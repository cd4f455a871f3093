// Expansion as a noun of the metadata subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { recordsById } from '../entities/records-by-id.ts';
import { expandedFields } from './expanded-fields.ts';
import { expandTogether } from './expand-together.ts';
import { type ExpandContext, expandResolvers } from './expand.resolvers.ts';
import { ExpandService, type ExpandSlice } from './expand.service.ts';
import { targetsOf } from './expand.store.ts';

export const expand: MetadataNoun<ExpandSlice, ExpandContext> = {
  typeDefs: readSdl('subgraphs/metadata/expand/expand.graphql'),
  resolvers: expandResolvers,
  permissions: {},
  services({ database: { pool }, catalogue, entities, expandLimit }) {
    const service = new ExpandService(
      {
        catalogue,
        records: (ids, identity, at) => recordsById(entities, ids, identity, at),
        targets: (from, limit, identity, at) =>
          targetsOf(readingFor(pool, identity), from, limit, identity, at),
      },
      expandLimit,
    );
    return {
      expandedFieldsOf: (entityType, paths) => expandedFields(entityType, paths, catalogue()),
      expandedOf: perOperation(({ caller, extensions }) =>
        expandTogether(
          (sources, paths, at) => service.expand(sources, paths, at, caller),
          (warnings) => {
            if (warnings.length > 0) (extensions.warnings ??= []).push(...warnings);
          },
        ),
      ),
    };
  },
};
