// SQL that reads what a batch of writes needs to see.
import { type EntityColumn, ENTITY_COLUMNS } from '../../../platform/entity-columns.ts';
import { listed } from '../../../platform/prepared.ts';
import { instantSql, hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import { columnSql, JOINED_TIMES } from '../reading/column-sql.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import type { LargeData, LargeStates } from './open-log.ts';
import type { Loaded, LoadedEntity } from './pending.ts';
import { NOT_READ } from './pending.ts';
import { type Needs, SUPERSEDED_BY } from './write.ts';

const entitiesSql = (data: string): string => `
SELECT ${ENTITY_COLUMNS.map((column) => `${loadedSql(column, data)} AS "${column.field}"`).join(', ')},
  e.first_event::text AS "firstEvent", e.state_event::text AS "stateEvent", e.last_event::text AS "lastEvent"
FROM metadata.entity e
JOIN metadata.provenance c ON c.position = e.first_event
JOIN metadata.provenance u ON u.position = e.last_event
WHERE e.id = ANY(${listed(1)})`;

function loadedSql(column: EntityColumn, data: string): string {
  if (column.field === 'data') return data;
  const sql = columnSql(column, JOINED_TIMES);
  return column.type === 'instant' ? instantSql(sql) : sql;
}

/** As the database keeps it, compressed. What is longer is not read under the lock together with others. */
const LARGE_STORED = 64 * 1024;
/**
 * The id of the event that made the entity's state: after a failover positions are assigned again, ids are
 * not.
 */
const MARK = '(SELECT s.id::text FROM metadata.provenance s WHERE s.position = e.state_event)';

const DATA = {
  read: 'e.data',
  'left out': `CASE WHEN pg_column_size(e.data) > ${LARGE_STORED} THEN NULL ELSE e.data END`,
  known: `CASE WHEN EXISTS (SELECT 1 FROM unnest($2::text[], $3::text[]) k(id, mark) WHERE k.id = e.id AND k.mark = ${MARK}) THEN NULL ELSE e.data END`,
  never: 'NULL::jsonb',
};

async function loadEntities(
  client: Queryable,
  ids: readonly string[],
  data: keyof typeof DATA,
  known?: LargeStates,
): Promise<LoadedEntity[]> {
  if (ids.length === 0) return [];
  const values: unknown[] =
    known === undefined ? [ids] : [ids, [...known.keys()], [...known.values()].map(({ mark }) => mark)];
  const { rows } = await client.query<Omit<LoadedEntity, 'data'> & { readonly data: EntityData | null }>({
    name: `log-load-entities ${data}`,
    text: entitiesSql(DATA[data]),
    values,
  });
  return rows.map((row) => ({ ...row, data: row.data ?? known?.get(row.id)?.data ?? NOT_READ }));
}

/** From each entity to its successor, and on; stops at circles. */
async function loadSuccession(client: Queryable, ids: readonly string[]): Promise<Loaded['relationships']> {
  const step = 'SELECT r.source_id, r.target_id FROM metadata.relationship r';
  const { rows } = await client.query<{ sourceId: string; targetId: string }>(
    `WITH RECURSIVE chain(source_id, target_id) AS (
       ${step} WHERE r.source_id = ANY($1::text[]) AND r.relationship_type = $2::text AND r.removed_event IS NULL
       UNION ${step} JOIN chain ON r.source_id = chain.target_id WHERE r.relationship_type = $2::text AND r.removed_event IS NULL)
     SELECT source_id AS "sourceId", target_id AS "targetId" FROM chain`,
    [ids, SUPERSEDED_BY],
  );
  // writes that need a chain do not read the data of its entities
  return rows.map((row) => ({ ...row, type: SUPERSEDED_BY, metadata: null }));
}

/** The states of large entities among those: to be read before the lock is taken. */
export async function largeStates(db: Queryable, ids: readonly string[]): Promise<LargeStates> {
  const { rows } = await db.query<{ id: string; data: EntityData; mark: string }>({
    name: 'log-large-states',
    text: `SELECT e.id, e.data, ${MARK} AS mark FROM metadata.entity e WHERE e.id = ANY(${listed(1)}) AND pg_column_size(e.data) > ${LARGE_STORED}`,
    values: [ids.filter(hasNoNul)],
  });
  return new Map(rows.map(({ id, data, mark }) => [id, { data, mark }]));
}

/**
 * Everything that the writes of a batch need, one statement per kind; unused kinds cost nothing. Names that
 * cannot be stored count as missing and must not fail the batch.
 */
export async function load(
  client: Queryable,
  needs: readonly Needs[],
  large: LargeData = 'read',
): Promise<Loaded> {
  const whole = new Set(needs.flatMap((n) => n.entities ?? []).filter(hasNoNul));
  const relationships = needs
    .flatMap((n) => n.relationships ?? [])
    .filter((r) => hasNoNul(r.sourceId) && hasNoNul(r.targetId) && hasNoNul(r.type));
  const superseded = [...new Set(needs.flatMap((n) => n.superseded ?? []))].filter(hasNoNul);
  const externalIds = needs.flatMap((n) => n.externalIds ?? []);
  const uniques = needs.flatMap((n) => n.uniques ?? []);
  return {
    entities: [
      ...(await (typeof large === 'string'
        ? loadEntities(client, [...whole], large)
        : loadEntities(client, [...whole], 'known', large))),
      ...(await loadEntities(
        client,
        [...new Set(needs.flatMap((n) => n.heads ?? []))].filter((id) => hasNoNul(id) && !whole.has(id)),
        'never',
      )),
    ],
    relationships: [
      ...(superseded.length === 0 ? [] : await loadSuccession(client, superseded)),
      ...(relationships.length === 0
        ? []
        : (
            await client.query<{ sourceId: string; targetId: string; type: string; metadata: unknown }>(
              `SELECT r.source_id AS "sourceId", r.target_id AS "targetId", r.relationship_type AS type, r.metadata
       FROM metadata.relationship r
       JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::text[])) k(s, t, y)
         ON (r.source_id, r.target_id, r.relationship_type) = (k.s, k.t, k.y)
       WHERE r.removed_event IS NULL`,
              [
                relationships.map((r) => r.sourceId),
                relationships.map((r) => r.targetId),
                relationships.map((r) => r.type),
              ],
            )
          ).rows),
    ],
    externalIds:
      externalIds.length === 0
        ? []
        : (
            await client.query<{ recordId: string; entityId: string; idType: string; value: string }>(
              `SELECT x.id AS "recordId", x.entity_id AS "entityId", x.id_type AS "idType", x.external_id AS value
       FROM metadata.external_id x
       JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) k(t, v) ON (x.id_type, md5(x.external_id), x.external_id) = (k.t, md5(k.v), k.v)
       WHERE x.superseded_event IS NULL`,
              [externalIds.map((x) => x.idType), externalIds.map((x) => x.value)],
            )
          ).rows,
    uniques:
      uniques.length === 0
        ? []
        : (
            await client.query<{ scope: string; field: string; hash: Buffer; entityId: string }>(
              `SELECT u.scope_type AS scope, u.field, u.value_hash AS hash, u.entity_id AS "entityId"
       FROM metadata.unique_value u
       JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::bytea[])) k(s, f, h) ON (u.scope_type, u.field, u.value_hash) = (k.s, k.f, k.h)`,
              [uniques.map((u) => u.scope), uniques.map((u) => u.field), uniques.map((u) => u.hash)],
            )
          ).rows,
  };
}
