// docs/reference/workflow.md#adapters: the records of each type, and its errors.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { adapter as adapterSchema } from '../../platform/config/adapter-definition.ts';
import { parquet as parquetFormat } from '../../platform/table-formats/parquet.ts';
import { xlsx as xlsxFormat } from '../../platform/table-formats/xlsx.ts';
import { openAdapter } from '../../subgraphs/workflow/adapters/open-adapter.ts';
import { pull } from './adapters-testkit.ts';

async function api(
  answer: (
    url: URL,
    req: http.IncomingMessage,
  ) => { status?: number; headers?: Record<string, string>; body?: unknown },
) {
  const asked: string[] = [];
  const server = http
    .createServer((req, res) => {
      asked.push(req.url ?? '');
      const { status = 200, headers = {}, body } = answer(new URL(req.url ?? '/', 'http://x'), req);
      res.writeHead(status, headers).end(JSON.stringify(body));
    })
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}

const ROWS = Array.from({ length: 7 }, (_, i) => ({ id: `r${i}` }));

const slice = (url: URL, from: number) => ROWS.slice(from, from + Number(url.searchParams.get('limit') ?? 3));

test('http: pages by page number, offset, cursor and link, each record once and in order', async () => {
  await using source = await api((url) => {
    const q = url.searchParams;
    if (url.pathname === '/page') return { body: { items: slice(url, (Number(q.get('page')) - 1) * 3) } };
    if (url.pathname === '/offset') return { body: { items: slice(url, Number(q.get('offset'))) } };
    const at = Number(q.get('cursor') ?? 0);
    const next = at + 3 < ROWS.length ? at + 3 : null;
    return {
      body: {
        items: slice(url, at),
        meta: { next: url.pathname === '/link' && next !== null ? `?cursor=${next}` : next },
      },
    };
  });
  const at = (route: string, paging: unknown) => ({
    type: 'http',
    url: `${source.url}${route}`,
    records: 'items',
    paging,
  });
  expect(await pull(at('/page', { style: 'page', size: 3, size_parameter: 'limit' }))).toEqual(ROWS);
  expect(await pull(at('/offset', { style: 'offset' }))).toEqual(ROWS);
  expect(await pull(at('/cursor', { style: 'cursor', next: 'meta.next' }))).toEqual(ROWS);
  expect(await pull(at('/link', { style: 'next_url', next: 'meta.next' }))).toEqual(ROWS);
  expect(source.asked.slice(0, 3)).toEqual([
    '/page?limit=3&page=1',
    '/page?limit=3&page=2',
    '/page?limit=3&page=3',
  ]);
});

test('http: a server that leads elsewhere, in circles, or answers what is no list is an AdapterFetchError', async () => {
  await using other = await api(() => ({ body: [{ id: 'secret' }] }));
  await using source = await api((url) => {
    switch (url.pathname) {
      case '/away':
        return { status: 302, headers: { location: other.url } };
      case '/moved':
        return { status: 301, headers: { location: '/list' } };
      case '/next':
        return { body: { items: ROWS, next: 'http://169.254.169.254/latest' } };
      case '/circle':
        return { body: { items: ROWS, next: '/circle' } };
      case '/list':
        return { body: ROWS };
      default:
        return { status: 500, body: 'no' };
    }
  });
  const paging = { style: 'next_url', next: 'next' };
  for (const [route, message] of [
    ['/away', /another origin/],
    ['/next', /another origin/],
    ['/circle', /form a loop/],
    ['/broken', /status 500/],
  ] as const) {
    await expect(
      pull({
        type: 'http',
        url: source.url + route,
        ...(route === '/away' ? {} : { records: 'items', paging }),
      }),
      route,
    ).rejects.toThrow(
      expect.objectContaining({ name: 'AdapterFetchError', message: expect.stringMatching(message) }),
    );
  }
  await expect(pull({ type: 'jsonl', source: `${source.url}/away` })).rejects.toThrow(/another origin/);
  expect(await pull({ type: 'http', url: `${source.url}/moved` })).toEqual(ROWS);
  expect(other.asked).toEqual([]);
});

test('http: a record with a number that cannot be kept exactly fails alone; a page that is not in UTF-8 is an AdapterFetchError', async () => {
  const pages: Record<string, Buffer> = {
    '/numbers': Buffer.from(
      '\uFEFF{"items":[{"id":"1234567890123456"},{"id":"b","n":9007199254740993},{"id":"c","n":1e400},{"id":"ü"}]}',
    ),
    '/latin': Buffer.from('{"items":[{"id":"caf\u00e9"}]}', 'latin1'),
  };
  const server = http
    .createServer((req, res) => {
      res.end(pages[req.url ?? '']);
    })
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = (route: string) => ({
    type: 'http',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${route}`,
    records: 'items',
  });
  expect(await pull(at('/numbers'))).toEqual([
    { id: '1234567890123456' },
    { fault: expect.stringContaining('9007199254740993') },
    { fault: expect.stringContaining('1e400') },
    { id: 'ü' },
  ]);
  await expect(pull(at('/latin'))).rejects.toThrow(
    expect.objectContaining({ name: 'AdapterFetchError', message: 'the source is not valid UTF-8' }),
  );
  server.closeAllConnections();
  await new Promise((done) => {
    server.close(done);
  });
});

test('csv and jsonl: marks at the beginning and any ends of lines are not part of the records, a broken record stands alone where it is; csv that is not in UTF-8 is an AdapterFetchError', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-source-'));
  const file = async (name: string, content: string | Buffer): Promise<string> => {
    await writeFile(path.join(dir, name), content);
    return path.join(dir, name);
  };
  const csv = async (content: string | Buffer) => pull({ type: 'csv', source: await file('a.csv', content) });
  const two = [
    { id: 'a', text: 'one\r\ntwo' },
    { id: 'b', text: 'ü' },
  ];
  for (const [first, second] of [
    ['\n', '\r\n'],
    ['\r\n', '\n'],
    ['\n', '\n'],
    ['\r', '\r'],
  ] as const) {
    expect(await csv(`\uFEFFid,text${first}a,"one\r\ntwo"${second}b,ü${second}`)).toEqual(two);
  }
  expect(await csv(Buffer.from('\uFEFFid,text\na,ü\n', 'utf16le'))).toEqual([{ id: 'a', text: 'ü' }]);
  expect(await csv('')).toEqual([]);
  const broken = { fault: expect.stringMatching(/^line \d+: .*(?:Quote|fields)/) };
  for (const bad of ['b,"x" y', 'b,"x" "y"', 'b,5" x "y"', 'b,"x" y,z', 'b,1,2', 'b']) {
    expect(await csv(`id,text\na,1\n${bad}\nc,"2"\n${bad}\n${bad}\nd,3\n`), bad).toEqual([
      { id: 'a', text: '1' },
      broken,
      { id: 'c', text: '2' },
      broken,
      broken,
      { id: 'd', text: '3' },
    ]);
  }
  for (const bytes of [Buffer.from('id\ncaf\u00e9\n', 'latin1'), Buffer.from([0x69, 0x64, 0x0a, 0xc3])]) {
    await expect(csv(bytes)).rejects.toThrow(
      expect.objectContaining({ name: 'AdapterFetchError', message: 'the source is not valid UTF-8' }),
    );
  }
  expect(
    await pull({ type: 'jsonl', source: await file('a.jsonl', '\uFEFF{"id":"a"}\r\n\r\n{"id":"b"}\nno') }),
  ).toEqual([{ id: 'a' }, { id: 'b' }, { fault: expect.stringMatching(/^the line is not valid JSON/) }]);
  await rm(dir, { recursive: true });
});

test('xlsx and parquet: from a file and from an address, as rows with the types of the cells; what is none cannot be read', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-adapter-'));
  const columns = [
    { name: 'id', kind: 'string', many: false, value: (row: Record<string, unknown>) => row['id'] },
    { name: 'age', kind: 'int', many: false, value: (row: Record<string, unknown>) => row['age'] },
  ] as const;
  async function* blocks(): AsyncGenerator<string[]> {
    yield ['{"id":"a","age":5}', '{"id":"b"}'];
  }
  for (const format of [xlsxFormat, parquetFormat]) {
    const type = format.extension;
    const pieces: Uint8Array[] = [];
    for await (const piece of format.encode(columns, blocks())) pieces.push(Buffer.from(piece));
    const file = path.join(dir, `a.${type}`);
    await writeFile(file, Buffer.concat(pieces));
    const rows = [
      { id: 'a', age: 5 },
      { id: 'b', age: null },
    ];
    expect(await pull({ type, source: file, ...(type === 'xlsx' ? { sheet: 1 } : {}) })).toEqual(rows);
    const server = http.createServer((_, res) => res.end(Buffer.concat(pieces))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await pull({ type, source: `http://127.0.0.1:${port}/` })).toEqual(rows);
    server.close();
    await writeFile(file, 'id,age\n');
    await expect(pull({ type, source: file })).rejects.toMatchObject({
      name: 'AdapterFetchError',
      message: expect.stringMatching(/^the source cannot be read as /),
    });
    await expect(pull({ type, source: path.join(dir, 'nothing') })).rejects.toMatchObject({
      name: 'AdapterFetchError',
      message: expect.stringContaining('could not be read'),
    });
  }
  await rm(dir, { recursive: true });
});

test('http: a page of more values than a body may have is refused; one without others is read record by record', async () => {
  await using source = await api((url) => ({
    body: {
      items: Array.from({ length: 40 }, (_, id) => ({
        id,
        list: url.pathname === '/deep' ? Array(200).fill([]) : [],
      })),
    },
  }));
  const limits = { jsonValues: 100, jsonNames: 50 };
  const read = async (definition: Record<string, unknown>): Promise<unknown[]> => {
    const configured = adapterSchema({ env: {}, directory: '/' }).parse({
      name: 'a',
      type: 'http',
      entity_type: 'Sample',
      map: { id: 'row.id' },
      records: 'items',
      ...definition,
    });
    const found: unknown[] = [];
    const opened = await openAdapter(configured, limits);
    for await (const record of opened.read({
      since: null,
      note: () => undefined,
      signal: new AbortController().signal,
    }))
      found.push(record);
    return found;
  };
  expect(await read({ url: `${source.url}/flat` })).toHaveLength(40);
  const paging = { style: 'page', size: 40 };
  for (const [definition, message] of [
    [
      { url: `${source.url}/flat`, paging },
      'a page cannot be read: the JSON has 122 values, but at most 100 are allowed',
    ],
    [{ url: `${source.url}/deep` }, 'has more than 100 values in or before one record'],
  ] as const)
    await expect(read(definition)).rejects.toThrow(
      expect.objectContaining({ name: 'AdapterFetchError', message: expect.stringContaining(message) }),
    );
});
