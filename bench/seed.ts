// Fills the database that both sides read: entities of ten types with their provenance, and the runs that
// wrote them.
import pg from 'pg';
import type { CairnServer } from './cairn-server.ts';

export const TYPES = Array.from({ length: 10 }, (_, i) => `Bench${i}`);
export const entityId = (n: number): string => `bench-${n}`;

export const FIELDS = [
  { name: 'name', field_type: 'string', required: true },
  { name: 'state', field_type: 'enum', values: ['new', 'sequenced', 'aligned'] },
  { name: 'age', field_type: 'int' },
  { name: 'tags', field_type: 'string', many: true },
  { name: 'properties', field_type: 'json' },
  { name: 'note', field_type: 'string', searchable: false },
];

export type Data = Readonly<Record<string, unknown>>;

/** About 300 bytes, like a sample or a file description. */
export const dataOf = (n: number): Data => ({
  name: `entity ${n}`,
  state: ['new', 'sequenced', 'aligned'][n % 3],
  age: n % 90,
  tags: ['bench', `tag-${n % 50}`, `group-${n % 7}`],
  properties: { tissue: 'blood', ph: 7.1 + (n % 10) / 100, instrument: `NovaSeq ${n % 12}` },
  note: `Drawn on day ${n % 365}; kept at minus eighty degrees until it was sent out with the others of its plate.`,
});

/** Returns the text that search finds an entity by: its searchable strings. */
export const searchTextOf = (data: Data): string =>
  // created by dataOf
  [data['name'], data['state'], ...(data['tags'] as string[])].join(' ').replaceAll('-', ' ');

const BATCH = 5000;
const ENTITIES = `
WITH i AS (SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[], $4::text[]) WITH ORDINALITY AS t(id, entity_type, data, search, ordinal)),
p AS (INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload)
  SELECT 'EntityCreated', id, entity_type, 'user:bench', $5, json_build_object('initial_state', data) FROM i ORDER BY ordinal RETURNING position, entity_id),
e AS (INSERT INTO metadata.entity (id, entity_type, data, search, first_event, state_event, last_event)
  SELECT i.id, i.entity_type, i.data, to_tsvector('simple', i.search), p.position, p.position, p.position FROM i JOIN p ON p.entity_id = i.id)
INSERT INTO metadata.entity_count AS t (entity_type, is_available, n) SELECT entity_type, true, count(*) FROM i GROUP BY entity_type
ON CONFLICT (entity_type, project, is_available) DO UPDATE SET n = t.n + excluded.n`;

/**
 * Stores the counts at the current position of the log, as the server does from time to time; totals at a
 * time start from them.
 */
const COUNTS = `INSERT INTO metadata.entity_count_at (position, entity_type, project, is_available, n)
  SELECT (SELECT max(position) FROM metadata.provenance), entity_type, project, is_available, n FROM metadata.entity_count`;

const RUNS_PER_ENTITY = 2;
const ENTITIES_PER_RUN = 20;
const RUNS = `
INSERT INTO workflow.run (id, action, cause, status, queued_at, started_at, finished_at, records_fetched, actor)
SELECT 'run-' || n, '{"type": "ingest", "adapter": "bench"}', '{"actor": "user:bench"}', 'success',
  now() - n * interval '1 minute', now() - n * interval '1 minute', now() - n * interval '1 minute', $2, 'user:bench'
FROM generate_series(0, $1::int - 1) n`;
const RUN_ENTITIES = `
INSERT INTO workflow.run_entity (run_id, entity_id)
SELECT DISTINCT 'run-' || ((e / $3::int + k * 7919) % $2::int), 'bench-' || e FROM generate_series(0, $1::int - 1) e, generate_series(0, $4::int - 1) k`;

async function declareTypes({ url, key }: CairnServer, types: readonly string[]): Promise<void> {
  for (const name of types) {
    const response = await fetch(`${url}/api/v1/metadata/schemas`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, version: '1.0.0', fields: FIELDS }),
    });
    if (!response.ok)
      throw new Error(`the schema ${name} was refused: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  }
}

/** Inserts `count` entities, of the types in turn, and their runs, then updates the planner's statistics. */
export async function seed(
  server: CairnServer,
  count: number,
  types: readonly string[] = TYPES,
): Promise<void> {
  await declareTypes(server, types);
  const client = new pg.Client(server.superuserUrl);
  await client.connect();
  try {
    for (let first = 0; first < count; first += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, count - first) }, (_, i) => first + i);
      const data = numbers.map(dataOf);
      await client.query(ENTITIES, [
        numbers.map(entityId),
        numbers.map((n) => types[n % types.length]),
        data.map((d) => JSON.stringify(d)),
        data.map(searchTextOf),
        String(types.length),
      ]);
      await client.query(COUNTS);
    }
    const runs = Math.max(10, Math.ceil(count / ENTITIES_PER_RUN));
    await client.query(RUNS, [runs, ENTITIES_PER_RUN]);
    await client.query(RUN_ENTITIES, [count, runs, ENTITIES_PER_RUN, RUNS_PER_ENTITY]);
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}
