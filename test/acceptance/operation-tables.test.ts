// The one list of a query as a table by Accept (docs/reference/api-conventions.md#tables-of-operations).
import { tableFromIPC } from 'apache-arrow';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { run } from '../cli/command-line.ts';
import { server, setUp, told } from './typed-graph-testkit.ts';

setUp();

const CSV = 'text/csv';

async function table(
  query: string,
  accept = CSV,
  { variables = {}, key = server.key }: { variables?: Record<string, unknown>; key?: string } = {},
): Promise<{ status: number; type: string | null; bytes: Buffer; text: string }> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query, variables }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes,
    text: bytes.toString(),
  };
}

/** The rows of CSV. */
async function csv(query: string, variables?: Record<string, unknown>): Promise<Record<string, string>[]> {
  const { status, type, text } = await table(query, CSV, variables === undefined ? {} : { variables });
  expect([status, type, text]).toEqual([200, expect.stringContaining(CSV), text]);
  return parse(text, { columns: true });
}

const refusal = async (query: string, key?: string): Promise<[number, string, string]> => {
  const { status, type, text } = await table(query, CSV, key === undefined ? {} : { key });
  expect(type).toContain('application/json');
  const { errors } = JSON.parse(text) as { errors: { message: string; extensions: { code: string } }[] };
  return [status, errors[0]?.extensions.code ?? '', errors[0]?.message ?? ''];
};

test('typed queries, lists, edges, fragments and aliases are tables with columns by their document', async () => {
  await told(`mutation { typed {
    a: createPuddle(input: {id: "tables:p", label: "one, \\"two\\""}) { id }
    b: createSpecimen(input: {id: "tables:1", puddle: "tables:p", legs: 6, found: "2026-01-02", alive: true, also: ["tables:p"], notes: {k: [1]}}) { id }
    c: createSpecimen(input: {id: "tables:2", puddle: "tables:p"}) { id } } }`);
  const nodes = `where: {legs: {present: true}}`;
  expect(
    await csv(
      `{ typed { found: specimenList(${nodes}) { totalCount nodes { name: id legs puddle { id label } also { id } notes } } } }`,
    ),
  ).toEqual([
    {
      name: 'tables:1',
      legs: '6',
      'puddle.id': 'tables:p',
      'puddle.label': 'one, "two"',
      also: '[{"id":"tables:p"}]',
      notes: '{"k":[1]}',
    },
  ]);
  const fragments = `query ($with: Boolean!) { typed { ...All } }
    fragment All on Typed { specimenList { edges { cursor node { ...One legs @include(if: $with) } } } }
    fragment One on Specimen { id ... on Specimen { alive } }`;
  expect(await csv(fragments, { with: false })).toEqual([
    { id: 'tables:1', alive: 'true' },
    { id: 'tables:2', alive: '' },
  ]);
  expect((await table(fragments, CSV, { variables: { with: true } })).text.split('\r\n')[0]).toBe(
    'id,alive,legs',
  );
  expect(await csv('{ entities(entityType: "Puddle") { total items { id data } } }')).toEqual([
    { id: 'tables:p', data: '{"label":"one, \\"two\\""}' },
  ]);
});

test('typed formats have the types of the fields, also where no row has a value', async () => {
  const query = `{ typed { specimenList(orderBy: "id") { nodes { id legs alive entity { createdAt } puddle { label } notes } } } }`;
  const parquet = await table(query, 'application/vnd.apache.parquet');
  expect(parquet.status, parquet.text).toBe(200);
  const { buffer, byteOffset, length } = parquet.bytes;
  expect(
    await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer }),
  ).toMatchObject([
    {
      id: 'tables:1',
      legs: 6n,

      alive: true,
      'entity.createdAt': expect.any(Date),
      'puddle.label': 'one, "two"',
    },
    {
      id: 'tables:2',
      legs: null,
      alive: null,
      'entity.createdAt': expect.any(Date),
      'puddle.label': 'one, "two"',
    },
  ]);
  const none = query.replace('(', '(where: {legs: {gt: 1000}}, ');
  const arrow = tableFromIPC((await table(none, 'application/vnd.apache.arrow.stream')).bytes);
  expect([arrow.numRows, arrow.schema.fields.map(({ name, type }) => `${name} ${String(type)}`)]).toEqual([
    0,
    [
      'id Utf8',
      'legs Int64',
      'alive Bool',
      'entity.createdAt Timestamp<MICROSECOND, UTC>',
      'puddle.label Utf8',
      'notes Utf8',
    ],
  ]);
  expect((await table(none)).text.trim()).toBe('id,legs,alive,entity.createdAt,puddle.label,notes');
  expect((await table(query, 'application/x-ndjson')).text.trim().split('\n')).toHaveLength(2);
});

test('what is no table is refused before it runs, and of what failed there is none', async () => {
  expect(await refusal('{ typed { specimenList { totalCount } } }')).toEqual([
    400,
    'INVALID_REQUEST',
    expect.stringContaining('has no list'),
  ]);
  expect(
    await refusal(
      '{ typed { a: specimenList { nodes { id } } } b: entities(entityType: "Puddle") { items { id } } }',
    ),
  ).toEqual([
    400,
    'INVALID_REQUEST',
    expect.stringContaining('has 2 lists, and a table is of one: typed.a, b.items'),
  ]);
  expect(await refusal('mutation { typed { deleteSpecimen(id: "tables:2") { id } } }')).toEqual([
    400,
    'INVALID_REQUEST',
    expect.stringContaining('only what a query answers'),
  ]);
  expect(await told('{ entity(id: "tables:2") { isAvailable } }')).toEqual({ entity: { isAvailable: true } });
  expect((await refusal('{ typed { noSuchList { nodes { id } } } }'))[0]).toBe(400);
  expect((await refusal('{ entities(filter: "1 +") { items { id } } }')).slice(0, 2)).toEqual([
    422,
    'VALIDATION_FAILED',
  ]);
  const other = await server.newKey({ role: 'viewer', project: 'elsewhere' });
  expect((await refusal('{ auditRecords { records { actor } } }', other)).slice(0, 2)).toEqual([
    403,
    'INSUFFICIENT_ROLE',
  ]);
});

test('JSON stays the answer where the client prefers it or says nothing', async () => {
  const query = '{ typed { specimenList { nodes { id } } } }';
  for (const accept of ['*/*', 'application/json, text/csv;q=0.5', 'application/graphql-response+json, */*'])
    expect((await table(query, accept)).type).toContain('json');
  expect((await table(query, 'text/csv, application/json;q=0.5')).type).toContain(CSV);
  expect((await table(query, 'image/png')).status).toBe(406);
});

test.each([
  '{ typed { specimenList(orderBy: "id") { nodes { id legs puddle { id label } also { id } } } } }',
  '{ typed { specimenList { edges { cursor node { __typename name: id } } } } }',
  '{ entities(entityType: "Puddle") { total items { id version } } }',
])('the command line makes the same table: %s', async (query) => {
  const { status, stdout } = await run([
    'query',
    query,
    '--url',
    server.url,
    '--key',
    server.key,
    '-o',
    'csv',
  ]);
  expect(status).toBe(0);
  expect(parse(stdout, { columns: true })).toEqual(await csv(query));
});
