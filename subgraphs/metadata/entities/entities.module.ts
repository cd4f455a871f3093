// Entities as a noun of the metadata subgraph.
import { keyedLoader } from '../../../platform/keyed-loader.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import { ResidueAllowance } from '../filters/check-residue.ts';
import type { MetadataNoun } from '../noun.ts';
import { type EntityContext, entityResolvers, entityTexts } from './entities.resolvers.ts';
import { type EntitySlice } from './entities.service.ts';
import { recordsById } from './records-by-id.ts';

export const entities: MetadataNoun<EntitySlice, EntityContext> = {
  typeDefs: readSdl('subgraphs/metadata/entities/entities.graphql'),
  resolvers: entityResolvers,
  permissions: {
    'Query.entity': 'metadata:read',
    'Query.entityAt': 'provenance:read',
    'Query.entities': 'metadata:read',
    'Mutation.createEntity': 'metadata:write',
    'Mutation.ingestEntity': 'metadata:write',
    'Mutation.updateEntity': 'metadata:write',
  },
  texts: entityTexts,
  services: ({ entities: service }) => ({
    entities: service,
    entityById: perOperation(({ caller }) =>
      keyedLoader((ids, at) => recordsById(service, ids, caller, at), null),
    ),
    listing: perOperation(({ caller }) => ({ signal: caller.signal, allowance: new ResidueAllowance() })),
  }),
};
