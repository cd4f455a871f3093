// Small data with potentially large answers: fully related entities, a population with many samples, large
// entities.
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { ServedProcess } from './served.ts';

export const HUBS = Array.from({ length: 12 }, (_, i) => `hub-${i}`);
export const SAMPLES = Array.from({ length: 1000 }, (_, i) => `sample-${i}`);
export const LARGE = Array.from({ length: 60 }, (_, i) => `large-${i}`);
const LARGE_CHARACTERS = 60_000;
const FILE = 'the content of a file\n'.repeat(100);
export const FILE_HASH = `sha256:${createHash('sha256').update(FILE).digest('hex')}`;
/** The entity that holds the file. */
export const STORED = 'stored';

async function must(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300 || text.startsWith('{"errors"')) throw new Error(`${status} ${text.slice(0, 500)}`);
}

const SCHEMAS = [
  { name: 'Population', version: '1', fields: [{ name: 'name', field_type: 'string' }] },
  {
    name: 'Sample',
    version: '1',
    fields: [
      { name: 'name', field_type: 'string' },
      { name: 'population', field_type: 'ref', references: 'Population' },
      { name: 'hub', field_type: 'ref', references: 'Hub' },
    ],
  },
  {
    name: 'Hub',
    version: '1',
    fields: [
      { name: 'name', field_type: 'string' },
      { name: 'next', field_type: 'ref', references: 'Hub' },
      { name: 'hubs', field_type: 'ref', many: true, references: 'Hub' },
    ],
  },
  {
    name: 'Large',
    version: '1',
    fields: [
      { name: 'text', field_type: 'string' },
      { name: 'values', field_type: 'json' },
      { name: 'n', field_type: 'int' },
    ],
  },
  { name: 'Stored', version: '1', fields: [{ name: 'file', field_type: 'uri' }] },
];

/** Data of workflow and artifact: runs with many errors, productions of many entities with long logs. */
async function fillOthers(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query(`INSERT INTO workflow.run (id, action, cause, status, queued_at, finished_at, errors, actor)
      SELECT 'run-' || i, '{"type": "ingest"}', '{}', 'failed', now() - i * interval '1 s', now(),
        (SELECT jsonb_agg(jsonb_build_object('record', k, 'message', repeat('e', 200))) FROM generate_series(1, 100) k), 'user:admin'
      FROM generate_series(1, 100) i`);
    await client.query(`INSERT INTO workflow.run_entity (run_id, entity_id)
      SELECT 'run-' || i, 'sample-' || k FROM generate_series(1, 100) i, generate_series(0, 999) k`);
    await client.query(`INSERT INTO artifact.production (id, entity_type, criteria, status, request_key, plan, entity_ids, requested_by, log)
      SELECT 'production-' || i, 'Sample', '{}', 'completed', 'key-' || i,
        jsonb_build_object('steps', (SELECT jsonb_agg(repeat('p', 100)) FROM generate_series(1, 500))),
        ARRAY(SELECT 'sample-' || k FROM generate_series(0, 999) k), 'user:admin', repeat('a line of the log\n', 10000)
      FROM generate_series(1, 200) i`);
  } finally {
    await client.end();
  }
}

export async function fill(server: ServedProcess): Promise<void> {
  for (const schema of SCHEMAS.filter(({ name }) => name !== 'Sample'))
    await must(server.ask('POST', '/api/v1/metadata/schemas', schema));
  await must(server.ask('POST', '/api/v1/metadata/schemas', SCHEMAS[1]));
  const ingest = (entities: readonly unknown[]): Promise<void> =>
    must(
      server.graphql('mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }', {
        e: entities,
      }),
    );
  await ingest([
    { entityType: 'Population', id: 'population', data: { name: 'all of them' } },
    ...HUBS.map((id, i) => ({
      entityType: 'Hub',
      id,
      data: { name: id, next: HUBS[(i + 1) % HUBS.length], hubs: HUBS },
    })),
    ...SAMPLES.map((id, i) => ({
      entityType: 'Sample',
      id,
      data: { name: id, population: 'population', hub: HUBS[i % HUBS.length] },
    })),
  ]);
  for (let n = 0; n < 3; n++) {
    for (let from = 0; from < LARGE.length; from += 30) {
      await ingest(
        LARGE.slice(from, from + 30).map((id) => ({
          entityType: 'Large',
          id,
          data: {
            n,
            text: `${n}`.repeat(LARGE_CHARACTERS / 2),
            values: Array.from({ length: LARGE_CHARACTERS / 6 }, (_, i) => (i * 7 + n) % 1000),
          },
        })),
      );
    }
  }
  const pairs = [
    ...HUBS.flatMap((a) => HUBS.filter((b) => b !== a).map((b) => [a, b])),
    ...SAMPLES.map((id) => ['population', id]),
  ];
  await ingest([{ entityType: 'Stored', id: STORED, data: {} }]);
  const upload = await fetch(`${server.url}/api/v1/artifact/files/${FILE_HASH.slice('sha256:'.length)}`, {
    method: 'PUT',
    headers: { 'x-api-key': server.key, 'content-type': 'text/plain' },
    body: FILE,
  });
  if (upload.status !== 201) throw new Error(await upload.text());
  await must(server.ask('PUT', `/api/v1/metadata/entities/${STORED}/files/file`, { hash: FILE_HASH }));
  await fillOthers(server.databaseUrl);
  const relating = async (): Promise<void> => {
    for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
      await must(
        server.graphql(
          'mutation($a: ID!, $b: ID!) { relate(sourceId: $a, targetId: $b, relationshipType: "knows") { id } }',
          { a: pair[0], b: pair[1] },
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: 32 }, relating));
}
