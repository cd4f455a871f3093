// docs/reference/metadata.md#growth: how many entities were created on each of the last days, over the whole platform.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asSuperuser } from '../testkit/database.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { countCreated } from '../../subgraphs/metadata/growth/growth.store.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (const name of ['Sample', 'Run'])
    await server.rest('POST', '/api/v1/metadata/schemas', {
      body: { name, version: '1', fields: [{ name: 'project', field_type: 'string' }] },
    });
});
afterAll(() => server[Symbol.asyncDispose]());

const growth = async (args = '', key = server.key) =>
  (
    await server.graphql(
      `{ entityGrowth${args} { from isComplete types { entityType created } } }`,
      {},
      { key },
    )
  ).body;

test('without entities there are days, and no types', async () => {
  const midnight = new Date();
  midnight.setUTCHours(0, 0, 0, 0);
  expect((await growth('(days: 3)')).data.entityGrowth).toEqual({
    from: new Date(midnight.getTime() - 2 * 86_400_000).toISOString().replace('.000Z', '.000000Z'),
    isComplete: true,
    types: [],
  });
});

test('entities count on the day of their creation, in their project, for those who see them', async () => {
  const { body } = await server.graphql(
    'mutation ($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }',
    {
      e: [
        ...Array.from({ length: 5 }, (_, i) => ({ entityType: 'Sample', id: `s:${i}`, data: {} })),
        { entityType: 'Run', id: 'r:1', data: { project: 'lab' } },
        { entityType: 'Run', id: 'r:2', data: { project: 'other' } },
      ],
    },
  );
  expect(body.data.ingestEntities.created).toBe(7);
  await server.rest('PUT', '/api/v1/metadata/entities/Sample/s:0', { body: { data: { project: 'lab' } } }); // a change is no creation
  const of = async (args: string, key?: string) => (await growth(args, key)).data.entityGrowth.types;
  expect(await of('(days: 2)')).toEqual([
    { entityType: 'Run', created: [0, 2] },
    { entityType: 'Sample', created: [0, 5] },
  ]);
  expect(await of('(days: 1, project: "lab")')).toEqual([
    { entityType: 'Run', created: [1] },
    { entityType: 'Sample', created: [1] },
  ]);
  const stranger = await server.newKey({ role: 'viewer', project: 'other' });
  expect(await of('(days: 1)', stranger)).toEqual([
    { entityType: 'Run', created: [1] },
    { entityType: 'Sample', created: [4] },
  ]);
});

test('days are from 1 to 366', async () => {
  for (const days of [0, 367])
    expect((await growth(`(days: ${days})`)).errors[0].message).toBe('days must be from 1 to 366');
  expect((await growth('(days: 366)')).data.entityGrowth.types[0].created).toHaveLength(366);
});

test('an entity of yesterday counts for yesterday', async () => {
  const {
    rows: [named],
  } = await server.database.pool.query<{ name: string }>('SELECT current_database() AS name');
  await asSuperuser(
    `ALTER TABLE metadata.provenance DISABLE TRIGGER USER;
     UPDATE metadata.provenance SET timestamp = timestamp - interval '1 day';
     ALTER TABLE metadata.provenance ENABLE TRIGGER USER`,
    named?.name,
  );
  await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Sample', id: 's:today', data: {} },
  });
  expect((await growth('(days: 3)')).data.entityGrowth.types).toEqual([
    { entityType: 'Run', created: [0, 2, 0] },
    { entityType: 'Sample', created: [0, 5, 1] },
  ]);
});

test('days before are told apart, only the newest are read, and both by an index', async () => {
  const { pool } = server.database;
  const query = {
    days: 3,
    project: null,
    identity: { actor: 'a', roles: [], projects: '*' },
    most: 3,
  } as const;
  const rows = await countCreated(pool, query);
  expect(rows.reduce((sum, { created }) => sum + created, 0)).toBe(3);
  expect(rows.at(-1)?.day).toBe(3);
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL enable_seqscan = off');
    const seen: string[] = [];
    await countCreated(
      {
        query: async (text: string, values: unknown[]) => {
          const { rows: lines } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
          seen.push(...lines.map((line) => line['QUERY PLAN']));
          return { rows: [] };
        },
      } as never, // only the text of the statement is wanted
      query,
    );
    expect(seen.join('\n')).toContain('provenance_timestamp_key');
    expect(seen.join('\n')).toContain('entity_first_event_key');
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
