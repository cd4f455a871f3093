// Lists, searches and history as tables, and exports as files (docs/reference/metadata.md#tables,
// docs/reference/metadata.md#exports).
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { tableFromIPC } from 'apache-arrow';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asSuperuser } from '../testkit/database.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { waitFor } from '../testkit/wait-for.ts';

const META = '/api/v1/metadata';
const COUNT = 2500;

describe.each(['in-process', 'http'] as const)('%s', (transport) => {
  let server: TestServer;
  let before: string;
  const faults: string[] = [];
  const get = (path: string, headers: Record<string, string> = {}, key?: string) =>
    server.rest('GET', META + path, { headers, ...(key === undefined ? {} : { key }) });
  const csv = async (path: string, key?: string): Promise<Record<string, string>[]> => {
    const answer = await get(path, {}, key);
    expect([answer.status, path]).toEqual([200, path]);
    return parse(answer.text, { columns: true });
  };

  beforeAll(async () => {
    server = await startServer({
      transport,
      log: pino({ level: 'error' }, { write: (line: string) => faults.push(line) }),
    });
    const done = async (method: string, path: string, body: unknown): Promise<void> => {
      const { status, text } = await server.rest(method, META + path, { body });
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    };
    await done('POST', '/schemas', {
      name: 'Base',
      version: '1',
      fields: [
        { name: 'label', field_type: 'string' },
        { name: 'project', field_type: 'string' },
      ],
    });
    await done('POST', '/schemas', {
      name: 'core.sample',
      version: '1',
      parent: 'Base',
      fields: [
        { name: 'depth', field_type: 'int', indexed: true },
        { name: 'version', field_type: 'string' },
        { name: 'tags', field_type: 'string', many: true },
        { name: 'extra', field_type: 'json' },
      ],
    });
    const rows = Array.from({ length: COUNT }, (_, i) => ({
      id: `s${i}`,
      label: i === 7 ? '=SUM(A1), "quoted"' : `label ${i}`,
      depth: i % 50,
      project: i < 2000 ? 'a' : 'b',
      ...(i === 7 ? { tags: ['x', 'y'], version: 'v1', extra: { k: 1 } } : {}),
    }));
    for (let i = 0; i < rows.length; i += 1250) {
      const { body } = await server.graphql(
        'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }',
        { e: rows.slice(i, i + 1250).map((data) => ({ entityType: 'core.sample', data })) },
      );
      expect(body.errors).toBeUndefined();
    }
    before = (await get('/entities/s2499')).body.data.updated_at;
    await done('PUT', '/entities/core.sample/s1', { data: { label: 'changed' } });
    await server.rest('DELETE', `${META}/entities/s2`);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test('an export has every entity of the type, its columns typed and in the order of the schema', async () => {
    const answer = await get('/export/core.sample.csv');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="core.sample.csv"; filename*=UTF-8''core.sample.csv`,
    );
    expect(answer.text.slice(0, answer.text.indexOf('\r\n'))).toBe(
      'id,entity_type,version,created_at,updated_at,is_available,label,project,depth,data.version,tags,extra',
    );
    const rows: Record<string, string>[] = parse(answer.text, { columns: true });
    expect(rows).toHaveLength(COUNT - 1);
    expect(rows.map(({ id }) => id).slice(0, 4)).toEqual(['s0', 's1', 's3', 's4']);
    expect(rows.find(({ id }) => id === 's7')).toMatchObject({
      label: '=SUM(A1), "quoted"',
      depth: '7',
      'data.version': 'v1',
      version: '1',
      tags: '["x","y"]',
      extra: '{"k":1}',
    });
    expect(await csv('/export/Base.csv')).toHaveLength(COUNT - 1); // subtypes are found under it
  });

  test('every format holds the same entities', async () => {
    const bytes = async (extension: string): Promise<Uint8Array> => {
      const response = await fetch(
        `${server.url}${META}/export/core.sample.${extension}?order_by=-data.depth`,
        {
          headers: { 'x-api-key': server.key },
        },
      );
      expect([response.status, extension]).toEqual([200, extension]);
      return new Uint8Array(await response.arrayBuffer());
    };
    const ids = (await csv('/export/core.sample.csv?order_by=-data.depth')).map(({ id }) => id);
    const lines = Buffer.from(await bytes('ndjson'))
      .toString()
      .trimEnd()
      .split('\n');
    const parsed = lines.map((line) => JSON.parse(line) as { id: string });
    expect(parsed.map(({ id }) => id)).toEqual(ids);
    expect(parsed[0]).toEqual((await get(`/entities/${ids[0]}`)).body.data);
    expect(Array.from(tableFromIPC(await bytes('arrow')).getChild('id') ?? [])).toEqual(ids);
    const { buffer } = await bytes('parquet');
    const read = await parquetReadObjects({ file: buffer as ArrayBuffer, columns: ['id'] });
    expect(read.map((row) => row['id'] as string)).toEqual(ids);
    expect(
      Buffer.from(await bytes('xlsx'))
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
  });

  test('an export takes the parameters of a list', async () => {
    const size = async (search: string, key?: string): Promise<number> =>
      (await csv(`/export/core.sample.csv?${search}`, key)).length;
    expect(await size('depth=3')).toBe(50);
    expect(await size('depth=3&depth=4&limit=60')).toBe(60);
    expect(await size(`filter=${encodeURIComponent('data.depth < 2 && data.label != "changed"')}`)).toBe(99);
    expect(await size('include_unavailable=true')).toBe(COUNT);
    expect(await size('limit=10&offset=2495')).toBe(4);
    // checked row by row, with bounds
    const rowwise = encodeURIComponent('data.tags.map(t, t + "!").exists(t, t == "x!")');
    expect(await csv(`/export/core.sample.csv?filter=${rowwise}`)).toMatchObject([{ id: 's7' }]);
    expect(await size(`filter=${rowwise}&offset=1`)).toBe(0);
    // of the past
    const past = await csv(`/export/core.sample.csv?as_of=${encodeURIComponent(before)}`);
    expect(past).toHaveLength(COUNT);
    expect(past[1]).toMatchObject({ id: 's1', label: 'label 1' });
    const page = (await get('/entities?entity_type=core.sample&limit=1000')).body.data;
    expect(await size(`cursor=${page.next_cursor}`)).toBe(COUNT - 1001);
  });

  test('a caller of some projects gets the entities that a list would show', async () => {
    const key = await server.newKey({ role: 'viewer', project: 'b' });
    expect(await csv('/export/core.sample.csv', key)).toHaveLength(500);
    const past = `/export/core.sample.csv?as_of=${encodeURIComponent(before)}`;
    expect(await csv(past, key)).toHaveLength(500);
  });

  test('what cannot be exported is refused before anything is sent', async () => {
    for (const [path, status, part] of [
      ['/export/nothing.csv', 404, 'nothing'],
      ['/export/core.sample.pdf', 404, 'pdf'],
      ['/export/core', 404, 'format'],
      ['/export/core.sample.csv?colour=red', 422, 'colour'],
      ['/export/core.sample.csv?filter=data.depth+%3E', 422, 'line 1'],
      ['/export/core.sample.csv?limit=0', 422, 'limit'],
      ['/export/core.sample.csv?cursor=x', 422, 'cursor'],
      ['/export/core.sample.csv?as_of=yesterday', 422, 'as_of'],
    ] as const) {
      const { status: answered, body } = await get(path);
      expect([path, answered, body?.error?.code]).toEqual([path, status, status]);
      expect(body.error.message).toContain(part);
    }
    expect((await server.rest('GET', `${META}/export/core.sample.csv`, { key: null })).status).toBe(401);
    expect((await server.rest('POST', `${META}/export/core.sample.csv`, { body: {} })).status).toBe(405);
    const head = await server.rest('HEAD', `${META}/export/core.sample.parquet`);
    expect([head.status, head.headers.get('content-disposition'), head.text]).toEqual([
      200,
      `attachment; filename="core.sample.parquet"; filename*=UTF-8''core.sample.parquet`,
      '',
    ]);
  });

  test('a client that goes away ends the work, in the database too', async () => {
    const name = new URL(server.database.url).pathname.slice(1);
    const underWay = async (): Promise<number> => {
      const [row] = await asSuperuser<{ n: string }>(
        `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = '${name}' AND query LIKE 'FETCH%FROM export' AND state <> 'idle'`,
      );
      return Number(row?.n);
    };
    // more than the buffers between here and there hold
    await server.rest('POST', `${META}/schemas`, {
      body: {
        name: 'Large',
        version: '1',
        fields: [{ name: 'text', field_type: 'string', searchable: false }],
      },
    });
    for (let call = 0; call < 4; call++) {
      const { body } = await server.graphql(
        'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }',
        {
          e: Array.from({ length: 9 }, () => ({ entityType: 'Large', data: { text: 'x'.repeat(900_000) } })),
        },
      );
      expect(body.data.ingestEntities.created).toBe(9);
    }
    const sent = request(`${server.url}${META}/export/Large.ndjson`, {
      headers: { 'x-api-key': server.key },
    });
    sent.on('error', () => undefined);
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    expect(await underWay()).toBe(1); // nobody reads
    sent.destroy();
    await waitFor(async () => {
      expect(await underWay()).toBe(0);
    });
    // its slot is free again
    const all = await Promise.all([1, 2, 3, 4].map(() => get('/export/core.sample.ndjson?limit=5')));
    expect(all.map(({ status, text }) => [status, text.split('\n').length])).toEqual(Array(4).fill([200, 6]));
    expect(faults).toEqual([]); // whoever leaves is no fault of the server's
  });

  test('a page of a list is a table if Accept asks for one, with a link to the next page', async () => {
    const path = '/entities?entity_type=core.sample&depth=3&limit=30';
    const first = await get(path, { accept: 'text/csv' });
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(first.headers.get('vary')).toContain('Accept');
    const rows: Record<string, string>[] = parse(first.text, { columns: true });
    expect([rows.length, rows[0]?.['id'], rows[0]?.['depth']]).toEqual([30, 's3', '3']);
    const link = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(link).toContain(`${META}/entities?entity_type=core.sample&depth=3&limit=30&cursor=`);
    const second = await server.rest('GET', link, { headers: { accept: 'application/x-ndjson' } });
    expect([second.text.trimEnd().split('\n').length, second.headers.get('link')]).toEqual([20, null]);
    // without a type the data is one column
    const any = await get('/entities?limit=1', { accept: 'text/csv' });
    expect(parse(any.text)[0]?.at(-1)).toBe('data');
  });

  test('searches and history are tables too', async () => {
    const hits = await get('/search?entity_type=core.sample&q=changed', { accept: 'text/csv' });
    expect(parse(hits.text, { columns: true })).toMatchObject([{ id: 's1', label: 'changed' }]);
    expect(parse(hits.text)[0]).toContain('score');
    const history = await get('/entities/s1/history?limit=1', { accept: 'text/csv' });
    expect(parse(history.text, { columns: true })).toMatchObject([
      { event_type: 'EntityCreated', entity_id: 's1' },
    ]);
    expect(history.headers.get('link')).toContain('cursor=');
    const arrow = await fetch(`${server.url}${META}/entities/s1/history`, {
      headers: { 'x-api-key': server.key, accept: 'application/vnd.apache.arrow.stream' },
    });
    expect(tableFromIPC(new Uint8Array(await arrow.arrayBuffer())).numRows).toBe(2);
    expect((await get('/entities/nobody/history', { accept: 'text/csv' })).status).toBe(404);
    expect((await get('/search?entity_type=nothing&q=a', { accept: 'text/csv' })).status).toBe(422);
  });

  test('JSON stays the answer unless a table is preferred; neither is 406', async () => {
    const typeOf = async (accept: string): Promise<[number, string | null]> => {
      const { status, headers } = await get('/entities?limit=1', { accept });
      return [status, headers.get('content-type')];
    };
    const json = [200, 'application/json; charset=utf-8'];
    for (const accept of [
      '*/*',
      'application/json',
      'text/html,application/xhtml+xml,*/*;q=0.8',
      'application/json, text/csv;q=0.5',
    ])
      expect([accept, ...(await typeOf(accept))]).toEqual([accept, ...json]);
    expect(await typeOf('text/csv, application/json;q=0.5')).toEqual([200, 'text/csv; charset=utf-8']);
    expect(await typeOf('text/html')).toEqual([406, 'application/json; charset=utf-8']);
    expect((await get('/entities?limit=1', { accept: 'text/html' })).body.error.code).toBe(406);
    // what has no table is JSON as before
    expect((await get('/entities/s1', { accept: 'text/csv' })).body.data.id).toBe('s1');
  });
});
