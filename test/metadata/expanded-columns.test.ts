// Exports and tables with the fields of the entities that references lead to
// (docs/reference/metadata.md#expanded-columns).
import { parse } from 'csv-parse/sync';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

const META = '/api/v1/metadata';
const SAMPLES = 1200;

const SCHEMAS = [
  { name: 'Site', version: '1', fields: [{ name: 'town', field_type: 'string' }] },
  {
    name: 'Donor',
    version: '1',
    fields: [
      { name: 'age', field_type: 'int' },
      { name: 'born', field_type: 'date' },
      { name: 'site', field_type: 'ref', references: 'Site' },
      { name: 'friends', field_type: 'ref', references: 'Donor', many: true },
      { name: 'project', field_type: 'string' },
    ],
  },
  {
    name: 'Sample',
    version: '1',
    fields: [
      { name: 'donor', field_type: 'ref', references: 'Donor' },
      { name: 'data', field_type: 'ref', references: 'Odd' },
      { name: 'version', field_type: 'string' },
      { name: 'project', field_type: 'string' },
    ],
  },
  { name: 'Odd', version: '1', fields: [{ name: 'version', field_type: 'string' }] },
];

describe.each(['in-process', 'http'] as const)('%s', (transport) => {
  let server: TestServer;
  let before: string;
  const get = (path: string, headers: Record<string, string> = {}, key?: string) =>
    server.rest('GET', META + path, { headers, ...(key === undefined ? {} : { key }) });
  const csv = async (path: string, key?: string): Promise<Record<string, string>[]> => {
    const answer = await get(path, {}, key);
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.anything()]);
    return parse(answer.text, { columns: true });
  };
  const ingest = async (entityType: string, rows: readonly object[]): Promise<void> => {
    const { body } = await server.graphql(
      'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created updated } }',
      { e: rows.map((data) => ({ entityType, data })) },
    );
    expect(body.errors).toBeUndefined();
  };

  beforeAll(async () => {
    server = await startServer({ transport });
    for (const body of [SCHEMAS[0], SCHEMAS[1], SCHEMAS[3], SCHEMAS[2]])
      expect((await server.rest('POST', `${META}/schemas`, { body })).status).toBe(200);
    await ingest('Site', [{ id: 'site', town: 'Oslo' }]);
    await ingest('Odd', [{ id: 'odd', version: 'of odd' }]);
    await ingest(
      'Donor',
      Array.from({ length: 100 }, (_, i) => ({
        id: `d${i}`,
        age: i,
        born: '2001-02-03',
        friends: ['d1', 'd2'],
        project: i < 50 ? 'a' : 'b',
        ...(i === 1 ? { site: 'site' } : {}),
      })),
    );
    await ingest(
      'Sample',
      Array.from({ length: SAMPLES }, (_, i) => ({
        id: `s${String(i).padStart(4, '0')}`,
        donor: i === 7 ? 'nowhere' : `d${i % 100}`,
        project: 'a',
        ...(i === 1 ? { data: 'odd', version: 'own' } : {}),
      })),
    );
    before = (await get('/entities/s1199')).body.data.updated_at;
    await ingest('Donor', [{ id: 'd3', age: 1003, project: 'b' }]);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test('the fields of a reference are columns after those of the type, in every block', async () => {
    const rows = await csv('/export/Sample.csv?expand=donor,donor.site&order_by=id');
    expect(Object.keys(rows[0] ?? {}).slice(6)).toEqual([
      'donor',
      'data',
      'data.version',
      'project',
      'donor.age',
      'donor.born',
      'donor.site',
      'donor.friends',
      'donor.project',
      'donor.site.town',
    ]);
    expect(rows).toHaveLength(SAMPLES);
    for (const [i, row] of rows.entries())
      expect([row['id'], row['donor.age'], row['donor.site.town']]).toEqual([
        `s${String(i).padStart(4, '0')}`,
        i === 7 ? '' : String(i % 100 === 3 ? 1003 : i % 100),
        i % 100 === 1 ? 'Oslo' : '',
      ]);
    expect(rows[0]?.['donor.friends']).toBe('["d1","d2"]');
  });

  test('a name that is taken is told apart', async () => {
    const [row] = await csv('/export/Sample.csv?expand=data&id=s0001&filter=id%3D%3D%22s0001%22');
    expect([row?.['version'], row?.['data.version'], row?.['expanded.data.version']]).toEqual([
      '1',
      'own',
      'of odd',
    ]);
  });

  test('typed formats have the types of the referenced fields, NDJSON what a list expands', async () => {
    const response = await fetch(`${server.url}${META}/export/Sample.arrow?expand=donor&limit=5`, {
      headers: { 'x-api-key': server.key },
    });
    const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
    const types = Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, String(type)]));
    expect(types).toMatchObject({
      'donor.age': 'Int64',
      'donor.born': 'Date32<DAY>',
      'donor.friends': 'List<Utf8>',
    });
    const { text } = await get('/export/Sample.ndjson?expand=donor.site&limit=10');
    const list = await get('/entities?entity_type=Sample&expand=donor.site&limit=10');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(list.body.data.items);
  });

  test('referenced entities are those of the same instant', async () => {
    const past = encodeURIComponent(before);
    const rows = await csv(`/export/Sample.csv?expand=donor&order_by=id&limit=4&as_of=${past}`);
    expect(rows.map((row) => row['donor.age'])).toEqual(['0', '1', '2', '3']);
  });

  test('what the caller may not see of referenced entities is empty, now and in the past', async () => {
    const key = await server.newKey({ role: 'viewer', project: 'a' });
    const past = encodeURIComponent(before);
    const of = async (search: string): Promise<unknown[]> => {
      const rows = await csv(`/export/Sample.csv?expand=donor&order_by=id&limit=61${search}`, key);
      return [rows[3], rows[4], rows[60]].map((row) => [row?.['donor'], row?.['donor.age']]);
    };
    expect(await of('')).toEqual([
      ['d3', ''],
      ['d4', '4'],
      ['d60', ''],
    ]);
    expect(await of(`&as_of=${past}`)).toEqual([
      ['d3', '3'],
      ['d4', '4'],
      ['d60', ''],
    ]);
  });

  test('unknown names are refused with the nearest one, and so are lists', async () => {
    const refused = async (path: string): Promise<[number, string]> => {
      const { status, body } = await get(path);
      return [status, body.error.message];
    };
    expect(await refused('/export/Sample.csv?expand=donnor')).toEqual([
      422,
      'unknown expand path donnor: Sample has no reference field donnor; did you mean donor?',
    ]);
    expect(await refused('/export/Sample.csv?expand=donor.sites')).toEqual([
      422,
      'unknown expand path donor.sites: Donor has no reference field sites; did you mean site?',
    ]);
    expect(await refused('/export/Sample.csv?expand=donor.friends')).toEqual([
      422,
      'expand of an export follows single references, and donor.friends leads to a list',
    ]);
    expect(await refused('/export/Sample.ndjson?expand=derived_from%5B%5D')).toEqual([
      422,
      'expand of an export follows single references, and derived_from leads to a list',
    ]);
  });

  test('a list as a table has these columns as well, and lists of entities as JSON', async () => {
    const { status, text } = await get(
      '/entities?entity_type=Sample&expand=donor.friends&order_by=id&limit=2',
      { accept: 'text/csv' },
    );
    expect(status).toBe(200);
    const [row]: Record<string, string>[] = parse(text, { columns: true });
    expect(row?.['donor.age']).toBe('0');
    const friends = JSON.parse(row?.['donor.friends[]'] ?? '') as { id: string }[];
    expect(friends.map(({ id }) => id)).toEqual(['d1', 'd2']);
    const any = await get('/entities?expand=donor&limit=1&filter=id%3D%3D%22s0001%22', {
      accept: 'text/csv',
    });
    const [whole]: Record<string, string>[] = parse(any.text, { columns: true });
    expect(JSON.parse(whole?.['expanded'] ?? '')).toMatchObject({ donor: { id: 'd1' } });
  });
});
