// Puts the metadata subgraph together: stores, services, resolvers, as a Component.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { readingFor } from '../../platform/budget/bounded-query.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Identity } from '../../platform/identity.ts';
import { productVersion } from '../../platform/product-version.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { createLocalComponent, type LocalComponent } from '../../platform/subgraph.ts';
import { keepCounts } from './as-of/counts.store.ts';
import { keepingCounts } from './as-of/keep-counts.ts';
import { type Moment, Timeline } from './as-of/timeline.ts';
import { placeOf, writersDone } from './as-of/timeline.store.ts';
import { availabilityResolvers } from './availability/availability.resolvers.ts';
import { AvailabilityService } from './availability/availability.service.ts';
import { bulkIngestResolvers } from './bulk-ingest/bulk-ingest.resolvers.ts';
import { BulkIngestService } from './bulk-ingest/bulk-ingest.service.ts';
import { changeFeedResolvers } from './change-feed/change-feed.resolvers.ts';
import { ChangeFeedService } from './change-feed/change-feed.service.ts';
import { endOfLog, holds, pageOfLog, whole } from './change-feed/change-feed.store.ts';
import { LogBell } from './change-feed/log-bell.ts';
import { drsResolvers } from './drs/drs.resolvers.ts';
import { DrsService } from './drs/drs.service.ts';
import { idsHolding } from './drs/drs.store.ts';
import { entityResolvers, entityTexts } from './entities/entities.resolvers.ts';
import { EntityService } from './entities/entities.service.ts';
import { EntityStore } from './entities/entities.store.ts';
import { markKept, typesKept } from './entities/instants.store.ts';
import { keepInstants } from './entities/keep-instants.ts';
import { entitiesOfProject } from './entities/project-counts.store.ts';
import { reportHidden } from './entities/report-hidden.ts';
import { expandResolvers } from './expand/expand.resolvers.ts';
import { ExpandService } from './expand/expand.service.ts';
import { targetsOf } from './expand/expand.store.ts';
import { externalIdResolvers } from './external-ids/external-ids.resolvers.ts';
import { ExternalIdService } from './external-ids/external-ids.service.ts';
import { ownerOf, ownersOfAnyType, recordById, recordsOf } from './external-ids/external-ids.store.ts';
import { contextsOver, type MetadataContext, type MetadataServices } from './metadata-context.ts';
import { metadataPermissions } from './permissions.ts';
import { Log } from './provenance/log.service.ts';
import { largeStates } from './provenance/load.store.ts';
import { withLogView, withOpenLog } from './provenance/log.store.ts';
import { provJsonResolvers } from './prov-json/prov-json.resolvers.ts';
import { ProvJsonService } from './prov-json/prov-json.service.ts';
import { eventsOf } from './prov-json/prov-json.store.ts';
import { provenanceResolvers, provenanceTexts } from './provenance/provenance.resolvers.ts';
import { rehearse } from './provenance/rehearse.ts';
import type { Write, Written } from './provenance/write.ts';
import { presenceResolvers } from './presence/presence.resolvers.ts';
import { PresenceService } from './presence/presence.service.ts';
import { typesBehind } from './presence/presence.store.ts';
import { ProvenanceService } from './provenance/provenance.service.ts';
import { everSeen, historyOf } from './provenance/provenance.store.ts';
import { referenceDataResolvers } from './reference-data/reference-data.resolvers.ts';
import { ReferenceDataService } from './reference-data/reference-data.service.ts';
import { referenceResolvers } from './references/references.resolvers.ts';
import { ReferenceService } from './references/references.service.ts';
import { referenceFaults } from './references/references.store.ts';
import { relationshipResolvers } from './relationships/relationships.resolvers.ts';
import { RelationshipService } from './relationships/relationships.service.ts';
import { AutomaticIndexes, whyThere } from './field-use/automatic-indexes.ts';
import { automaticIndexes } from './field-use/field-use.store.ts';
import { FieldUses } from './field-use/field-uses.ts';
import { indexing } from './field-use/indexing.store.ts';
import { filterResolvers } from './filters/filters.resolvers.ts';
import { findRelationships, relationshipsOf, step } from './relationships/relationships.store.ts';
import { ContextScalar, DateTimeScalar, JsonScalar } from './scalars.ts';
import { migrateWith } from './schemas/migration.store.ts';
import { SchemaRegistry } from './schemas/schema-registry.ts';
import { schemaResolvers } from './schemas/schemas.resolvers.ts';
import { SchemaService } from './schemas/schemas.service.ts';
import { pageOfData, readCatalogue } from './schemas/schemas.store.ts';
import { searchResolvers, searchTexts } from './search/search.resolvers.ts';
import { SearchService } from './search/search.service.ts';
import { endedSince, searchEntities } from './search/search.store.ts';
import { statusResolvers } from './status/status.resolvers.ts';
import { StatusService } from './status/status.service.ts';
import { faultOf } from './status/status.store.ts';
import { supersessionResolvers } from './supersession/supersession.resolvers.ts';
import { SupersessionService } from './supersession/supersession.service.ts';
import { TypedApi } from './typed/typed-api.ts';
import { typedBaseResolvers, typedResolvers, typedSchemaResolvers } from './typed/typed.resolvers.ts';
import { compileRule, stateRule } from './validation/cel-rule.ts';
import { type ConfiguredRule, configuredValidator } from './validation/configured-validator.ts';
import { fieldValidator } from './validation/field-validator.ts';
import { ValidationPipeline } from './validation/pipeline.ts';
import { schemaRules } from './validation/schema-rules.ts';
import { refuse } from './validation/validation-failed.ts';
import { validationResolvers } from './validation/validation.resolvers.ts';
import { ValidationService } from './validation/validation.service.ts';
import type { Validator } from './validation/validator.ts';
import { type ConfiguredModule, moduleValidator } from './validation/validator-module.ts';
import { withinTime } from './within-time.ts';

const NOUNS = [
  'entities',
  'schemas',
  'provenance',
  'availability',
  'relationships',
  'external-ids',
  'supersession',
  'reference-data',
  'drs',
  'search',
  'expand',
  'filters',
  'status',
  'presence',
  'validation',
  'bulk-ingest',
  'prov-json',
  'change-feed',
  'references',
  'typed',
];
const SDL = ['scalars.graphql', ...NOUNS.map((noun) => `${noun}/${noun}.graphql`)];

const RESOLVERS = (): Record<string, unknown> =>
  merged([
    { JSON: JsonScalar, DateTime: DateTimeScalar, ProvenanceContext: ContextScalar },
    entityResolvers,
    schemaResolvers,
    provenanceResolvers,
    availabilityResolvers,
    relationshipResolvers,
    externalIdResolvers,
    supersessionResolvers,
    referenceDataResolvers,
    drsResolvers,
    searchResolvers,
    expandResolvers,
    filterResolvers,
    statusResolvers,
    presenceResolvers,
    validationResolvers,
    bulkIngestResolvers,
    provJsonResolvers,
    changeFeedResolvers,
    referenceResolvers,
    typedSchemaResolvers,
  ]);

export interface MetadataOptions {
  readonly database: Database;
  readonly log: Logger;
  /** `metadata.expand_limit` of the configuration: most entities in one expanded list; 200 unless given. */
  readonly expandLimit?: number;
  /** `metadata.validators` of the configuration, in its order, and validators made in code. */
  readonly validators?: readonly (ConfiguredRule | ConfiguredModule | Validator)[];
  /** `metadata.clock_ahead_seconds` of the configuration: how far ahead of this process's clock an event may be stamped; 60 unless given. */
  readonly clockAheadSeconds?: number;
  /** Path of the interactive documentation, where it is served. */
  readonly docs?: string | null;
  /** Milliseconds between two looks at which fields are often filtered; a minute unless given. */
  readonly indexesEveryMs?: number;
}

/** @throws DomainError `validation_failed` where a configured validator's expression is faulty, or its module cannot be loaded */
export async function createMetadataComponent({
  database,
  log,
  expandLimit = 200,
  validators = [],
  clockAheadSeconds = 60,
  docs = null,
  indexesEveryMs,
}: MetadataOptions): Promise<LocalComponent> {
  const { pool } = database;
  const pipeline = new ValidationPipeline([
    fieldValidator,
    schemaRules,
    ...(await Promise.all(
      validators.map(async (v) =>
        'validate' in v ? v : 'module' in v ? await moduleValidator(v) : configuredValidator(v),
      ),
    )),
  ]);
  const registry = await SchemaRegistry.start(
    {
      read: (known) => readCatalogue(pool, known),
      watch: (onChange) => database.listen('metadata_schema', onChange, onChange),
    },
    (err) => log.error({ err }, 'the schemas could not be read again'),
  );

  await reportHidden(registry.current(), (project) => entitiesOfProject(pool, project), log);
  const uses = new FieldUses();
  const indexes = new AutomaticIndexes(
    { uses, catalogue: registry.current, newest: () => registry.refresh(), ...indexing(database, log) },
    indexesEveryMs,
  );

  const component = createLocalComponent<MetadataContext>({
    name: 'metadata',
    typeDefs: SDL.map(sdlOf).join('\n'),
    resolvers: RESOLVERS(),
    permissions: metadataPermissions,
    texts: { ...entityTexts, ...provenanceTexts, ...searchTexts },
    log,
    context: (caller) => contextOf(caller, String(registry.current().revision)),
    isReady: async () => (await faultOf(pool, log, clockAheadSeconds)) === null,
  });
  const base = sdlOf('typed/typed-extension.graphql');
  const extended = component.extended(base, typedBaseResolvers);
  const typed = new TypedApi(registry.current, base, (parts, types) =>
    extended(parts, typedResolvers(types)),
  );
  const door = new Log({
    withOpenLog: keepingCounts(
      (work, expected) => withOpenLog(database.pipelined, work, { expected, clockAheadSeconds }),
      keepCounts,
    ),
    catalogue: registry.current,
    validate: (asked, { bypassValidation }) => refuse(pipeline.execute(asked, bypassValidation)),
    largeStates: (ids) => largeStates(pool, ids),
  });
  const contextOf = contextsOver({
    ...servicesOver({ uses, database, registry, pipeline, log, expandLimit, clockAheadSeconds, docs, door }),
    typedSchema: typed.current,
  });
  const over = new AbortController();
  const keeping = keepInstants(
    {
      catalogue: registry.current,
      pageOf: (type, after) => pageOfData(pool, [type], after, 500),
      writeAll: (writes) => door.writeAll(writes),
      done: () => typesKept(pool),
      markDone: (type) => markKept(pool, type),
    },
    log,
    () => over.signal.aborted,
  ).catch((err: unknown) => {
    if (!over.signal.aborted)
      log.error({ err }, 'stored datetime fields could not be gone through: they are at the next start');
  });
  return {
    ...component,
    extension: typed.current,
    // the typed part is a subgraph of its own that also has all of this one: what does not name it is answered as ever
    prepare: (source, operationName) =>
      /\btyped\b/.test(source)
        ? typed.prepare(source, operationName)
        : component.prepare(source, operationName),
    async close() {
      indexes.close();
      over.abort();
      await keeping;
      await registry.close();
    },
  };
}

const sdlOf = (file: string): string =>
  readFileSync(path.join(projectRoot, 'subgraphs/metadata', file), 'utf8');

interface Parts {
  readonly uses: FieldUses;
  readonly database: Database;
  readonly registry: SchemaRegistry;
  readonly pipeline: ValidationPipeline;
  readonly log: Logger;
  readonly expandLimit: number;
  readonly clockAheadSeconds: number;
  readonly docs: string | null;
  readonly door: Log;
}

function servicesOver({
  uses,
  database,
  registry,
  pipeline,
  log,
  expandLimit,
  clockAheadSeconds,
  docs,
  door,
}: Parts): Omit<MetadataServices, 'typedSchema'> {
  const { pool } = database;
  const catalogue = registry.current;
  const write = <Result>(one: Write<Result>): Promise<Written<Result>> => door.write(one);
  const entities = new EntityService({
    reads: new EntityStore(pool),
    catalogue,
    write,
    onRange: (type, field) => {
      uses.count(type, field);
    },
    why: async (indexes) => whyThere(indexes, await automaticIndexes(pool)),
  });
  const entity = (id: string, identity: Identity, at: Moment = null): ReturnType<EntityService['get']> =>
    entities.get(id, identity, at);
  const isVisible = async (id: string, identity: Identity, at: Moment = null): Promise<boolean> =>
    (await entities.get(id, identity, at)) !== null;
  return {
    timeline: new Timeline({
      placeOf: (instant) => placeOf(pool, instant),
      writersDone: () => withinTime(writersDone(pool)),
    }),
    entities,
    expand: new ExpandService(
      {
        catalogue,
        entities: (ids, identity, at) => entities.getMany(ids, identity, at),
        targets: (from, limit, identity, at) =>
          targetsOf(readingFor(pool, identity), from, limit, identity, at),
      },
      expandLimit,
    ),
    search: new SearchService({
      catalogue,
      search: (request, ended) =>
        withinTime(searchEntities(readingFor(pool, request.identity), request, ended)),
      endedSince: (scope, at) => withinTime(endedSince(readingFor(pool, scope.identity, false), scope, at)),
    }),
    schemas: new SchemaService({
      registry,
      migrate: (work, indexes) =>
        migrateWith(
          { pool, pipelined: database.pipelined, clockAheadSeconds, known: catalogue },
          work,
          indexes,
        ),
      checkRule: compileRule,
      stateRule,
    }),
    provenance: new ProvenanceService({
      everSeen: (id, identity, at) => everSeen(pool, id, identity, at),
      historyOf: (ids, bounds, identity) => historyOf(readingFor(pool, identity), ids, bounds, identity),
    }),
    availability: new AvailabilityService({
      catalogue,
      write,
      writeAll: (writes) => door.writeAll(writes),
      onFault: (err) => {
        log.error({ err }, 'the availability of an entity could not be changed');
      },
    }),
    relationships: new RelationshipService({
      isVisible,
      write,
      ofEntities: (ids, bounds, identity) =>
        relationshipsOf(readingFor(pool, identity), ids, bounds, identity),
      find: (sought, identity) => withinTime(findRelationships(readingFor(pool, identity), sought, identity)),
      step: (next, identity) => withinTime(step(readingFor(pool, identity), next, identity)),
    }),
    externalIds: new ExternalIdService({
      entity,
      write,
      recordsOf: (ids, standing, at) => recordsOf(pool, ids, standing, at),
      recordById: (id) => recordById(pool, id),
      ownerOf: (idType, value, at) => ownerOf(pool, idType, value, at),
      ownersOfAnyType: (value, at) => ownersOfAnyType(pool, value, at),
    }),
    supersession: new SupersessionService(write),
    referenceData: new ReferenceDataService(write),
    references: new ReferenceService({
      catalogue,
      faults: (fields, after, limit, identity) =>
        withinTime(referenceFaults(pool, fields, after, limit, identity)),
    }),
    drs: new DrsService({
      entity,
      externalIds: async (id, at) =>
        (await recordsOf(pool, [id], 'active', at)).map((record) => record.externalId),
      idsHolding: (shapes, limit, identity, at) =>
        idsHolding(readingFor(pool, identity), shapes, limit, identity, at),
    }),
    presence: new PresenceService({
      catalogue,
      typesBehind: (names, identity) => typesBehind(pool, names, identity),
    }),
    bulkIngest: new BulkIngestService({
      writeAll: (writes) => door.writeAll(writes),
      onFault: (err) => {
        log.error({ err }, 'an entity of many could not be ingested');
      },
    }),
    changeFeed: new ChangeFeedService({
      catalogue,
      bell: new LogBell({
        listen: (onNotice) => database.listen('metadata_log', onNotice, onNotice),
        onFault: (err) => {
          log.warn({ err }, 'listening for new events could not end');
        },
      }),
      endOfLog: () => endOfLog(pool),
      holds: (mark) => holds(pool, mark),
      whole: (event) => whole(pool, event),
      pageOfLog: (after, selection, identity) => pageOfLog(pool, after, selection, identity),
    }),
    provJson: new ProvJsonService({
      areVisible: (ids, identity) => Promise.all(ids.map((id) => everSeen(pool, id, identity, null))),
      eventsOf: (ids, limit, identity) => eventsOf(readingFor(pool, identity), ids, limit, identity),
    }),
    validation: new ValidationService({
      pipeline,
      rehearse: (one, validate) => rehearse((work) => withLogView(pool, catalogue(), work), one, validate),
    }),
    status: new StatusService(productVersion, docs, () => faultOf(pool, log, clockAheadSeconds)),
  };
}

/** Resolver maps of several nouns as one: type by type. */
function merged(maps: readonly Readonly<Record<string, object>>[]): Record<string, unknown> {
  const whole: Record<string, object> = {};
  for (const map of maps) {
    for (const [type, fields] of Object.entries(map)) {
      const known = whole[type];
      whole[type] =
        known === undefined || Object.getPrototypeOf(fields) !== Object.prototype
          ? fields
          : { ...known, ...fields };
    }
  }
  return whole;
}
