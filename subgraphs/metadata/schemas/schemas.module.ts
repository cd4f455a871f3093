// Schemas as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { compileRule, stateRule } from '../validation/cel-rule.ts';
import { migrateWith, rehearsedWith } from './migration.store.ts';
import { PastCatalogues } from './past-catalogues.ts';
import { listVersions } from './schema-versions.store.ts';
import { type SchemaContext, schemaResolvers } from './schemas.resolvers.ts';
import { SchemaService, type SchemaSlice } from './schemas.service.ts';

export const schemas: MetadataNoun<SchemaSlice, SchemaContext> = {
  typeDefs: readSdl('subgraphs/metadata/schemas/schemas.graphql'),
  resolvers: schemaResolvers,
  permissions: {
    'Query.schemas': 'metadata:read',
    'Query.schema': 'metadata:read',
    'Query.schemaVersions': 'metadata:read',
    'Query.checkSchema': 'schema:write',
    'Query.schemaReferences': 'metadata:read',
    'Query.schemaRevision': 'metadata:read',
    'Mutation.createSchema': 'schema:write',
  },
  services({ database: { pool, pipelined }, registry, catalogue, clockAheadSeconds }) {
    const past = new PastCatalogues(pool, catalogue);
    const schemas = new SchemaService({
      registry,
      migrate: (work, indexes) =>
        migrateWith({ pool, pipelined, clockAheadSeconds, known: catalogue }, work, indexes),
      rehearse: (work) => rehearsedWith({ pool, known: catalogue }, work),
      versions: (name, at) => listVersions(pool, name, at),
      catalogueAt: (position) => past.at(position),
      checkRule: compileRule,
      stateRule,
    });
    return { schemas };
  },
};
