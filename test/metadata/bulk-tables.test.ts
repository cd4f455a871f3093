// Tables as bodies of bulk ingest (docs/reference/metadata.md#tables-in).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatByExtension } from '../../platform/table-formats/formats.ts';
import type { TableColumn } from '../../platform/table-formats/table.ts';
import { addSchema } from '../artifact/production-testkit.ts';
import { type Answer, startServer, type TestServer } from '../testkit/server.ts';

const META = '/api/v1/metadata';
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PARQUET = 'application/vnd.apache.parquet';
const TABLES = [
  ['csv', 'text/csv'],
  ['parquet', PARQUET],
  ['xlsx', SHEET],
] as const;

/** What the platform would write for these rows. */
async function written(extension: string, rows: readonly object[]): Promise<Buffer> {
  const kinds = { name: 'string', age: 'int', tags: 'string', seen: 'bool' } as const;
  const columns = Object.entries(kinds).map(([name, kind]): TableColumn => ({
    name,
    kind,
    many: false,
    value: (row) => row[name],
  }));
  const format = formatByExtension(extension);
  if (format === null) throw new Error(`no format ${extension}`);
  const blocks = (async function* () {
    yield await Promise.resolve(rows.map((row) => JSON.stringify(row)));
  })();
  const pieces: Buffer[] = [];
  for await (const piece of format.encode(columns, blocks)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

describe.each(['in-process', 'http'] as const)('%s', (transport) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ transport });
    const field = (name: string, type: string, more: object = {}) => ({ name, field_type: type, ...more });
    await addSchema(server, {
      name: 'Person',
      version: '1',
      fields: [
        field('name', 'string', { required: true }),
        field('age', 'int'),
        field('seen', 'bool'),
        field('tags', 'string', { many: true }),
        field('extra', 'json'),
        field('project', 'string'),
      ],
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const exported = async (of: string, extension: string): Promise<Buffer> => {
    const answer = await fetch(`${server.url}${META}/export/${of}.${extension}`, {
      headers: { 'x-api-key': server.key },
    });
    return Buffer.from(await answer.arrayBuffer());
  };
  const post = (
    body: string | Buffer,
    type: string,
    query = '',
    key?: string,
    of = 'Person',
  ): Promise<Answer> =>
    server.rest('POST', `${META}/ingest/bulk?entity_type=${of}${query}`, {
      body,
      headers: { 'content-type': type },
      ...(key === undefined ? {} : { key }),
    });
  const dataOf = async (id: string): Promise<unknown> =>
    (await server.rest('GET', `${META}/entities/${id}`)).body.data?.data;

  test('columns become fields by their names, cells get the types of the schema, a load can be repeated', async () => {
    const csv = 'ID,Name,Age,Seen,Tags,Extra\r\np1,"Ada, L.",36,TRUE,a;b,"{""k"":[1]}"\r\np2,Bob,,,,\r\n';
    const first = await post(csv, 'text/csv');
    expect([first.status, first.body]).toMatchObject([
      200,
      {
        data: {
          created: 2,
          failed: 0,
          outcomes: [
            { row: 0, line: 2, id: 'p1', change: 'created' },
            { row: 1, line: 3, id: 'p2', change: 'created' },
          ],
        },
      },
    ]);
    expect(await dataOf('p1')).toEqual({
      name: 'Ada, L.',
      age: 36,
      seen: true,
      tags: ['a', 'b'],
      extra: { k: [1] },
    });
    expect(await dataOf('p2')).toEqual({ name: 'Bob' });
    expect((await post(csv, 'text/csv')).body.data).toMatchObject({ unchanged: 2, failed: 0 });
  });

  test('an export is loaded again without a change, also of fields that have the names of its own columns', async () => {
    await addSchema(server, {
      name: 'Release',
      version: '1',
      fields: ['version', 'created_at', 'entity_type', 'n'].map((name) => ({ name, field_type: 'string' })),
    });
    const body = JSON.stringify([
      { id: 'e1', data: { version: 'v9', created_at: 'long ago', entity_type: 'a kind', n: '1' } },
      { id: 'e2', data: { n: '2' } },
    ]);
    expect((await post(body, 'application/json', '', undefined, 'Release')).body.data.created).toBe(2);
    for (const [extension, type] of TABLES) {
      const { body: answered } = await post(
        await exported('Release', extension),
        type,
        '',
        undefined,
        'Release',
      );
      expect([extension, answered.data]).toMatchObject([extension, { unchanged: 2, failed: 0 }]);
    }
  });

  test('an export is copied into another type, and every text of it stays what it was', async () => {
    const fields = [
      { name: 'text', field_type: 'string' },
      { name: 'any', field_type: 'json' },
      { name: '__proto__', field_type: 'string' },
    ];
    for (const name of ['Original', 'Copy']) await addSchema(server, { name, version: '1', fields });
    const texts = ['5', 'null', '"quoted"', '{"a": 1}', '[1]', ' padded ', '', 'true', '\ufeffmark'];
    const rows = texts.map((text, i) => ({ id: `o${i}`, data: { text, any: text } }));
    rows.push({ id: 'o9', data: { text: '[1]', any: { a: [1, 'ü', null] } as never } });
    rows.push({ id: 'o10', data: { text: '', any: '', ['__proto__']: 'a name like others' } as never });
    await post(JSON.stringify(rows), 'application/json', '', undefined, 'Original');
    for (const [extension, type] of TABLES) {
      const { body: answered } = await post(
        await exported('Original', extension),
        type,
        `&skip=entity_type&id=${encodeURIComponent(`"${extension}-" + row.id`)}`,
        undefined,
        'Copy',
      );
      expect([extension, answered.data]).toMatchObject([extension, { created: rows.length, failed: 0 }]);
      for (const { id, data } of rows) {
        // an empty cell is no value; entries, because matchers pass over the name `__proto__`
        const kept = Object.entries(data).filter(([name, value]) => name === 'any' || value !== '');
        const loaded = (await dataOf(`${extension}-${id}`)) as object;
        expect([extension, new Map(Object.entries(loaded))]).toEqual([extension, new Map(kept)]);
      }
    }
  });

  test('refused rows have their line and column, and the others are written', async () => {
    const csv = 'id,Full name,Years\nq1,"two\nlines",30\nq2,Eve,old\nq3,Mallory\nq4,,3\n';
    const { status, body } = await post(csv, 'text/csv', '&map=name%3DFull+name&map=age%3DYears');
    expect([status, body.data]).toMatchObject([
      207,
      {
        created: 1,
        failed: 3,
        outcomes: [
          { row: 0, line: 2, id: 'q1', change: 'created' },
          { row: 1, line: 4, id: 'q2', code: 422, column: 'Years' },
          { row: 2, line: 5, code: 422, message: 'the row has 2 fields, the header has 3' },
          { row: 3, line: 6, id: 'q4', code: 422, column: 'Full name' },
        ],
      },
    ]);
  });

  test('ids and fields are CEL expressions over the row, separators and empty cells are chosen', async () => {
    const tsv = 'Person\tBorn\tTags\tNote\n7\t1990\tx|y\tN/A\n8\tNA\t\t\n';
    const query = new URLSearchParams([
      ['id', '"t" + row.Person'],
      ['map', 'name="person " + row.Person'],
      ['map', 'age=row.Born == "NA" ? null : 2026 - int(row.Born)'],
      ['separator', '|'],
      ['skip', 'Note'],
    ]);
    const { status, body } = await post(tsv, 'text/tab-separated-values', `&${query.toString()}`);
    expect([status, body.data]).toMatchObject([200, { created: 2 }]);
    expect(await dataOf('t7')).toEqual({ name: 'person 7', age: 36, tags: ['x', 'y'] });
    expect(await dataOf('t8')).toEqual({ name: 'person 8' });
    const empty = await post('id,name,age\nu1,NA,NA\n', 'text/csv', '&empty=NA');
    expect(empty.body.data.outcomes[0]).toMatchObject({ code: 422, column: 'name' });
    const semicolons = await post('id;name\nu2;"Ü"\n', 'text/csv; charset=utf-8', '&delimiter=%3B');
    expect(semicolons.body.data.created).toBe(1);
    const latin = Buffer.from('id,name\nu3,J\u00fcrgen\n', 'latin1');
    expect((await post(latin, 'text/csv', '&encoding=windows-1252')).body).toMatchObject({
      data: { created: 1 },
    });
    expect(await dataOf('u3')).toEqual({ name: 'Jürgen' });
  });

  test.each([
    ['xlsx', SHEET],
    ['parquet', PARQUET],
  ])('a table of %s is loaded with the types of its cells', async (extension, type) => {
    const rows = [
      { name: `${extension}-one`, age: 1, seen: true, tags: 'a;b' },
      { name: `${extension}-two`, age: null, seen: null, tags: null },
    ];
    const file = await written(extension, rows);
    const { status, body } = await post(file, type, `&id=${encodeURIComponent('row.name')}`);
    expect([status, body]).toMatchObject([200, { data: { created: 2 } }]);
    expect(await dataOf(`${extension}-one`)).toEqual({
      name: `${extension}-one`,
      age: 1,
      seen: true,
      tags: ['a', 'b'],
    });
    expect((await post(file.subarray(0, 40), type)).status).toBe(400);
  });

  test('a dry run and all or nothing write nothing where a row is refused', async () => {
    const csv = 'id,name,age\nz1,One,1\nz2,Two,two\n';
    for (const mode of ['dry_run', 'all_or_nothing']) {
      const { status, body } = await post(csv, 'text/csv', `&${mode}=true`);
      expect([mode, status, body.data.failed, body.data.outcomes[1]]).toMatchObject([
        mode,
        207,
        1,
        { row: 1, line: 3, column: 'age' },
      ]);
      expect(await dataOf('z1')).toBeUndefined();
    }
  });

  test('columns that cannot be meant, unknown types and bodies that are no tables are refused', async () => {
    const refused = async (body: string, query = '', type = 'text/csv'): Promise<[number, string]> => {
      const answer = await post(body, type, query);
      return [answer.status, answer.body.error?.message ?? answer.body.data.outcomes[0].message];
    };
    expect(await refused('id,nom\nx,y\n')).toEqual([
      422,
      expect.stringContaining('no field for the column "nom"'),
    ]);
    expect(await refused('id,nom\nx,y\n', '&skip_unknown=true')).toEqual([
      207,
      expect.stringContaining('name'),
    ]);
    expect(await refused('id,name\nx,y\n', '&map=name')).toEqual([
      422,
      expect.stringContaining('map must be'),
    ]);
    expect(await refused('id,name\nx,y\n', '&id=nothing(')).toEqual([
      422,
      expect.stringContaining('id: there is no column'),
    ]);
    expect(await refused('id,id\nx,y\n')).toEqual([
      400,
      expect.stringContaining('names the column "id" twice'),
    ]);
    expect(await refused('id,name\nx,y\n', '&encoding=klingon')).toEqual([
      400,
      expect.stringContaining('klingon'),
    ]);
    expect(await refused('PK', '', SHEET)).toEqual([
      400,
      expect.stringContaining('cannot be read as an XLSX'),
    ]);
    expect(await refused('a', '', 'text/html')).toEqual([415, expect.stringContaining('text/csv')]);
    const unknown = await server.rest('POST', `${META}/ingest/bulk?entity_type=Persn`, {
      body: 'id,name\nx,y\n',
      headers: { 'content-type': 'text/csv' },
    });
    expect([unknown.status, unknown.body.data.outcomes[0]]).toMatchObject([207, { code: 404 }]);
  });

  test('cells are held to the rules of JSON, and to the projects of the caller', async () => {
    const deep = `"${'['.repeat(300)}${']'.repeat(300)}"`;
    const csv = `id,name,extra\nh1,"a\u0000b",\nh2,b,${deep}\nh3,c,"[1e999]"\n`;
    const { body } = await post(csv, 'text/csv');
    expect(body.data.failed).toBe(3);
    const key = await server.newKey({ role: 'analyst', project: 'mine' });
    const foreign = await post('id,name,project\nh4,x,theirs\nh5,y,mine\n', 'text/csv', '', key);
    expect(foreign.body.data).toMatchObject({
      created: 1,
      failed: 1,
      outcomes: [{ line: 2, code: 403 }, { change: 'created' }],
    });
  });
});
