// SQL of a schema change, in the transaction that holds the log's lock.
import type { Pool } from 'pg';
import { BEGIN_SNAPSHOT } from '../../../platform/database/lent-connection.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { besideNoIndexing } from '../index-advisor/field-use.store.ts';
import type { FaultPosition, FaultRow } from '../reference-checks/reference-fault.ts';
import { referenceFaults } from '../reference-checks/references.store.ts';
import { allowTimes, withOpenLog } from '../log/log.store.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import type { Migration } from './migration.ts';
import { insertRevision, notifyRevision, pageOfData, readCatalogue } from '../log/schemas.store.ts';

const PAGE = 1000;

interface Migrating {
  readonly pool: Pool;
  readonly pipelined: Pool;
  readonly clockAheadSeconds: number;
  /** The schemas known to this process. */
  readonly known: () => SchemaCatalogue;
}

/** What a migration reads. */
const readsOf = (client: Queryable): Pick<Migration, 'stored' | 'referenceFaults'> => ({
  async *stored(types) {
    for (let after = ''; ;) {
      const rows = await pageOfData(client, types, after, PAGE);
      yield rows.map((r) => ({ id: r.id, entityType: r.entity_type, data: r.data }));
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      after = last.id;
    }
  },
  async *referenceFaults(fields) {
    for (let after: FaultPosition | null = null; ;) {
      const rows: FaultRow[] = await referenceFaults(client, fields, after, PAGE, { projects: '*' });
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      after = [last.created, last.field, last.place];
    }
  },
});

const nothing = (): Promise<void> => Promise.resolve();

/** Runs `work` in a snapshot, concurrently with writes; what it would write is left out. */
export async function rehearsedWith<T>(
  { pool, known }: Pick<Migrating, 'pool' | 'known'>,
  work: (migration: Migration) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(BEGIN_SNAPSHOT);
    return await work({
      ...readsOf(client),
      catalogue: () => readCatalogue(client, known()),
      dropUniques: nothing,
      takeUniques: nothing,
      reword: nothing,
      indexFields: nothing,
      apply: nothing,
    });
  } finally {
    await client.query('ROLLBACK').catch((fault: unknown) => {
      broken = fault instanceof Error ? fault : new Error(String(fault));
    });
    client.release(broken);
  }
}

/** @param indexes whether `work` may create or drop indexes */
export function migrateWith<T>(
  migrating: Migrating,
  work: (migration: Migration) => Promise<T>,
  indexes: boolean,
): Promise<T> {
  const run = (): Promise<T> => migrated(migrating, work);
  return indexes ? besideNoIndexing(migrating.pool, run) : run();
}

function migrated<T>(
  { pipelined: pool, known, clockAheadSeconds }: Migrating,
  work: (migration: Migration) => Promise<T>,
): Promise<T> {
  return withOpenLog(
    pool,
    async (log) => {
      const { client } = log;
      return work({
        catalogue: () => log.catalogue(known()),
        ...readsOf(client),
        async dropUniques(scope, field) {
          await client.query('DELETE FROM metadata.unique_value WHERE scope_type = $1 AND field = $2', [
            scope,
            field,
          ]);
        },
        async takeUniques(keys) {
          if (keys.length === 0) return;
          await client.query(
            'INSERT INTO metadata.unique_value (scope_type, field, value_hash, entity_id) SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[])',
            [
              keys.map((k) => k.scope),
              keys.map((k) => k.field),
              keys.map((k) => k.hash),
              keys.map((k) => k.entityId),
            ],
          );
        },
        async reword(entities) {
          if (entities.length === 0) return;
          await client.query(
            `UPDATE metadata.entity e SET search = to_tsvector('simple', w.words) FROM unnest($1::text[], $2::text[]) w(id, words) WHERE e.id = w.id`,
            [entities.map((e) => e.id), entities.map((e) => e.words)],
          );
        },
        async indexFields(wanted, unwanted) {
          for (const { field, kind } of wanted)
            await client.query('SELECT metadata.index_field($1, $2)', [field, kind]);
          for (const { field, kind } of unwanted)
            await client.query('SELECT metadata.unindex_field($1, $2)', [field, kind]);
        },
        async apply({ revision, definition, author, fromVersion, changes }) {
          await allowTimes(client, clockAheadSeconds); // the steps before may have taken long
          const payload = {
            from_version: fromVersion,
            to_version: String(revision),
            changes_applied: changes,
          };
          const { rows } = await client.query<{ position: string }>(
            `INSERT INTO metadata.provenance (event_type, actor, schema_version, context, payload, request_id, cause) VALUES ('MigrationApplied', $1, $2, $3, $4, $5, $6) RETURNING position::text`,
            [
              author.actor,
              String(revision),
              author.contextText,
              JSON.stringify(payload),
              author.requestId ?? null,
              author.cause ?? null,
            ],
          );
          await insertRevision(client, {
            revision,
            name: definition.name,
            version: definition.version,
            definitionText: JSON.stringify(definition.sent),
            event: rows[0]?.position ?? '',
          });
          await notifyRevision(client, revision);
        },
      });
    },
    { clockAheadSeconds },
  );
}
