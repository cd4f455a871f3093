// `cairn ingest`: every format results in the same rows, mapped as the options say, and each refusal is named
// with its line, column and reason.
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { file, ingested, TYPE, row } from './ingest-testkit.ts';

const EXPECTED = [row('a', { code: '1' }), row('b')];

test.each<[string, string, string | Buffer, string[]]>([
  ['CSV', 'r.csv', '\ufeffid,code\r\na,1\r\nb,\r\n', TYPE],
  ['CSV with types in a column', 't.csv', 'entity_type,id,code\nSample,a,1\nSample,b,""\n', []],
  ['TSV', 'r.tsv', 'id\tcode\na\t1\nb\t\n', TYPE],
  ['TSV as spreadsheets write it', 'q.tsv', '"id"\t"code"\r\n"a"\t"1"\r\nb\t""\r\n', TYPE],
  ['CSV with lines that end with CR', 'mac.csv', 'id,code\ra,1\rb,\r', TYPE],
  ['CSV with semicolons', 's.csv', 'id;code\na;1\nb;\n', [...TYPE, '--delimiter', ';']],
  ['UTF-16', 'u.csv', Buffer.from('\ufeffid,code\na,1\nb,\n', 'utf16le'), TYPE],
  ['names in another case', 'n.csv', ' ID , Code\na,1\nb, \n', TYPE],
])('%s', async (_, name, content, args) => {
  const { status, stdout, rows } = await ingested([file(name, content), ...args]);
  expect(rows).toEqual(EXPECTED);
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^2 created, 0 updated, 0 unchanged, 0 failed, in [\d.]+ s\n$/),
  ]);
});

test.each<[string, string, string, string[]]>([
  ['JSON', 'r.json', '[{"id":"a","code":"1"}, {"entity_type":"Sample","data":{"id":"b"}}]', []],
  ['one JSON object', 'one.json', '{"id":"a","code":"1"}', []],
  ['a list in a document', 'in.json', '{"x":{"y":[{"id":"a","code":"1"},{"id":"b"}]}}', ['--records', 'x.y']],
  ['NDJSON', 'r.jsonl', '{"id":"a","code":"1"}\n\n{"entity_type":"Sample","data":{"id":"b"}}', []],
])('%s: records that are not ingest requests are the data of one', async (_, name, content, args) => {
  const { status, rows } = await ingested([file(name, content), ...TYPE, ...args]);
  const all = [
    { entity_type: 'Sample', data: { id: 'a', code: '1' } },
    { entity_type: 'Sample', data: { id: 'b' } },
  ];
  expect([status, rows]).toEqual([0, all.slice(0, Math.max(1, rows.length))]);
});

test('a record of id and data is an entity of the type, unless the type has a field data', async () => {
  const text = '{"id":"a","data":{"code":"1"}}\n{"data":{"code":"2"},"id":"b","if_version":3}\n';
  const { status, rows } = await ingested([file('e.jsonl', text), ...TYPE]);
  expect([status, rows]).toEqual([
    0,
    [
      { entity_type: 'Sample', id: 'a', data: { code: '1' } },
      { entity_type: 'Sample', id: 'b', data: { code: '2' }, if_version: 3 },
    ],
  ]);
  const holder = await ingested([file('h.jsonl', '{"id":"a","data":{"code":"1"}}\n'), '--type', 'Holder']);
  expect(holder.rows).toEqual([{ entity_type: 'Holder', data: { id: 'a', data: { code: '1' } } }]);
});

test('standard input is NDJSON unless --format says otherwise', async () => {
  const stdin = '{"id":"a","code":"1"}\n{"id":"b"}\n';
  expect((await ingested(['-', ...TYPE], { stdin })).rows).toHaveLength(2);
  const tsv = { stdin: 'id\tcode\na\t1\nb\t\n' };
  expect((await ingested(['-', '--format', 'tsv', ...TYPE], tsv)).rows).toEqual(EXPECTED);
});

test('cells get the types of the schema, inherited fields among them; what does not fit stays text', async () => {
  const rows =
    'id,age,height,living,tags,extra,rank,code\nx, 42 ,1.5e0,TRUE,a; b,"{""k"": [1]}",7,007\ny,4.5,tall,maybe,"[""a;b""]",{,9007199254740993,1\n';
  expect((await ingested([file('typed.csv', rows), ...TYPE])).rows).toEqual([
    row('x', {
      age: 42,
      height: 1.5,
      living: true,
      tags: ['a', 'b'],
      extra: { k: [1] },
      rank: 7,
      code: '007',
    }),
    row('y', {
      age: '4.5',
      height: 'tall',
      living: 'maybe',
      tags: ['a;b'],
      extra: '{',
      rank: '9007199254740993',
      code: '1',
    }),
  ]);
});

test('a whole float of any size that a double holds is a number, as the export of it shows it', async () => {
  const rows = 'id,height\na,100000000000000000000\nb,-9007199254740994\nc,9007199254740993\nd,1e400\n';
  expect((await ingested([file('large.csv', rows), ...TYPE])).rows).toEqual([
    row('a', { height: 1e20 }),
    row('b', { height: -9007199254740994 }),
    row('c', { height: '9007199254740993' }), // it would be another one
    row('d', { height: '1e400' }),
  ]);
});

test('a text in a JSON column of Parquet is a text; a column entity_type that is skipped gives no type', async () => {
  const made = parquetWriteBuffer({
    columnData: [
      { name: 'id', data: ['x'], type: 'STRING' },
      { name: 'extra', data: ['5'], type: 'JSON' },
      { name: 'entity_type', data: ['Holder'], type: 'STRING' },
    ],
  });
  const name = file('json.parquet', Buffer.from(made));
  expect((await ingested([name, ...TYPE, '--skip', 'entity_type'])).rows).toEqual([row('x', { extra: '5' })]);
});

describe('mapping', () => {
  const sheet = 'Sample name,Age (years),Tags,Site,Comment\nS 1,7,a|b,x,NA\nS 2,,,y,fine\n';

  test('--id, --map, --separator, --skip and --empty, by columns and by CEL', async () => {
    const { status, rows } = await ingested([
      file('map.csv', sheet),
      ...TYPE,
      ...['--id', '"s:" + row["Sample name"].replace(" ", "_")'],
      ...['--map', 'age=age years', '--map', 'code=row.Site + "-" + row.Comment', '--map', 'height=2.5'],
      ...['--separator', '|', '--empty', 'NA'],
    ]);
    expect([status, rows]).toEqual([
      0,
      [
        row('s:S_1', { tags: ['a', 'b'], age: 7, code: 'x-NA', height: 2.5 }),
        row('s:S_2', { code: 'y-fine', height: 2.5 }),
      ],
    ]);
    const plain = ['--id', 'Sample name', '--map', 'age=Age (years)', '--map', 'code=Comment'];
    const mapped = await ingested([
      file('map.csv', sheet),
      ...TYPE,
      ...plain,
      '--skip',
      'Site',
      '--empty',
      'NA',
    ]);
    expect(mapped.rows).toEqual([row('S 1', { tags: ['a|b'], age: 7 }), row('S 2', { code: 'fine' })]);
  });

  test.each<[string, string[], string]>([
    [
      'a column without a field',
      ['--id', 'Sample name', '--skip', 'Age (years)'],
      'no field for the columns "Site", "Comment"',
    ],
    ['a field that is not there', ['--map', 'ages=Site'], '--map ages: Sample has the fields'],
    [
      'what is neither column nor CEL',
      ['--map', 'age=Aeg'],
      'there is no column "Aeg", and it is no CEL expression',
    ],
    ['a pair without a field', ['--map', 'Site'], '--map must be <field>=<column or CEL>'],
    ['an unknown column to skip', ['--skip', 'Nowhere'], '--skip: there is no column "Nowhere"'],
  ])('%s is wrong usage, and nothing is sent', async (_, args, message) => {
    const { status, stderr, asked } = await ingested([file('map.csv', sheet), ...TYPE, ...args]);
    expect([status, stderr, asked]).toEqual([2, expect.stringContaining(message), []]);
  });

  test('two columns for one field are wrong usage, and so is a header of one column with other delimiters', async () => {
    const twice = await ingested([file('twice.csv', 'id,code,Code\n1,2,3\n'), ...TYPE]);
    expect([twice.status, twice.stderr]).toEqual([
      2,
      expect.stringContaining('"code", "Code" both stand for code'),
    ]);
    const semicolons = await ingested([file('semi.csv', 'id;code\n1;2\n'), ...TYPE]);
    expect([semicolons.status, semicolons.stderr]).toEqual([
      2,
      expect.stringContaining('give --delimiter ";"'),
    ]);
    expect((await ingested([file('same.csv', 'id,a,a\n'), ...TYPE])).status).toBe(2);
  });

  test('an expression that fails for a row fails that row', async () => {
    const { status, rows, stderr } = await ingested([
      file('cel.csv', 'id,years\na,5\nb,old\n'),
      ...TYPE,
      '--map',
      'age=int(row.years) + 1',
    ]);
    expect([status, rows]).toEqual([1, [row('a', { age: 6 })]]);
    expect(stderr).toMatch(
      /^line 3, column "int\(row.years\) \+ 1": --map age: .*\ncairn: 1 of 2 rows failed\n$/,
    );
  });

  test('a cell in a column without a name fails its row; an empty one is nothing', async () => {
    const { rows, stderr } = await ingested([file('nameless.csv', 'id,code,\na,1,\nb,2,x\n'), ...TYPE]);
    expect(rows).toEqual([row('a', { code: '1' })]);
    expect(stderr).toContain('line 3, column "column 3"');
  });

  test('JSON is mapped if it is asked for', async () => {
    const { rows } = await ingested([
      file('map.ndjson', '{"name":"a","age":5,"more":{"x":[1]}}\n{"name":"b"}\n'),
      ...TYPE,
      ...['--id', 'name', '--map', 'extra=more'],
    ]);
    expect(rows).toEqual([row('a', { age: 5, extra: { x: [1] } }), row('b')]);
  });

  test('--guess-type finds the type whose fields the columns are', async () => {
    const found = await ingested([file('guess.csv', 'id,Age,tags,rank\na,5,x,1\n'), '--guess-type']);
    expect([found.rows, found.stderr]).toEqual([
      [row('a', { age: 5, tags: ['x'], rank: 1 })],
      'note: the type is Sample\n',
    ]);
    const both = await ingested([file('both.csv', 'id,rank\na,5\n'), '--guess-type']);
    expect([both.status, both.stderr]).toEqual([
      2,
      expect.stringContaining('fit Sample, Thing: give --type'),
    ]);
    const none = await ingested([file('neither.csv', 'id,nothing\na,5\n'), '--guess-type']);
    expect([none.status, none.stderr]).toEqual([
      2,
      expect.stringContaining('no type has all its required fields'),
    ]);
  });
});
