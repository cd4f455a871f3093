// SQL that puts a batch's events and all their effects down in one statement.
import { jsonText } from '../../../platform/json-text.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { Turn } from '../../../platform/turns.ts';
import { isoTime } from '../reading/entity-record.ts';
import { countChanges } from './count-changes.ts';
import { keyParts } from './flush-keys.store.ts';
import { namesOf } from '../reading/column-sql.ts';
import { columns, type FlushColumnType, type FlushPart } from './flush-part.ts';
import type { EntityWork, LogPoint } from './pending.ts';
import {
  CHANGES,
  CHANGING,
  CHANGING_TYPES,
  STATE,
  STATE_TYPES,
  stateValues,
  stateNames,
} from './state-columns.ts';
import type { WorkingSet } from './working-set.ts';

/**
 * JSON is sent as one list: PostgreSQL parses it several times faster than an array of JSON texts, each of
 * which is escaped and parsed again.
 */
const ELEMENTS: Partial<Record<FlushColumnType, string>> = {
  json: 'json_array_elements($::json)',
  jsonb: 'jsonb_array_elements($::jsonb)',
  'long text': 'json_array_elements_text($::json)',
};
const rowsFrom = (types: readonly FlushColumnType[], next: () => number): string =>
  `ROWS FROM (${types.map((type) => (ELEMENTS[type] ?? `unnest($::${type}[])`).replace('$', () => `$${next()}`)).join(', ')})`;

interface Column {
  readonly type: FlushColumnType | undefined;
  readonly values: readonly unknown[];
}
const isJson = ({ type }: Column): boolean => type !== undefined && type in ELEMENTS;
const elementText = ({ type }: Column, value: unknown): string =>
  type === 'long text' ? JSON.stringify(value) : String(value);

/** As a parameter of the statement. */
const valueOf = (column: Column): unknown =>
  isJson(column) ? `[${column.values.map((value) => elementText(column, value)).join(',')}]` : column.values;

/** Characters that are put together at once. */
const PART = 64 * 1024;

/**
 * The same in turns with others, as the bytes that are sent: `pg` would look through the whole text twice. In its binary
 * form, `jsonb` begins with its version.
 */
async function bytesOf(column: Column, turn: Turn): Promise<unknown> {
  if (!isJson(column)) return column.values;
  const pieces: Buffer[] = [];
  let text = column.type === 'jsonb' ? '\u0001[' : '[';
  for (const [i, value] of column.values.entries()) {
    text += i === 0 ? elementText(column, value) : `,${elementText(column, value)}`;
    if (text.length < PART) continue;
    pieces.push(Buffer.from(text));
    text = '';
    if (turn.isOver) await turn.next();
  }
  return Buffer.concat([...pieces, Buffer.from(`${text}]`)]);
}

const ordinalOf = (point: LogPoint): number | null => ('ordinal' in point ? point.ordinal : null);
const positionOf = (point: LogPoint): string | null => ('position' in point ? point.position : null);

function stateParts(created: readonly EntityWork[], updated: readonly EntityWork[]): FlushPart[] {
  const ended = updated.flatMap((w) =>
    w.closed.filter((c) => c.isLoaded).map((c) => ({ id: w.current.id, to: c.to })),
  );
  return [
    {
      name: 'created',
      types: [...STATE_TYPES, 'long text', 'bigint', 'bigint', 'bigint'],
      columns: [
        ...stateValues(created.map((w) => w.current)),
        ...columns(
          created,
          (w) => w.searchText ?? '',
          (w) => ordinalOf(w.first),
          (w) => ordinalOf(w.since),
          (w) => ordinalOf(w.last),
        ),
      ],
      sql: (u) => `INSERT INTO metadata.entity (${STATE}, search, first_event, state_event, last_event)
        SELECT ${stateNames('c')}, to_tsvector('simple', c.s), b.base + c.f, b.base + c.n, b.base + c.l FROM b, ${u} c(${STATE}, s, f, n, l)`,
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
        SELECT ${stateNames('e')}, e.first_event, e.state_event, b.base + h.o
        FROM b, ${u} h(id, o) JOIN metadata.entity e ON e.id = h.id`,
    },
    {
      name: 'updated',
      types: ['text', 'jsonb', ...CHANGING_TYPES, 'long text', 'bigint', 'bigint'],
      columns: [
        ...columns(
          updated,
          (w) => w.current.id,
          (w) => (w.changes === null ? 'null' : jsonText(w.changes)),
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
  ];
}

function pastParts(work: readonly EntityWork[]): FlushPart[] {
  const closed = work.flatMap((w) => w.closed).filter((c) => !c.isLoaded);
  const counts = countChanges(work);
  return [
    {
      name: 'closed',
      types: [...STATE_TYPES, 'bigint', 'bigint', 'bigint', 'bigint', 'bigint'],
      columns: [
        ...stateValues(closed.map((c) => c.state)),
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
        SELECT ${stateNames('c')}, coalesce(c.fp, b.base + c.fo), coalesce(c.sp, b.base + c.so), b.base + c.x
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
  ];
}

function partsOf(set: WorkingSet): FlushPart[] {
  const work = [...set.entities.values()].filter((w) => 'ordinal' in w.last);
  const created = work.filter((w) => w.loaded === null);
  const updated = work.filter((w) => w.loaded !== null);
  return [...stateParts(created, updated), ...pastParts(work), ...keyParts(set)];
}

/** The context is text on its way: it is kept to the letter, whitespace included. */
const EVENT_COLUMN_TYPES: readonly FlushColumnType[] = [
  'text',
  'text',
  'text',
  'text',
  'text',
  'json',
  'uuid',
  'text',
];
const texts = new Map<string, { name: string; text: string }>();

/**
 * The batch's statement for its kinds of effects, created once for each combination. Nobody else takes
 * positions under the lock, so those of a batch are consecutive: an event's position is `base` plus its
 * ordinal, without a join. It also notifies those who follow the log.
 */
function statementFor(parts: readonly FlushPart[]): { name: string; text: string } {
  const key = parts.map((p) => p.name).join(' ');
  const known = texts.get(key);
  if (known) return known;
  let parameter = 1; // $1 is the schema revision
  const rows = (types: readonly FlushColumnType[]): string => rowsFrom(types, () => ++parameter);
  const text = `WITH ev AS MATERIALIZED (SELECT * FROM ${rows(EVENT_COLUMN_TYPES)} WITH ORDINALITY AS t(event_type, entity_id, entity_type, actor, context, payload, request_id, cause, ordinal)),
p AS (INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, context, payload, request_id, cause)
  SELECT event_type, entity_id, entity_type, actor, $1, context::json, payload, request_id, cause FROM ev ORDER BY ordinal RETURNING position, timestamp),
b AS MATERIALIZED (SELECT min(position) - 1 AS base, CASE WHEN max(position) - min(position) + 1 = count(*) THEN pg_notify('metadata_log', max(position)::text) IS NULL ELSE (count(*) || ' positions that do not follow each other')::boolean END AS told FROM p)${parts
    .map(
      (part) => `,
${part.name} AS (${part.sql(rows(part.types))})`,
    )
    .join('')}
SELECT (timestamp AT TIME ZONE 'UTC')::text AS timestamp, b.base::text AS base FROM p, b ORDER BY p.position`;
  const statement = { name: `log-flush-${texts.size}`, text };
  texts.set(key, statement);
  return statement;
}

interface Flush {
  readonly parts: readonly FlushPart[];
  readonly columns: readonly Column[];
}

function flushOf(set: WorkingSet): Flush {
  const parts = partsOf(set).filter((part) => (part.columns[0]?.length ?? 0) > 0);
  const events = columns(
    set.events,
    (e) => e.type,
    (e) => e.entityId,
    (e) => e.entityType,
    (e) => e.author.actor,
    (e) => e.author.contextText,
    (e) => jsonText(e.payload),
    (e) => e.author.requestId ?? null,
    (e) => e.author.cause ?? null,
  );
  const listed = [{ types: EVENT_COLUMN_TYPES, columns: events }, ...parts].flatMap(
    ({ types, columns: all }) => all.map((values, i): Column => ({ type: types[i], values })),
  );
  return { parts, columns: listed };
}

/** What is ready to be sent, of sets that were made ready before. */
const ready = new WeakMap<
  WorkingSet,
  { readonly parts: readonly FlushPart[]; readonly values: readonly unknown[] }
>();

/** Makes ready what a flush sends of the set as it is, in turns with others. */
export async function readyFlush(set: WorkingSet): Promise<void> {
  const { parts, columns: all } = flushOf(set);
  const turn = new Turn();
  const values: unknown[] = [];
  for (const column of all) values.push(await bytesOf(column, turn));
  ready.set(set, { parts, values });
}

/**
 * Writes the set's events and all their effects; returns the events' timestamps by ordinal − 1.
 * @param onBase is told of the position before the first event's
 */
export async function flush(
  client: Queryable,
  set: WorkingSet,
  onBase?: (base: bigint) => void,
): Promise<string[]> {
  if (set.events.length === 0) return [];
  let made = ready.get(set);
  if (made === undefined) {
    const { parts, columns: all } = flushOf(set);
    made = { parts, values: all.map(valueOf) };
  }
  const values = [String(set.catalogue.revision), ...made.values];
  const { rows } = await client.query<{ timestamp: string; base: string }>({
    ...statementFor(made.parts),
    values,
  });
  if (rows[0] !== undefined) onBase?.(BigInt(rows[0].base));
  return rows.map((row) => isoTime(row.timestamp));
}
