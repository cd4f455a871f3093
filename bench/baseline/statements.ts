// The SQL of the baselines: the same tables and the same work as Cairn's, with one hand-written statement per
// request.
import pg from 'pg';

/** Converts PostgreSQL's timestamp text in UTC to ISO 8601 with microseconds, which a Date would lose. */
const isoTime = (text: string): string => {
  const [whole = '', fraction = ''] = text.slice(11, -3).split('.');
  return `${text.slice(0, 10)}T${whole}.${fraction.padEnd(6, '0')}Z`;
};
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoTime);

/** The same number of connections as Cairn's own pool. */
export const createPool = (): pg.Pool =>
  new pg.Pool({
    connectionString: process.env['DATABASE_URL'],
    max: 20,
    idleTimeoutMillis: 0,
    options: '-c timezone=UTC',
  });

export interface EntityRow {
  readonly id: string;
  readonly entity_type: string;
  readonly data: unknown;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly is_available: boolean;
}

const COLUMNS =
  'e.id, e.entity_type, e.data, e.version, c.timestamp AS created_at, u.timestamp AS updated_at, e.is_available';
const EVENTS =
  'JOIN metadata.provenance c ON c.position = e.first_event JOIN metadata.provenance u ON u.position = e.last_event';

export async function findEntity(pool: pg.Pool, id: string): Promise<EntityRow | null> {
  const { rows } = await pool.query<EntityRow>({
    name: 'point',
    text: `SELECT ${COLUMNS} FROM metadata.entity e ${EVENTS} WHERE e.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

export interface EntityPage {
  readonly items: EntityRow[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Selects the page first, then joins the events of its rows only. Otherwise the join would also run for every
 * row before the page.
 */
const LIST = `SELECT ${COLUMNS} FROM
(SELECT * FROM metadata.entity WHERE entity_type = $1 AND is_available ORDER BY first_event LIMIT $2 OFFSET $3) e ${EVENTS} ORDER BY e.first_event`;

export async function listEntities(
  pool: pg.Pool,
  type: string,
  limit: number,
  offset: number,
): Promise<EntityPage> {
  const [page, count] = await Promise.all([
    pool.query<EntityRow>({ name: 'list', text: LIST, values: [type, limit, offset] }),
    pool.query<{ n: string }>({
      name: 'total',
      text: 'SELECT sum(n)::text AS n FROM metadata.entity_count WHERE entity_type = $1 AND is_available',
      values: [type],
    }),
  ]);
  return { items: page.rows, total: Number(count.rows[0]?.n ?? 0), limit, offset };
}

/**
 * Writes an entity, its event and the count in one statement; the trigger on provenance takes the log's lock.
 */
const INGEST = `
WITH p AS (INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload)
  VALUES ('EntityCreated', $1::text, $2::text, 'user:bench', $3::text, $4::json) RETURNING position, timestamp),
e AS (INSERT INTO metadata.entity (id, entity_type, data, search, first_event, state_event, last_event)
  SELECT $1::text, $2::text, $5::jsonb, to_tsvector('simple', $6::text), position, position, position FROM p RETURNING version, is_available),
n AS (INSERT INTO metadata.entity_count AS t (entity_type, is_available, n) VALUES ($2::text, true, 1)
  ON CONFLICT (entity_type, project, is_available) DO UPDATE SET n = t.n + 1)
SELECT p.timestamp, e.version, e.is_available FROM p, e`;

export interface NewEntity {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly search: string;
}

export async function insertEntity(
  pool: pg.Pool,
  schemaVersion: string,
  { id, type, data, search }: NewEntity,
): Promise<EntityRow> {
  const text = JSON.stringify(data);
  const { rows } = await pool.query<{ timestamp: string; version: number; is_available: boolean }>({
    name: 'ingest',
    text: INGEST,
    values: [id, type, schemaVersion, `{"initial_state":${text}}`, text, search],
  });
  const [written] = rows;
  if (!written) throw new Error('an INSERT answers its row');
  return {
    id,
    entity_type: type,
    data,
    version: written.version,
    created_at: written.timestamp,
    updated_at: written.timestamp,
    is_available: written.is_available,
  };
}

export interface RunRow {
  readonly entity_id: string;
  readonly runId: string;
  readonly status: string;
  readonly queuedAt: string;
  readonly recordsFetched: number;
}

export async function listRuns(
  pool: pg.Pool,
  entityIds: readonly string[],
  limit: number,
): Promise<RunRow[]> {
  const { rows } = await pool.query<RunRow>({
    name: 'runs',
    text: `SELECT e.id AS entity_id, r.* FROM unnest($1::text[]) e(id) CROSS JOIN LATERAL (
      SELECT r.id AS "runId", r.status, r.queued_at AS "queuedAt", r.records_fetched AS "recordsFetched"
      FROM workflow.run_entity x JOIN workflow.run r ON r.id = x.run_id WHERE x.entity_id = e.id ORDER BY r.queued_at DESC, r.id DESC LIMIT $2) r`,
    values: [entityIds, limit],
  });
  return rows;
}

export async function schemaRevision(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ revision: string }>(
    'SELECT coalesce(max(revision), 0)::text AS revision FROM metadata.schema_revision',
  );
  return rows[0]?.revision ?? '0';
}
