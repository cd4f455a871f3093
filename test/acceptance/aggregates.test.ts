// Entities counted and measured in groups (docs/reference/metadata.md#aggregates).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

let server: TestServer;

interface Well {
  readonly id: string;
  readonly soil?: string | null;
  readonly depth?: number | null;
  readonly dug?: string;
  readonly wet?: boolean;
  readonly project?: string;
}

const WELLS: readonly Well[] = [
  { id: 'w1', soil: 'clay', depth: 4, dug: '2026-01-01T10:00:00+01:00', wet: true, project: 'a' },
  { id: 'w2', soil: 'clay', depth: 10, dug: '2025-01-01T00:00:00Z', wet: false, project: 'a' },
  { id: 'w3', soil: 'clay', depth: 10, wet: true, project: 'b' },
  { id: 'w4', soil: 'sand', depth: 2.5, wet: true, project: 'b' },
  { id: 'w5', soil: 'sand', wet: true },
  { id: 'w6', soil: null, depth: null },
];

async function ingest(entityType: string, data: object): Promise<void> {
  const { status, body } = await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: entityType, data },
  });
  expect([status, body.error]).toEqual([200, null]);
}

const ask = (search: Readonly<Record<string, string>>, key?: string) =>
  server.rest(
    'GET',
    `/api/v1/metadata/aggregate?${new URLSearchParams({ entity_type: 'Well', ...search }).toString()}`,
    key === undefined ? {} : { key },
  );

async function groups(search: Readonly<Record<string, string>>, key?: string) {
  const { status, body } = await ask(search, key);
  expect([status, body.error]).toEqual([200, null]);
  return body.data as {
    groups: { key: Record<string, unknown>; count: number; measures: Record<string, unknown> }[];
    total: number;
  };
}
const counts = async (search: Readonly<Record<string, string>>, key?: string) =>
  (await groups(search, key)).groups.map(({ key: values, count }) => [...Object.values(values), count]);

async function refusal(search: Readonly<Record<string, string>>) {
  const { status, body } = await ask(search);
  return { status, message: body.error.message as string };
}

let before: string;

beforeAll(async () => {
  server = await startServer();
  const schemas = [
    {
      name: 'Well',
      version: '1',
      fields: [
        { name: 'soil', field_type: 'string' },
        { name: 'depth', field_type: 'float' },
        { name: 'dug', field_type: 'datetime' },
        { name: 'wet', field_type: 'bool' },
        { name: 'project', field_type: 'string' },
        { name: 'notes', field_type: 'json' },
        { name: 'tags', field_type: 'string', many: true },
      ],
    },
    { name: 'Spring', version: '1', parent: 'Well', fields: [{ name: 'flow', field_type: 'int' }] },
  ];
  for (const body of schemas) await server.rest('POST', '/api/v1/metadata/schemas', { body });
  for (const well of WELLS) await ingest('Well', well);
  before = new Date().toISOString().replace('Z', '999Z');
  await ingest('Spring', { id: 's1', soil: 'rock', depth: 1, flow: 3 });
  await ingest('Well', { id: 'w4', soil: 'rock' });
  await server.rest('POST', '/api/v1/metadata/entities/w3/availability', {
    body: { is_available: false, reason: 'dry' },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

test('groups are counted, those with most entities first, an absent value and null as null', async () => {
  // what is unavailable is left out, and subtypes are not
  expect(await counts({ group_by: 'soil' })).toEqual([
    ['clay', 2],
    ['rock', 2],
    ['sand', 1],
    [null, 1],
  ]);
  expect(await counts({ group_by: 'soil,wet', soil: 'rock' })).toEqual([
    ['rock', true, 1],
    ['rock', null, 1],
  ]);
  expect(await counts({ group_by: 'entity_type' })).toEqual([
    ['Well', 5],
    ['Spring', 1],
  ]);
  expect(await counts({ group_by: 'version' })).toEqual([
    [1, 5],
    [2, 1],
  ]);
});

test('without group_by all entities are one group, also when there are none', async () => {
  expect(await groups({})).toMatchObject({ groups: [{ key: {}, count: 6, measures: {} }], total: 1 });
  expect(await groups({ soil: 'peat', of: 'depth' })).toMatchObject({
    groups: [
      {
        count: 0,
        measures: { depth: { count: 0, distinct: 0, min: null, max: null, sum: null, avg: null } },
      },
    ],
    total: 1,
  });
  expect(await groups({ soil: 'peat', group_by: 'soil' })).toMatchObject({ groups: [], total: 0 });
});

test('numbers have sum and mean, strings and times minimum and maximum, booleans none of them', async () => {
  const { groups: found } = await groups({
    include_unavailable: 'true',
    soil: 'clay',
    of: 'depth,dug,wet,soil,created_at',
  });
  expect(found[0]?.measures).toEqual({
    depth: { count: 3, distinct: 2, min: 4, max: 10, sum: 24, avg: 8 },
    dug: { count: 2, distinct: 2, min: '2025-01-01T00:00:00.000000Z', max: '2026-01-01T09:00:00.000000Z' },
    wet: { count: 3, distinct: 2 },
    soil: { count: 3, distinct: 1, min: 'clay', max: 'clay' },
    created_at: { count: 3, distinct: 3, min: expect.any(String), max: expect.any(String) },
  });
});

test('a sum beyond the range of doubles is null, the mean is exact', async () => {
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: { name: 'Star', version: '1', fields: [{ name: 'mass', field_type: 'float' }] },
  });
  for (const id of ['r1', 'r2']) await ingest('Star', { id, mass: 1.5e308 });
  const { groups: found } = await groups({ entity_type: 'Star', of: 'mass' });
  expect(found[0]?.measures).toEqual({
    mass: { count: 2, distinct: 1, min: 1.5e308, max: 1.5e308, sum: null, avg: 1.5e308 },
  });
});

test('naming is_available, in group_by or filter, counts what is unavailable too', async () => {
  expect(await counts({ group_by: 'is_available' })).toEqual([
    [true, 6],
    [false, 1],
  ]);
  expect(await counts({ group_by: 'soil', filter: '!is_available && data.depth > 3.0' })).toEqual([
    ['clay', 1],
  ]);
});

test('a page of groups has the total of all', async () => {
  expect(await groups({ group_by: 'soil', limit: '1', offset: '1' })).toMatchObject({
    groups: [{ key: { soil: 'rock' } }],
    total: 4,
    limit: 1,
    offset: 1,
  });
  expect(await groups({ group_by: 'soil', offset: '9' })).toMatchObject({ groups: [], total: 4 });
});

test('an aggregate as of a time is computed from the states of that time', async () => {
  expect(await counts({ group_by: 'soil', as_of: before })).toEqual([
    ['clay', 3],
    ['sand', 2],
    [null, 1],
  ]);
  const { groups: found } = await groups({ of: 'depth,updated_at', soil: 'sand', as_of: before });
  expect(found[0]).toMatchObject({
    count: 2,
    measures: { depth: { count: 1, sum: 2.5 }, updated_at: { count: 2 } },
  });
});

test('a caller of one project counts and measures what it sees, now and in the past', async () => {
  const key = await server.newKey({ role: 'viewer', project: 'a' });
  expect(await counts({ group_by: 'project' }, key)).toEqual([
    [null, 3],
    ['a', 2],
  ]);
  const { groups: found } = await groups({ of: 'depth', as_of: before }, key);
  expect(found[0]).toMatchObject({ count: 4, measures: { depth: { count: 2, sum: 14, max: 10 } } });
});

test('GraphQL answers the same', async () => {
  const { body } = await server.graphql(
    '{ aggregate(entityType: "Spring", groupBy: ["soil"], of: ["flow"]) { groups { key count measures } total } }',
  );
  expect(body).toMatchObject({
    data: {
      aggregate: {
        groups: [
          {
            key: { soil: 'rock' },
            count: 1,
            measures: { flow: { count: 1, distinct: 1, min: 3, max: 3, sum: 3, avg: 3 } },
          },
        ],
        total: 1,
      },
    },
  });
});

test.each([
  [{ group_by: 'sil' }, 'sil'],
  [{ of: 'flow' }, 'flow'], // of a subtype
  [{ group_by: 'notes' }, 'notes'],
  [{ of: 'tags' }, 'tags'],
  [{ group_by: 'data' }, 'data'],
  [{ group_by: "x'--" }, "x'--"],
  [{ group_by: 'a,b,c,d,e,f,g,h,i' }, 'group_by'],
  [{ peat: '1' }, 'peat'],
])('%o is 422 and names the field', async (search, field) => {
  const { status, message } = await refusal(search);
  expect(status).toBe(422);
  expect(message.split(/[\s:]+/)).toContain(field);
});

test('a filter that the database cannot decide is refused, with the term', async () => {
  const said = await refusal({ filter: 'data.soil == "clay" && data.depth * 1.0 < 9.0' });
  expect(said).toMatchObject({ status: 422 });
  expect(said.message).toMatch(/^filter: .* as \(data\.depth \* 1\.0\) < 9\.0 requires: ./);
});

test('an unknown type, and bounds beyond those of lists, are refused', async () => {
  expect((await refusal({ entity_type: 'Wel' })).status).toBe(422);
  expect((await refusal({ limit: '1001' })).status).toBe(422);
  const { body } = await server.graphql('{ aggregate(entityType: "Well", limit: 0) { total } }');
  expect(body.errors[0].extensions.code).toBe('VALIDATION_FAILED');
});
