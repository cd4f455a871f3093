// Puts the metadata subgraph together: stores, services, resolvers, as a Component.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import { keyedLoader } from '../../platform/keyed-loader.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { createLocalComponent, type LocalComponent } from '../../platform/subgraph.ts';
import { entityResolvers, entityTexts } from './entities/entities.resolvers.ts';
import { EntityService } from './entities/entities.service.ts';
import { EntityStore } from './entities/entities.store.ts';
import type { MetadataContext } from './metadata-context.ts';
import { metadataPermissions } from './permissions.ts';
import { Log } from './provenance/log.service.ts';
import { withOpenLog } from './provenance/log.store.ts';
import { provenanceResolvers, provenanceTexts } from './provenance/provenance.resolvers.ts';
import { ProvenanceService } from './provenance/provenance.service.ts';
import { historyOf } from './provenance/provenance.store.ts';
import { ContextScalar, DateTimeScalar, JsonScalar } from './scalars.ts';
import { migrateWith } from './schemas/migration.store.ts';
import { SchemaRegistry } from './schemas/schema-registry.ts';
import { schemaResolvers } from './schemas/schemas.resolvers.ts';
import { SchemaService } from './schemas/schemas.service.ts';
import { readCatalogue } from './schemas/schemas.store.ts';

const SDL = ['scalars.graphql', 'entities/entities.graphql', 'schemas/schemas.graphql', 'provenance/provenance.graphql'];

export async function createMetadataComponent({ database, log }: { database: Database; log: Logger }): Promise<LocalComponent> {
  const { pool } = database;
  const registry = await SchemaRegistry.start({
    read: () => readCatalogue(pool),
    watch: (onChange) => database.listen('metadata_schema', onChange, onChange),
  }, (err) => log.error({ err }, 'the schemas could not be read again'));

  const door = new Log((work) => withOpenLog(pool, work), registry.current);
  const store = new EntityStore(pool);
  const entities = new EntityService({ reads: store, catalogue: registry.current, write: (write) => door.write(write) });
  const schemas = new SchemaService({ registry, migrate: (work) => migrateWith(pool, work), checkRule: () => undefined });
  const provenance = new ProvenanceService({
    isVisible: async (id, identity) => await entities.get(id, identity) !== null,
    historyOf: (ids, bounds) => historyOf(pool, ids, bounds),
  });

  const component = createLocalComponent<MetadataContext>({
    name: 'metadata',
    typeDefs: SDL.map((file) => readFileSync(path.join(projectRoot, 'subgraphs/metadata', file), 'utf8')).join('\n'),
    resolvers: merged([{ JSON: JsonScalar, DateTime: DateTimeScalar, ProvenanceContext: ContextScalar }, entityResolvers, schemaResolvers, provenanceResolvers]),
    permissions: metadataPermissions,
    texts: { ...entityTexts, ...provenanceTexts },
    log,
    context: (caller) => ({
      caller, entities, schemas, provenance,
      extensions: { schemaVersion: String(registry.current().revision) },
      histories: keyedLoader((ids, bounds) => provenance.histories(ids, bounds), []),
    }),
  });
  return { ...component, close: () => registry.close() };
}

/** Resolver maps of several nouns as one: type by type. */
function merged(maps: readonly Readonly<Record<string, object>>[]): Record<string, unknown> {
  const whole: Record<string, object> = {};
  for (const map of maps) {
    for (const [type, fields] of Object.entries(map)) {
      const known = whole[type];
      whole[type] = known === undefined || Object.getPrototypeOf(fields) !== Object.prototype ? fields : { ...known, ...fields };
    }
  }
  return whole;
}
