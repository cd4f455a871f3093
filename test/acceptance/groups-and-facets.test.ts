// Groups by intervals, their percentiles and conditions, and facets: by REST, in GraphQL, and in the types of
// schemas (docs/reference/metadata.md#aggregates).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

let server: TestServer;

interface Catch {
  readonly id: string;
  readonly fish: string | null;
  readonly mass?: number;
  readonly on?: string;
  readonly at?: string;
  readonly project?: string;
}
const FISH = ['perch', 'roach', 'pike', 'tench'];
/** Numbers that look random and are the same in every run. */
const CATCHES: readonly Catch[] = Array.from({ length: 60 }, (_, i): Catch => {
  const n = (i * 7919) % 101;
  const day = String(1 + ((i * 13) % 28)).padStart(2, '0');
  const month = String(1 + ((i * 5) % 12)).padStart(2, '0');
  return {
    id: `c${i}`,
    fish: i % 11 === 0 ? null : (FISH[(n * i) % 4] ?? null),
    ...(i % 9 === 0 ? {} : { mass: n / 4 - 3 }),
    on: `${2024 + (i % 2)}-${month}-${day}`,
    at: `2025-${month}-${day}T${String(i % 24).padStart(2, '0')}:30:00+02:00`,
    ...(i % 3 === 0 ? { project: 'theirs' } : {}),
  };
});

beforeAll(async () => {
  server = await startServer();
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: {
      name: 'Catch',
      version: '1',
      fields: [
        { name: 'fish', field_type: 'string' },
        { name: 'mass', field_type: 'float' },
        { name: 'on', field_type: 'date' },
        { name: 'at', field_type: 'datetime' },
        { name: 'null', field_type: 'bool' },
        { name: 'project', field_type: 'string' },
      ],
    },
  });
  const { status } = await server.rest('POST', '/api/v1/metadata/ingest/bulk', {
    body: CATCHES.map(({ id, ...data }) => ({ entity_type: 'Catch', id, data })),
  });
  expect(status).toBeLessThan(300);
});
afterAll(() => server[Symbol.asyncDispose]());

type Row = { key: Record<string, unknown>; count: number; measures: Record<string, Record<string, unknown>> };
const ask = (what: string, search: Readonly<Record<string, string>>, key?: string) =>
  server.rest(
    'GET',
    `/api/v1/metadata/${what}?${new URLSearchParams({ entity_type: 'Catch', ...search }).toString()}`,
    key === undefined ? {} : { key },
  );
async function groups(
  search: Readonly<Record<string, string>>,
  key?: string,
): Promise<{ groups: Row[]; total: number }> {
  const { status, body } = await ask('aggregate', search, key);
  expect([status, body.error]).toEqual([200, null]);
  return body.data as { groups: Row[]; total: number };
}
async function refusal(what: string, search: Readonly<Record<string, string>>): Promise<string> {
  const { status, body } = await ask(what, search);
  return `${status} ${body.error.message as string}`;
}

/** What the groups should be, counted here. */
function counted(keyOf: (one: Catch) => unknown): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of CATCHES) {
    const key = JSON.stringify(keyOf(one) ?? null);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
const keyed = (name: string, rows: readonly Row[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ key, count }) => [JSON.stringify(key[name]), count]));

const utc = (one: Catch): Date => new Date(one.at ?? '');
const instant = (date: Date): string => `${date.toISOString().slice(0, 10)}T00:00:00.000000Z`;
const monday = (text: string): string => {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
};

test.each<[string, (one: Catch) => unknown]>([
  ['on:year', (one) => `${one.on?.slice(0, 4)}-01-01`],
  [
    'on:quarter',
    (one) =>
      `${one.on?.slice(0, 4)}-${String(Math.floor((Number(one.on?.slice(5, 7)) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`,
  ],
  ['on:month', (one) => `${one.on?.slice(0, 7)}-01`],
  ['on:week', (one) => monday(one.on ?? '')],
  ['on:day', (one) => one.on],
  ['at:day', (one) => instant(utc(one))],
  ['at:week', (one) => `${monday(utc(one).toISOString())}T00:00:00.000000Z`],
  ['at:hour', (one) => `${utc(one).toISOString().slice(0, 13)}:00:00.000000Z`],
  ['mass:2.5', (one) => (one.mass === undefined ? null : Math.floor(one.mass / 2.5) * 2.5)],
  ['mass:10', (one) => (one.mass === undefined ? null : Math.floor(one.mass / 10) * 10)],
])('values are grouped by the interval %s', async (name, keyOf) => {
  const { groups: rows, total } = await groups({ group_by: name, limit: '1000' });
  expect(keyed(name, rows)).toEqual(counted(keyOf));
  expect(total).toBe(rows.length);
});

test('numbers have percentiles, interpolated between neighbours', async () => {
  const masses = CATCHES.flatMap(({ mass }) => mass ?? []).sort((a, b) => a - b);
  const at = (share: number): number => {
    const place = share * (masses.length - 1);
    const [low, high] = [masses[Math.floor(place)] ?? NaN, masses[Math.ceil(place)] ?? NaN];
    return low + (high - low) * (place % 1);
  };
  const { groups: rows } = await groups({ of: 'mass,fish', percentiles: '0,0.5,0.9,1' });
  const found = rows[0]?.measures['mass']?.['percentiles'] as Record<string, number>;
  expect(Object.keys(found).sort()).toEqual(['0', '0.5', '0.9', '1']);
  for (const [share, value] of Object.entries(found)) expect(value).toBeCloseTo(at(Number(share)), 9);
  expect(rows[0]?.measures['fish']).not.toHaveProperty('percentiles');
  const { groups: none } = await groups({ fish: 'whale', of: 'mass', percentiles: '0.5' });
  expect(none[0]?.measures['mass']?.['percentiles']).toEqual({ '0.5': null });
});

test('groups meet a condition on how many they are, what they share and what is measured of them', async () => {
  const { groups: all } = await groups({ group_by: 'fish', of: 'mass' });
  const meeting = (isMet: (row: Row) => boolean): unknown => all.filter(isMet).map(({ key }) => key['fish']);
  const found = async (having: string): Promise<unknown> => {
    const { groups: rows, total } = await groups({ group_by: 'fish', having });
    expect(total).toBe(rows.length);
    return rows.map(({ key }) => key['fish']);
  };
  const avg = ({ measures }: Row): number => measures['mass']?.['avg'] as number;
  const middle = all.map(avg).sort((a, b) => a - b)[2] ?? 0;
  expect(await found('count > 12')).toEqual(meeting(({ count }) => count > 12));
  expect(await found(`measures.mass.avg >= ${middle}`)).toEqual(meeting((row) => avg(row) >= middle));
  expect(await found(`key.fish.startsWith("p") && measures["mass"].max > 0.0`)).toEqual(
    meeting(({ key }) => String(key['fish']).startsWith('p')),
  );
  expect(await found('key.fish == null || count > 1000')).toEqual([null]);
  expect(await found('count > 1000')).toEqual([]);
  expect(await refusal('aggregate', { group_by: 'fish', having: 'measures.mass.avg * 2.0 > 1.0' })).toMatch(
    /^422 having: the database cannot decide it/,
  );
  expect(await refusal('aggregate', { group_by: 'fish', having: 'data.mass > 1.0' })).toMatch(/^422 .*data/);
  expect(await refusal('aggregate', { having: 'measures.unheard.avg > 1.0' })).toMatch(
    /^422 unknown field unheard/,
  );
});

test('groups, intervals and measures that do not fit a field are refused, naming it', async () => {
  expect(await refusal('aggregate', { group_by: 'fish:month' })).toMatch(/^422 fish:month: /);
  expect(await refusal('aggregate', { group_by: 'on:hour' })).toMatch(/^422 on:hour: /);
  expect(await refusal('aggregate', { group_by: 'mass:0' })).toMatch(/^422 mass:0: /);
  expect(await refusal('aggregate', { group_by: 'mass:-1' })).toMatch(/^422 mass:-1: /);
  expect(await refusal('aggregate', { group_by: "on:month'; --" })).toMatch(/^422 on:month'; --: /);
  expect(await refusal('aggregate', { of: 'mass', percentiles: '1.5' })).toMatch(/^422 percentiles takes/);
  expect(await refusal('aggregate', { of: 'mass', percentiles: 'half' })).toMatch(/^422 percentiles must be/);
  expect(await refusal('facets', { of: 'unheard' })).toMatch(/^422 unknown field unheard/);
  expect(await refusal('facets', {})).toMatch(/^422 of must name a field/);
  expect(await refusal('facets', { of: 'fish', filter: 'data.mass * 2.0 > 1.0' })).toMatch(/^422 filter: /);
});

interface Facet {
  field: string;
  values: { value: unknown; count: number }[];
  distinct: number;
  missing: number;
}
const facets = async (search: Readonly<Record<string, string>>, key?: string): Promise<Facet[]> => {
  const { status, body } = await ask('facets', search, key);
  expect([status, body.error]).toEqual([200, null]);
  return body.data as Facet[];
};

test('facets are the largest groups of each field, of the same entities', async () => {
  const viewer = await server.newKey({ role: 'viewer', project: 'ours' });
  for (const [more, key] of [
    [{}, server.key],
    [{ filter: 'data.mass > 2.0' }, server.key],
    [{ as_of: new Date().toISOString() }, server.key],
    [{}, viewer],
  ] as const) {
    const found = await facets({ of: 'fish,mass,on,created_at,project', limit: '3', ...more }, key);
    expect(found.map(({ field }) => field)).toEqual(['fish', 'mass', 'on', 'created_at', 'project']);
    for (const { field, values, distinct, missing } of found) {
      const { groups: rows } = await groups({ group_by: field, limit: '1000', ...more }, key);
      const present = rows.filter(({ key: shared }) => shared[field] !== null);
      expect(values).toEqual(
        present.slice(0, 3).map(({ key: shared, count }) => ({ value: shared[field], count })),
      );
      expect(distinct).toBe(present.length);
      expect(missing).toBe(rows.find(({ key: shared }) => shared[field] === null)?.count ?? 0);
    }
  }
  expect(await facets({ of: 'fish', fish: 'whale' })).toEqual([
    { field: 'fish', values: [], distinct: 0, missing: 0 },
  ]);
});

test('typed aggregates give the same values, and compute only what is selected', async () => {
  const askTypes = () =>
    server.graphql(
      `query ($at: [Float!]!) { typed {
      catchAggregate(where: {mass: {gt: 0}}, groupBy: [{field: fish}, {field: on, period: YEAR}], having: "count > 2", limit: 3) {
        totalCount
        groups { count fields { fish { key } on { key min } mass { key count countDistinct min max sum avg percentiles(at: $at) some: percentiles(at: [0.5]) } } } }
      widths: catchAggregate(groupBy: [{field: mass, width: 10}]) { groups { count fields { mass { key } } } }
      all: catchAggregate { groups { count fields { null { count } } } }
      catchFacets(of: [fish, on], limit: 2) { field values { value count } distinct missing } } }`,
      { at: [0.1, 0.9] },
    );
  const { body } = await askTypes();
  // compiled when it is used again
  for (let i = 0; i < 5; i++) expect((await askTypes()).body.data).toEqual(body.data);
  expect(body.errors).toBeUndefined();
  const { groups: rows, total } = await groups({
    filter: 'data.mass > 0.0',
    group_by: 'fish,on:year',
    of: 'mass,on',
    percentiles: '0.1,0.9,0.5',
    having: 'count > 2',
    limit: '3',
  });
  expect(body.data.typed.catchAggregate).toEqual({
    totalCount: total,
    groups: rows.map(({ key, count, measures: { mass, on } }) => {
      const shares = mass?.['percentiles'] as Record<string, number>;
      return {
        count,
        fields: {
          fish: { key: key['fish'] },
          on: { key: key['on:year'], min: on?.['min'] },
          mass: {
            key: null,
            count: mass?.['count'],
            countDistinct: mass?.['distinct'],
            min: mass?.['min'],
            max: mass?.['max'],
            sum: mass?.['sum'],
            avg: mass?.['avg'],
            percentiles: [shares['0.1'], shares['0.9']],
            some: [shares['0.5']],
          },
        },
      };
    }),
  });
  expect(
    Object.fromEntries(
      body.data.typed.widths.groups.map(
        ({ count, fields }: { count: number; fields: { mass: { key: unknown } } }) => [
          String(fields.mass.key),
          count,
        ],
      ),
    ),
  ).toEqual(counted(({ mass }) => (mass === undefined ? null : Math.floor(mass / 10) * 10)));
  expect(body.data.typed.all).toEqual({ groups: [{ count: 60, fields: { null: { count: 0 } } }] });
  expect(body.data.typed.catchFacets).toEqual(await facets({ of: 'fish,on', limit: '2' }));
  const refused = await server.graphql(
    '{ typed { catchAggregate(groupBy: [{field: on, period: YEAR}, {field: on}]) { totalCount } } }',
  );
  expect(refused.body.errors[0].message).toContain('groupBy takes each field once');
});
