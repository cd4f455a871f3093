// Validation as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { withLogView } from '../log/log.store.ts';
import { rehearse } from '../log/rehearse.ts';
import { type ValidationContext, validationResolvers } from './validation.resolvers.ts';
import { ValidationService, type ValidationSlice } from './validation.service.ts';

export const validation: MetadataNoun<ValidationSlice, ValidationContext> = {
  typeDefs: readSdl('subgraphs/metadata/rehearsal/validation.graphql'),
  resolvers: validationResolvers,
  permissions: {
    'Query.validateEntity': 'metadata:write',
  },
  services: ({ database: { pool }, catalogue, pipeline }) => ({
    validation: new ValidationService({
      pipeline,
      rehearse: (one, validate) => rehearse((work) => withLogView(pool, catalogue(), work), one, validate),
    }),
  }),
};
