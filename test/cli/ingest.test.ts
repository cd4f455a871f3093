// `cairn ingest`: every file format results in the same requests, nothing is changed, and each failure is
// named.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { test as property, fc } from '@fast-check/vitest';
import { afterAll, describe, expect, test } from 'vitest';
import { elementsOf } from '../../cli/ingest/json-array.ts';
import { begin, type CommandLine, run } from './command-line.ts';
import { type Answer, type Asked, platformDouble } from './platform-double.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'cairn-ingest-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const SCHEMAS: Record<string, unknown> = {
  Sample: {
    name: 'Sample',
    parent: 'Thing',
    fields: [
      { name: 'age', field_type: 'integer' },
      { name: 'height', field_type: 'float' },
      { name: 'living', field_type: 'bool' },
      { name: 'tags', field_type: 'string', many: true },
      { name: 'extra', field_type: 'json' },
    ],
  },
  Thing: {
    name: 'Thing',
    fields: [
      { name: 'rank', field_type: 'int' },
      { name: 'code', field_type: 'string' },
    ],
  },
};

function platform(asked: Asked): Answer {
  const schema = /^\/api\/v1\/metadata\/schemas\/(.+)$/.exec(asked.path)?.[1];
  if (schema !== undefined) {
    const found = SCHEMAS[schema];
    return found === undefined
      ? { status: 404, body: { data: null, error: { code: 404, message: 'schema not found' }, meta: {} } }
      : { body: { data: found, error: null, meta: {} } };
  }
  const { data } = asked.body as { data: Record<string, unknown> };
  if (data['id'] === 'bad')
    return {
      status: 422,
      body: { data: null, error: { code: 422, message: 'age: must be an int' }, meta: {} },
    };
  return { body: { data: { id: data['id'] }, error: null, meta: {} } };
}

const file = (name: string, content: string | Buffer): string => {
  writeFileSync(path.join(cwd, name), content);
  return name;
};

async function ingested(
  args: string[],
  line: CommandLine = {},
): Promise<{ status: number; stdout: string; stderr: string; bodies: unknown[] }> {
  await using double = await platformDouble(platform);
  const result = await run(['ingest', ...args, '--url', double.url, '--key', 'k', '--concurrency', '1'], {
    cwd,
    ...line,
  });
  return {
    ...result,
    bodies: double.asked.filter((a) => a.path === '/api/v1/metadata/ingest').map((a) => a.body),
  };
}

const EXPECTED = [
  { entity_type: 'Sample', data: { id: 'a', code: '1' } },
  { entity_type: 'Sample', data: { id: 'b' } },
];

test.each<[string, string, string, string[]]>([
  [
    'JSON',
    'r.json',
    '[{"id":"a","code":"1"}, {"entity_type":"Sample","data":{"id":"b"}}]',
    ['--type', 'Sample'],
  ],
  ['one JSON object', 'one.json', '{"id":"a","code":"1"}', ['--type', 'Sample']],
  [
    'JSON lines',
    'r.jsonl',
    '{"id":"a","code":"1"}\n\n{"entity_type":"Sample","data":{"id":"b"}}',
    ['--type', 'Sample'],
  ],
  ['CSV', 'r.csv', '\ufeffid,code\r\na,1\r\nb,\r\n', ['--type', 'Sample']],
  ['CSV with types in a column', 't.csv', 'entity_type,id,code\nSample,a,1\nSample,b,""\n', []],
  ['TSV', 'r.tsv', 'id\tcode\na\t1\nb\t\n', ['--type', 'Sample']],
  ['TSV as spreadsheets write it', 'q.tsv', '"id"\t"code"\r\n"a"\t"1"\r\nb\t""\r\n', ['--type', 'Sample']],
  ['CSV with lines that end with CR', 'mac.csv', 'id,code\ra,1\rb,\r', ['--type', 'Sample']],
])('%s', async (_, name, content, args) => {
  const { status, stdout, bodies } = await ingested([file(name, content), ...args]);
  expect(bodies).toEqual(EXPECTED.slice(0, bodies.length));
  expect(stdout).toMatch(new RegExp(`^${bodies.length} ingested, 0 failed`));
  expect(status).toBe(0);
});

test('standard input is JSON lines unless --format says otherwise', async () => {
  expect(
    (await ingested(['-', '--type', 'Sample'], { stdin: '{"id":"a","code":"1"}\n{"id":"b"}\n' })).bodies,
  ).toEqual(EXPECTED);
  expect(
    (await ingested(['-', '--format', 'tsv', '--type', 'Sample'], { stdin: 'id\tcode\na\t1\nb\t\n' })).bodies,
  ).toEqual(EXPECTED);
});

test('cells get the types of the schema, inherited fields among them; what does not fit stays text', async () => {
  const rows =
    'id,age,height,living,tags,extra,rank,code\nx,42,1.5e0,TRUE,a; b,"{""k"": [1]}",7,007\ny,4.5,tall,maybe,"[""a;b""]",{,9007199254740993,1\n';
  expect((await ingested([file('typed.csv', rows), '--type', 'Sample'])).bodies).toEqual([
    {
      entity_type: 'Sample',
      data: {
        id: 'x',
        age: 42,
        height: 1.5,
        living: true,
        tags: ['a', 'b'],
        extra: { k: [1] },
        rank: 7,
        code: '007',
      },
    },
    {
      entity_type: 'Sample',
      data: {
        id: 'y',
        age: '4.5',
        height: 'tall',
        living: 'maybe',
        tags: ['a;b'],
        extra: '{',
        rank: '9007199254740993',
        code: '1',
      },
    },
  ]);
});

test('a type without schema keeps its cells as text', async () => {
  expect((await ingested([file('free.csv', 'id,n\nx,5\n'), '--type', 'Free'])).bodies).toEqual([
    { entity_type: 'Free', data: { id: 'x', n: '5' } },
  ]);
});

describe('failures', () => {
  test('each record that failed is named with its place and reason, the others are loaded, and the status is 1', async () => {
    const lines = ['{"id":"a"}', 'not json', '{"id":"bad"}', '[1]', '{"id":"c"}'].join('\n');
    const { status, stdout, stderr, bodies } = await ingested([
      file('some.jsonl', lines),
      '--type',
      'Sample',
    ]);
    expect(bodies).toHaveLength(3);
    expect(stdout).toMatch(/^2 ingested, 3 failed/);
    expect(stderr).toMatch(
      /^line 2: not valid JSON.*\nline 3: age: must be an int \(422\)\nline 4: a record must be a JSON object\ncairn: 3 of 5 records failed\n$/,
    );
    expect(status).toBe(1);
  });

  test('are in the JSON answer', async () => {
    const { stdout } = await ingested([file('one.csv', 'id\na\nbad\nx,y\n'), '--type', 'Sample', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ingested: 1,
      failed: 2,
      errors: [
        { at: 'line 3', status: 422, message: 'age: must be an int (422)' },
        { at: 'line 4', status: null, message: 'the row has 2 fields, the header has 1' },
      ],
    });
  });

  test('a record without a type is an error', async () => {
    expect((await ingested([file('untyped.json', '[{"id":"a"}]')])).stderr).toContain(
      'record 1: the record has no entity_type and data; give --type',
    );
  });

  test('what every record would meet stops the load, even while the input goes on', async () => {
    await using double = await platformDouble(() => ({
      status: 403,
      body: { error: 'insufficient_role', message: 'role analyst is required', request_id: 'r', details: {} },
    }));
    const endless = Readable.from(
      (async function* lines() {
        yield Buffer.from('{"id":"a"}\n');
        await sleep(60_000, undefined, { ref: false });
      })(),
    );
    const { status, stderr } = await run(['ingest', '-', '--type', 'S', '--url', double.url, '--key', 'k'], {
      cwd,
      stdin: endless,
    });
    expect([status, stderr]).toEqual([
      1,
      'cairn: stopped after 0 records: role analyst is required (403 insufficient_role)\n',
    ]);
  });

  test.each([
    ['text that is not UTF-8', 'latin1.csv', Buffer.from([0x69, 0x64, 0x0a, 0xe9, 0x0a]), /not valid UTF-8/],
    ['a JSON array cut off', 'cut.json', '[{"id":"a"},{"id":', /is not closed/],
    ['a quoted field cut off', 'cut.csv', 'id\n"a', /line 2: a quoted field is not closed/],
  ])('%s ends the load', async (_, name, content, message) => {
    const { status, stderr } = await ingested([file(name, content), '--type', 'Free']);
    expect(stderr).toMatch(message);
    expect(status).toBe(1);
  });

  test('a column twice is a wrong call', async () => {
    expect(await ingested([file('twice.csv', 'id,a,a\n'), '--type', 'S'])).toMatchObject({
      status: 2,
      bodies: [],
    });
  });
});

test('no more than --concurrency records are under way, and no fewer where there are enough', async () => {
  let underWay = 0;
  let most = 0;
  await using double = await platformDouble(async () => {
    most = Math.max(most, ++underWay);
    await sleep(20);
    underWay--;
    return { body: { data: {}, error: null, meta: {} } };
  });
  const lines = Array.from({ length: 30 }, (_, i) => `{"id":"${i}"}`).join('\n');
  expect(
    (
      await run(['ingest', '-', '--type', 'S', '-c', '4', '--url', double.url, '--key', 'k'], {
        cwd,
        stdin: lines,
      })
    ).status,
  ).toBe(0);
  expect(most).toBe(4);
});

test('a terminal sees the progress on one line, a pipe sees none', async () => {
  await using double = await platformDouble(async () => {
    await sleep(300);
    return { body: { data: {}, error: null, meta: {} } };
  });
  const load = async (terminal: boolean): Promise<string> => {
    const started = begin(['ingest', '-', '--type', 'S', '-c', '1', '--url', double.url, '--key', 'k'], {
      cwd,
      terminal,
      stdin: '{"id":"a"}\n{"id":"b"}',
    });
    await started.ended;
    return started.stderr();
  };
  expect(await load(true)).toMatch(new RegExp(`\r\u001b\\[K1 records, \\d+/s`));
  expect(await load(false)).toBe('');
});

/** The text in pieces, split anywhere. */
async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

const collect = async <Item>(source: AsyncIterable<Item>): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const item of source) items.push(item);
  return items;
};

describe('parsers', () => {
  property.prop([fc.array(fc.jsonValue(), { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), fc.boolean()])(
    'a JSON array is cut into exactly its elements',
    async (values, size, spaced) => {
      const text = JSON.stringify(values, null, spaced ? 2 : 0);
      expect((await collect(elementsOf(pieces(text, size)))).map((t) => JSON.parse(t) as unknown)).toEqual(
        JSON.parse(text),
      );
    },
  );

  test('numbers in JSON are passed on as they are written', async () => {
    expect(await collect(elementsOf(pieces('[1.0, 9007199254740993]', 4)))).toEqual([
      '1.0',
      ' 9007199254740993',
    ]);
  });
});
