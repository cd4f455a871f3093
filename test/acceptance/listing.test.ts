// Filters, field parameters, order and cursors of a listing (docs/reference/metadata.md#listing).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

let server: TestServer;
const list = async (query: Record<string, string> | string) => {
  const search = typeof query === 'string' ? query : new URLSearchParams(query).toString();
  return server.rest('GET', `/api/v1/metadata/entities?${search}`);
};
const ids = async (query: Record<string, string> | string): Promise<string[]> => {
  const { status, body } = await list(query);
  expect(body.error).toBeNull();
  expect(status).toBe(200);
  expect(body.data.total).toBe(body.data.items.length);
  return body.data.items.map((item: { id: string }) => item.id);
};

beforeAll(async () => {
  server = await startServer();
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: {
      name: 'Patient',
      version: '1',
      fields: [
        { name: 'age', field_type: 'int' },
        { name: 'sex', field_type: 'string' },
        { name: 'weight', field_type: 'float' },
        { name: 'ok', field_type: 'bool' },
        { name: 'tags', field_type: 'string', many: true },
        { name: 'note', field_type: 'string' },
      ],
    },
  });
  const rows = [
    { id: 'p1', age: 10, sex: 'female', weight: 1.5, ok: true, tags: ['a', 'b'] },
    { id: 'p2', age: 20, sex: 'male', weight: 2, ok: false, tags: ['b'], note: null },
    { id: 'p3', age: 30, sex: 'female', weight: 70.25, tags: [] },
    { id: 'p4', age: 40, sex: 'other', note: '30' },
  ];
  for (const row of rows)
    expect(
      (await server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'Patient', data: row } }))
        .status,
    ).toBe(200);
});
afterAll(() => server[Symbol.asyncDispose]());

test('a field parameter compares the text form; repeating it means or; different ones mean and', async () => {
  expect(await ids('entity_type=Patient&sex=female')).toEqual(['p1', 'p3']);
  expect(await ids('entity_type=Patient&sex=female&sex=male')).toEqual(['p1', 'p2', 'p3']);
  expect(await ids('entity_type=Patient&sex=female&age=30')).toEqual(['p3']);
  expect(await ids('entity_type=Patient&weight=2')).toEqual(['p2']);
  expect(await ids('entity_type=Patient&ok=true')).toEqual(['p1']);
  expect(await ids('entity_type=Patient&age=030')).toEqual([]);
  expect((await list('entity_type=Patient&colour=red')).status).toBe(422);
  expect((await list('entity_type=Patient&colour=red')).body.error).toMatchObject({
    code: 422,
    message: expect.stringContaining('colour') as string,
  });
});

test('a CEL filter keeps exactly the entities for which it is true', async () => {
  const filter = (text: string) => ids({ entity_type: 'Patient', filter: text });
  expect(await filter('data.age > 15 && data.sex == "female"')).toEqual(['p3']);
  expect(await filter('data.age in [10, 40]')).toEqual(['p1', 'p4']);
  expect(await filter('data.weight > 1')).toEqual(['p1', 'p2', 'p3']);
  expect(await filter('"b" in data.tags')).toEqual(['p1', 'p2']);
  expect(await filter('data.tags.exists(t, t.startsWith("a"))')).toEqual(['p1']);
  expect(await filter('data.sex.matches("^(fe)?male$")')).toEqual(['p1', 'p2', 'p3']);
  expect(await filter('has(data.note)')).toEqual(['p2', 'p4']);
  expect(await filter('data.note == null')).toEqual(['p2']);
  expect(await filter('data.note != "x"')).toEqual(['p2', 'p4']);
  expect(await filter('!data.ok || data.age == 10.0')).toEqual(['p1', 'p2']);
  expect(await filter('data.tags.map(t, t + "!").exists(t, t == "a!")')).toEqual(['p1']);
  expect(await filter('id == "p4" && is_available && created_at <= updated_at')).toEqual(['p4']);
  expect(await filter('created_at > timestamp("2020-01-01T00:00:00Z") && version == 1')).toHaveLength(4);
});

test('an invalid filter is 422 with its position, before anything runs', async () => {
  for (const [text, part] of [
    ['data.age >', 'line 1'],
    ['nope == 1', 'nope'],
    ['data.age + 1.0', 'bool'],
    ['foo(data.age)', 'foo'],
  ] as const) {
    const { status, body } = await list({ filter: text });
    expect([status, body.error.code]).toEqual([422, 422]);
    expect(body.error.message).toContain(part);
  }
});

test('naming is_available in a filter includes unavailable entities', async () => {
  const key = server.key;
  await server.rest('POST', '/api/v1/metadata/ingest', {
    key,
    body: { entity_type: 'Patient', data: { id: 'gone', age: 99 } },
  });
  const gone = await server.rest('DELETE', '/api/v1/metadata/entities/gone');
  if (gone.status !== 200) return; // deletion arrives with the availability noun
  expect(await ids('entity_type=Patient&age=99')).toEqual([]);
  expect(await ids('entity_type=Patient&age=99&include_unavailable=true')).toEqual(['gone']);
  expect(await ids('entity_type=Patient&is_available=false')).toEqual(['gone']);
  expect(await ids({ entity_type: 'Patient', filter: '!is_available' })).toEqual(['gone']);
});

test('pages follow each other by cursor in any order, filters included', async () => {
  for (const order of [
    '',
    'created_at',
    '-created_at',
    'updated_at',
    '-id',
    'data.age',
    '-data.sex',
    'data.weight',
  ]) {
    const whole = await ids({
      entity_type: 'Patient',
      limit: '1000',
      ...(order === '' ? {} : { order_by: order }),
    });
    const walked: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await list({
        entity_type: 'Patient',
        limit: '1',
        ...(order === '' ? {} : { order_by: order }),
        ...(cursor === null ? {} : { cursor }),
      });
      walked.push(...body.data.items.map((item: { id: string }) => item.id));
      cursor = body.data.next_cursor;
    } while (cursor !== null);
    expect([order, walked]).toEqual([order, whole]);
  }
});

test('limits, offsets and cursors out of range are 422', async () => {
  for (const query of [
    'limit=0',
    'limit=1001',
    'limit=x',
    'offset=-1',
    'cursor=AAAA',
    'order_by=nope',
    'limit=1&limit=2',
    'include_unavailable=perhaps',
  ]) {
    expect([query, (await list(query)).status]).toEqual([query, 422]);
  }
});
