// The field of five-files.ts, wherever entities are read, filtered and kept. It is not there without these edits:
// `npm run prove-entity-field` makes them in a copy and runs this file there.
import { expect, test } from 'vitest';
import { exported, imported, startInstance } from '../archive/archive-testkit.ts';

const METADATA = '/api/v1/metadata';
const NOW = `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`;
const THING = {
  name: 'Thing',
  version: '1',
  fields: [
    { name: 'n', field_type: 'int' },
    { name: 'of', field_type: 'ref', references: 'Thing' },
  ],
};

/** An instance with an entity of the administrator's and one of Ada's, which refers to it and changed after `at`. */
async function withThings() {
  const server = await startInstance();
  const rest = async (method: string, path: string, body?: unknown, key = server.key) => {
    const answer = await server.rest(method, METADATA + path, { body, key });
    expect([path, answer.status], answer.text).toEqual([path, 200]);
    return answer;
  };
  await rest('POST', '/schemas', THING);
  await rest('POST', '/ingest', { entity_type: 'Thing', id: 'a', data: { n: 1 } });
  const ada = await server.newKey({ role: 'analyst', owner: 'user:ada' });
  await rest('POST', '/ingest', { entity_type: 'Thing', id: 'b', data: { n: 1, of: 'a' } }, ada);
  const { rows } = await server.database.pool.query<{ at: string }>(NOW);
  await rest('PUT', '/entities/Thing/b', { data: { n: 2 } });
  return { server, rest, at: rows[0]?.at ?? '' };
}

test('REST shows it, filters by it, and tells it of the past', async () => {
  const { server, rest, at } = await withThings();
  await using _ = server;
  const { data } = (await rest('GET', '/entities/b')).body;
  expect(Object.keys(data).slice(-3)).toEqual(['updated_at', 'made_by', 'is_available']);
  expect(data).toMatchObject({ made_by: 'user:ada', version: 2 });
  const found = async (query: Record<string, string>): Promise<unknown> =>
    (await rest('GET', `/entities?${new URLSearchParams(query).toString()}`)).body.data.items.map(
      (one: { id: string }) => one.id,
    );
  expect(await found({ made_by: 'user:ada' })).toEqual(['b']);
  expect(await found({ filter: 'made_by == "user:ada" && data.n == 2' })).toEqual(['b']);
  expect(await found({ filter: 'made_by.startsWith("user:") && made_by != "user:ada"' })).toEqual(['a']);
  expect(await found({ as_of: at, filter: 'made_by == "user:ada" && data.n == 1' })).toEqual(['b']);
  expect((await rest('GET', `/entities/b?as_of=${at}`)).body.data).toMatchObject({
    made_by: 'user:ada',
    version: 1,
  });
  expect((await rest('GET', '/entities/b?expand=of')).body.data.expanded.of.made_by).toBe('user:admin');
});

test('GraphQL shows it and filters by it, of types that schemas define, too', async () => {
  const { server, at } = await withThings();
  await using _ = server;
  const { body } = await server.graphql(`{
    entity(id: "b") { madeBy stateAt(at: "${at}") { madeBy } }
    entities(filter: "made_by == 'user:ada'") { items { id madeBy } }
    typed { thingList(filter: "made_by == 'user:ada'", where: {n: {eq: 2}}) { nodes { id entity { madeBy } of { entity { madeBy } } } } }
  }`);
  expect(body).toMatchObject({
    data: {
      entity: { madeBy: 'user:ada', stateAt: { madeBy: 'user:ada' } },
      entities: { items: [{ id: 'b', madeBy: 'user:ada' }] },
      typed: {
        thingList: {
          nodes: [{ id: 'b', entity: { madeBy: 'user:ada' }, of: { entity: { madeBy: 'user:admin' } } }],
        },
      },
    },
  });
});

test('exports and archives hold it, and an import brings it back, of the past, too', async () => {
  const { server, rest, at } = await withThings();
  await using _ = server;
  expect((await rest('GET', '/export/Thing.csv')).text.split('\n')[0]).toContain('made_by');
  expect((await rest('GET', '/export/Thing.ndjson')).text).toContain('"made_by":"user:ada"');
  const { bytes, summary } = await exported(server.config);
  await using other = await startInstance();
  expect(await imported(other.config, bytes)).toEqual(summary);
  for (const query of ['', `?as_of=${at}`])
    expect((await other.rest('GET', `${METADATA}/entities/b${query}`)).body.data.made_by).toBe('user:ada');
  expect((await exported(other.config)).bytes.equals(bytes)).toBe(true);
});
