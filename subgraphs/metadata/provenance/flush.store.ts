// SQL that puts a batch's events and all their effects down in one statement.
import type { Queryable } from '../../../platform/queryable.ts';
import { isoTime } from '../entities/entity-record.ts';
import { countChanges } from './count-changes.ts';
import type { LogPoint } from './pending.ts';
import {
  CHANGES,
  CHANGING,
  CHANGING_TYPES,
  namesOf,
  STATE,
  STATE_TYPES,
  stateColumns,
  type StateColumnType,
  stateOf,
} from './state-columns.ts';
import type { WorkingSet } from './working-set.ts';

type ColumnType = StateColumnType | 'bigint' | 'uuid' | 'bytea' | 'json';

/**
 * Columns of one kind of effect: its rows column by column, and what is done with them. Of JSON, a column
 * holds texts, `null` for none.
 */
interface Part {
  readonly name: string;
  readonly types: readonly ColumnType[];
  readonly columns: readonly (readonly unknown[])[];
  readonly sql: (rows: string) => string;
}

/**
 * JSON travels as one list: PostgreSQL reads it several times faster than an array of JSON texts, each of
 * which is escaped and read again.
 */
const isJson = (type: ColumnType | undefined): boolean => type === 'json' || type === 'jsonb';
const valueOf = (type: ColumnType | undefined, column: readonly unknown[]): unknown =>
  isJson(type) ? `[${column.join(',')}]` : column;
const rowsFrom = (types: readonly ColumnType[], next: () => number): string =>
  `ROWS FROM (${types.map((type) => (isJson(type) ? `${type}_array_elements($${next()}::${type})` : `unnest($${next()}::${type}[])`)).join(', ')})`;

const ordinalOf = (point: LogPoint): number | null => ('ordinal' in point ? point.ordinal : null);
const positionOf = (point: LogPoint): string | null => ('position' in point ? point.position : null);
const columns = <Row>(rows: readonly Row[], ...read: ((row: Row) => unknown)[]): unknown[][] =>
  read.map((f) => rows.map(f));

function partsOf(set: WorkingSet): Part[] {
  const work = [...set.entities.values()].filter((w) => 'ordinal' in w.last);
  const created = work.filter((w) => w.loaded === null);
  const updated = work.filter((w) => w.loaded !== null);
  const closed = work.flatMap((w) => w.closed).filter((c) => !c.isLoaded);
  const ended = updated.flatMap((w) =>
    w.closed.filter((c) => c.isLoaded).map((c) => ({ id: w.current.id, to: c.to })),
  );
  const relationships = [...set.newRelationships.values()];
  const unrelated = [...set.endedRelationships.values()];
  const externals = [...set.newExternalIds.values()];
  const superseded = [...set.endedExternalIds.values()];
  const taken = [...set.takenUniques.values()];
  const passed = [...set.passedUniques.values()];
  const freed = [...set.freedUniques.values()];
  const counts = countChanges(work);

  return [
    {
      name: 'created',
      types: [...STATE_TYPES, 'text', 'bigint', 'bigint', 'bigint'],
      columns: [
        ...stateColumns(created.map((w) => w.current)),
        ...columns(
          created,
          (w) => w.searchText ?? '',
          (w) => ordinalOf(w.first),
          (w) => ordinalOf(w.since),
          (w) => ordinalOf(w.last),
        ),
      ],
      sql: (u) => `INSERT INTO metadata.entity (${STATE}, search, first_event, state_event, last_event)
        SELECT ${stateOf('c')}, to_tsvector('simple', c.s), b.base + c.f, b.base + c.n, b.base + c.l FROM b, ${u} c(${STATE}, s, f, n, l)`,
    },
    {
      name: 'ended',
      types: ['text', 'bigint'],
      columns: columns(
        ended,
        (e) => e.id,
        (e) => e.to,
      ),
      sql: (u) => `INSERT INTO metadata.entity_history (${STATE}, first_event, from_event, to_event)
        SELECT ${stateOf('e')}, e.first_event, e.state_event, b.base + h.o
        FROM b, ${u} h(id, o) JOIN metadata.entity e ON e.id = h.id`,
    },
    {
      name: 'updated',
      types: ['text', 'jsonb', ...CHANGING_TYPES, 'text', 'bigint', 'bigint'],
      columns: [
        ...columns(
          updated,
          (w) => w.current.id,
          (w) => (w.changes === null ? 'null' : JSON.stringify(w.changes)),
        ),
        ...CHANGING.map(({ field }) => updated.map((w) => w.current[field])),
        ...columns(
          updated,
          (w) => w.searchText,
          (w) => ordinalOf(w.since),
          (w) => ordinalOf(w.last),
        ),
      ],
      sql: (
        u,
      ) => `UPDATE metadata.entity e SET data = CASE WHEN c.data = 'null' THEN e.data ELSE e.data || c.data END, ${CHANGES},
          search = CASE WHEN c.s IS NULL THEN e.search ELSE to_tsvector('simple', c.s) END,
          state_event = coalesce(b.base + c.n, e.state_event), last_event = b.base + c.l
        FROM b, ${u} c(id, data, ${namesOf(CHANGING)}, s, n, l) WHERE e.id = c.id`,
    },
    {
      name: 'closed',
      types: [...STATE_TYPES, 'bigint', 'bigint', 'bigint', 'bigint', 'bigint'],
      columns: [
        ...stateColumns(closed.map((c) => c.state)),
        ...columns(
          closed,
          (c) => positionOf(c.first),
          (c) => ordinalOf(c.first),
          (c) => positionOf(c.from),
          (c) => ordinalOf(c.from),
          (c) => c.to,
        ),
      ],
      sql: (u) => `INSERT INTO metadata.entity_history (${STATE}, first_event, from_event, to_event)
        SELECT ${stateOf('c')}, coalesce(c.fp, b.base + c.fo), coalesce(c.sp, b.base + c.so), b.base + c.x
        FROM b, ${u} c(${STATE}, fp, fo, sp, so, x)`,
    },
    {
      name: 'counted',
      types: ['text', 'text', 'boolean', 'bigint'],
      columns: columns(
        counts,
        (c) => c.entityType,
        (c) => c.project,
        (c) => c.isAvailable,
        (c) => c.change,
      ),
      sql: (
        u,
      ) => `INSERT INTO metadata.entity_count AS t (entity_type, project, is_available, n) SELECT * FROM ${u} c(t, p, a, n) ORDER BY 1, 2, 3
        ON CONFLICT (entity_type, project, is_available) DO UPDATE SET n = t.n + excluded.n`,
    },
    {
      name: 'related',
      types: ['text', 'text', 'text', 'jsonb', 'text', 'bigint'],
      columns: columns(
        relationships,
        (r) => r.key.sourceId,
        (r) => r.key.targetId,
        (r) => r.key.type,
        (r) => JSON.stringify(r.metadata ?? null),
        (r) => r.createdBy,
        (r) => r.ordinal,
      ),
      sql: (
        u,
      ) => `INSERT INTO metadata.relationship (source_id, target_id, relationship_type, metadata, created_by, created_event)
        SELECT c.s, c.t, c.y, nullif(c.m, 'null'), c.b, b.base + c.o FROM b, ${u} c(s, t, y, m, b, o)`,
    },
    {
      name: 'unrelated',
      types: ['text', 'text', 'text', 'bigint'],
      columns: columns(
        unrelated,
        (r) => r.key.sourceId,
        (r) => r.key.targetId,
        (r) => r.key.type,
        (r) => r.ordinal,
      ),
      sql: (u) => `UPDATE metadata.relationship r SET removed_event = b.base + c.o FROM b, ${u} c(s, t, y, o)
        WHERE (r.source_id, r.target_id, r.relationship_type) = (c.s, c.t, c.y) AND r.removed_event IS NULL`,
    },
    {
      name: 'identified',
      types: ['uuid', 'text', 'text', 'text', 'bigint'],
      columns: columns(
        externals,
        (x) => x.recordId,
        (x) => x.entityId,
        (x) => x.idType,
        (x) => x.value,
        (x) => x.ordinal,
      ),
      sql: (u) => `INSERT INTO metadata.external_id (id, entity_id, id_type, external_id, created_event)
        SELECT c.i, c.e, c.t, c.v, b.base + c.o FROM b, ${u} c(i, e, t, v, o)`,
    },
    {
      name: 'superseded',
      types: ['uuid', 'uuid', 'bigint'],
      columns: columns(
        superseded,
        (x) => x.recordId,
        (x) => x.successor,
        (x) => x.ordinal,
      ),
      sql: (u) =>
        `UPDATE metadata.external_id x SET superseded_event = b.base + c.o, superseded_by = c.s FROM b, ${u} c(i, s, o) WHERE x.id = c.i`,
    },
    {
      name: 'taken',
      types: ['text', 'text', 'bytea', 'text'],
      columns: columns(
        taken,
        (t) => t.scope,
        (t) => t.field,
        (t) => t.hash,
        (t) => t.entityId,
      ),
      sql: (u) =>
        `INSERT INTO metadata.unique_value (scope_type, field, value_hash, entity_id) SELECT * FROM ${u}`,
    },
    {
      name: 'passed',
      types: ['text', 'text', 'bytea', 'text'],
      columns: columns(
        passed,
        (t) => t.scope,
        (t) => t.field,
        (t) => t.hash,
        (t) => t.entityId,
      ),
      sql: (u) =>
        `UPDATE metadata.unique_value v SET entity_id = c.e FROM ${u} c(s, f, h, e) WHERE (v.scope_type, v.field, v.value_hash) = (c.s, c.f, c.h)`,
    },
    {
      name: 'freed',
      types: ['text', 'text', 'bytea'],
      columns: columns(
        freed,
        (t) => t.scope,
        (t) => t.field,
        (t) => t.hash,
      ),
      sql: (u) =>
        `DELETE FROM metadata.unique_value v USING ${u} c(s, f, h) WHERE (v.scope_type, v.field, v.value_hash) = (c.s, c.f, c.h)`,
    },
  ];
}

/** The context is text on its way: it is kept to the letter, whitespace included. */
const EVENT_TYPES: readonly ColumnType[] = ['text', 'text', 'text', 'text', 'text', 'json'];
const texts = new Map<string, { name: string; text: string }>();

/**
 * The batch's statement for the kinds of effects it has: made once for each combination. Under the lock
 * nobody else takes positions, so those of a batch follow each other: an event's position is `base` and its
 * ordinal, with nothing to join. Those who follow the log are told.
 */
function statementFor(parts: readonly Part[]): { name: string; text: string } {
  const key = parts.map((p) => p.name).join(' ');
  const known = texts.get(key);
  if (known) return known;
  let parameter = 1; // $1 is the schema version
  const rows = (types: readonly ColumnType[]): string => rowsFrom(types, () => ++parameter);
  const text = `WITH ev AS MATERIALIZED (SELECT * FROM ${rows(EVENT_TYPES)} WITH ORDINALITY AS t(event_type, entity_id, entity_type, actor, context, payload, ordinal)),
p AS (INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, context, payload)
  SELECT event_type, entity_id, entity_type, actor, $1, context::json, payload FROM ev ORDER BY ordinal RETURNING position, timestamp),
b AS MATERIALIZED (SELECT min(position) - 1 AS base, CASE WHEN max(position) - min(position) + 1 = count(*) THEN pg_notify('metadata_log', max(position)::text) IS NULL ELSE (count(*) || ' positions that do not follow each other')::boolean END AS told FROM p)${parts
    .map(
      (part) => `,
${part.name} AS (${part.sql(rows(part.types))})`,
    )
    .join('')}
SELECT (timestamp AT TIME ZONE 'UTC')::text AS timestamp FROM p, b ORDER BY p.position`;
  const statement = { name: `log-flush-${texts.size}`, text };
  texts.set(key, statement);
  return statement;
}

/** Writes the set's events and all their effects; answers the events' timestamps by ordinal − 1. */
export async function flush(client: Queryable, set: WorkingSet): Promise<string[]> {
  if (set.events.length === 0) return [];
  const parts = partsOf(set).filter((part) => (part.columns[0]?.length ?? 0) > 0);
  const events = columns(
    set.events,
    (e) => e.type,
    (e) => e.entityId,
    (e) => e.entityType,
    (e) => e.author.actor,
    (e) => e.author.contextText,
    (e) => JSON.stringify(e.payload),
  );
  const listed = [{ types: EVENT_TYPES, columns: events }, ...parts].flatMap(({ types, columns: all }) =>
    all.map((column, i) => valueOf(types[i], column)),
  );
  const values = [String(set.catalogue.revision), ...listed];
  const { rows } = await client.query<{ timestamp: string }>({ ...statementFor(parts), values });
  return rows.map((row) => isoTime(row.timestamp));
}
