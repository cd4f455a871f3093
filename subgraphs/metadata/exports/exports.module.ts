// Exports as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type ExportContext, exportResolvers } from './exports.resolvers.ts';
import { ExportService, type ExportSlice } from './exports.service.ts';
import { walkExport } from './exports.store.ts';

export const exports: MetadataNoun<ExportSlice, ExportContext> = {
  typeDefs: readSdl('subgraphs/metadata/exports/exports.graphql'),
  resolvers: exportResolvers,
  permissions: { 'Subscription.exportEntities': 'metadata:read' },
  services: ({ database: { pool }, reads, entities, catalogue }) => ({
    exports: new ExportService({
      entities,
      walk: (page, signal) => walkExport({ pool, reads }, page, signal),
      catalogue,
    }),
  }),
};
