// The shared services of metadata's nouns: schemas, validators, the write door, and entities.
import type { Logger } from 'pino';
import { LOCKS } from '../../platform/database/advisory-locks.ts';
import type { Database } from '../../platform/database/connect.ts';
import { writesVital } from '../../platform/database/write-path.store.ts';
import { keepCounts } from './log/counts.store.ts';
import { keepingCounts } from './log/keep-counts.ts';
import { EntityService } from './entities/entities.service.ts';
import { EntityStore } from './entities/entities.store.ts';
import { entitiesOfProject } from './entities/project-counts.store.ts';
import { reportHidden } from './entities/report-hidden.ts';
import { AutomaticIndexes, whyThere } from './index-advisor/automatic-indexes.ts';
import { NEWEST_EVENT } from './reading/log-server.ts';
import { automaticIndexes } from './index-advisor/field-use.store.ts';
import { FieldUses } from './index-advisor/field-uses.ts';
import { indexing } from './index-advisor/indexing.store.ts';
import type { MetadataDeps } from './noun.ts';
import { largeStates } from './log/load.store.ts';
import { Log } from './log/log.service.ts';
import { Rivals } from './log/rivals.ts';
import { withOpenLog } from './log/log.store.ts';
import { wordsCondition } from './search/words-condition.ts';
import { SchemaRegistry } from './schemas/schema-registry.ts';
import { isAnyBehind, readCatalogue } from './log/schemas.store.ts';
import type { ConfiguredRule } from './validation/configured-validator.ts';
import { pipelineOf } from './validation/pipeline-of.ts';
import { refuse } from './validation/validation-failed.ts';
import type { ConfiguredModule } from './validation/validator-module.ts';
import type { Validator } from './schema-model/validator.ts';

export interface MetadataOptions {
  readonly database: Database;
  readonly log: Logger;
  /** `metadata.expand_limit` of the configuration: maximum entities in one expanded list; default 200. */
  readonly expandLimit?: number;
  /** `metadata.validators` of the configuration, in order, and validators created in code. */
  readonly validators?: readonly (ConfiguredRule | ConfiguredModule | Validator)[];
  /**
   * `metadata.clock_ahead_seconds` of the configuration: how far ahead of this process's clock an event may
   * be stamped; default 60.
   */
  readonly clockAheadSeconds?: number;
  /** Path of the interactive documentation, if it is served. */
  readonly docs?: string | null;
  /** The server's public address; without it stored files are told by the addresses that entities have. */
  readonly publicUrl?: (() => string) | null;
  /** Interval in milliseconds of the index advisor; default one minute. */
  readonly indexesEveryMs?: number;
}

export interface Foundation extends Omit<MetadataDeps, 'typedSchema'> {
  /** Stops creating indexes; the schemas are followed until then. */
  readonly indexes: Pick<AutomaticIndexes, 'close'>;
}

/**
 * @throws DomainError `validation_failed` if a configured validator's expression is invalid, or its module
 * cannot be loaded
 */
export async function startFoundation({
  database,
  log,
  expandLimit = 200,
  validators = [],
  clockAheadSeconds = 60,
  docs = null,
  publicUrl = null,
  indexesEveryMs,
}: MetadataOptions): Promise<Foundation> {
  const { pool, pipelined } = database;
  const reads = database.reads(NEWEST_EVENT);
  const pipeline = await pipelineOf(validators);
  const registry = await SchemaRegistry.start(
    {
      read: (known) => readCatalogue(pool, known),
      async watch(onChange) {
        const unfollow = database.onServerChange(onChange);
        const stop = await database.listen('metadata_schema', onChange, onChange);
        return () => {
          unfollow();
          return stop();
        };
      },
      tell: (revision) => database.tellPlace(LOCKS.schemaRevision, revision),
      isAnyBehind: (revision) => isAnyBehind(pool, revision),
    },
    (err) => log.error({ err }, 'the schemas could not be reloaded'),
  );
  const catalogue = registry.current;
  await reportHidden(catalogue(), (project) => entitiesOfProject(pool, project), log);

  const uses = new FieldUses();
  const indexes = new AutomaticIndexes(
    { uses, catalogue, newest: () => registry.refresh(), ...indexing(database, log) },
    indexesEveryMs,
  );
  const rivals = new Rivals();
  const door = new Log({
    withOpenLog: keepingCounts(
      (work, options) => withOpenLog(pipelined, work, { ...options, clockAheadSeconds, rivals }),
      keepCounts,
    ),
    rivals,
    catalogue,
    validate: (asked, { bypassValidation }) => refuse(pipeline.execute(asked, bypassValidation)),
    largeStates: (ids) => largeStates(pool, ids),
  });
  database.liveness.watch(writesVital(door.stalledSince));
  const entities = new EntityService({
    reads: new EntityStore(pool, reads),
    catalogue,
    write: (one) => door.write(one),
    onRange: (type, field) => {
      uses.count(type, field);
    },
    words: (q) => wordsCondition(q, catalogue),
    why: async (used) => whyThere(used, await automaticIndexes(pool)),
  });
  const settings = { expandLimit, clockAheadSeconds, docs, publicUrl };
  return { database, reads, log, ...settings, registry, catalogue, pipeline, door, entities, indexes };
}
