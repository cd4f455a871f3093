// docs/reference/metadata.md#bulk-ingest-over-rest: many entities in one request, each with its outcome.
import { once } from 'node:events';
import http from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { loopShare } from '../testkit/loop-share.ts';
import { BULK, LINES, lines, post, server, setUp } from './bulk-over-rest-testkit.ts';
import { waitFor } from '../testkit/wait-for.ts';

describe.each(['in-process', 'http'] as const)('%s', (transport) => {
  setUp(transport);

  test('others run between rows that are refused, however many come at once', async () => {
    const share = await loopShare(async () => {
      const { status, body } = await post(`[${'1,'.repeat(20_000)}1]`, {
        'content-type': 'application/json',
      });
      expect([status, body.data.failed]).toEqual([207, 20_001]);
    });
    expect(share).toBeLessThan(0.5);
  });

  test('rows are created, updated or unchanged, and sending them again changes nothing', async () => {
    const rows = [
      { entity_type: 'Reading', id: 'r1', data: { n: 1 } },
      { entity_type: 'Reading', data: { n: 2 } },
      { entity_type: 'Reading', id: 'r1', data: { note: 'second' } },
    ];
    const { status, body } = await post(lines(rows));
    expect([status, body]).toMatchObject([
      200,
      {
        data: {
          created: 2,
          updated: 1,
          unchanged: 0,
          failed: 0,
          outcomes: [
            { row: 0, line: 1, id: 'r1', version: 1, change: 'created' },
            { row: 1, line: 2, id: expect.any(String), version: 1, change: 'created' },
            { row: 2, line: 3, id: 'r1', version: 2, change: 'updated' },
          ],
        },
        error: null,
        meta: { schema_version: expect.any(String), request_id: expect.any(String) },
      },
    ]);
    const again = await server.rest('POST', BULK, { body: [rows[0], rows[2]] });
    expect([again.status, again.body.data]).toMatchObject([200, { created: 0, unchanged: 2 }]);
    expect((await server.rest('GET', '/api/v1/metadata/entities/r1')).body.data.data).toEqual({
      n: 1,
      note: 'second',
    });
  });

  test('a version that no entity can have fails its own row', async () => {
    const { status, body } = await post(
      lines([
        { entity_type: 'Reading', id: 'v1', data: { n: 1 } },
        { entity_type: 'Reading', id: 'v1', data: { n: 2 }, if_version: 3_000_000_000 },
        { entity_type: 'Reading', id: 'v1', data: { n: 3 }, if_version: 1 },
      ]),
    );
    expect([status, body.data]).toMatchObject([
      207,
      { created: 1, updated: 1, outcomes: [{ version: 1 }, { code: 412 }, { version: 2 }] },
    ]);
  });

  test('a member that a row has not is refused, not lost; a line of an export goes as it is', async () => {
    await post(lines([{ entity_type: 'Reading', id: 'm1', data: { n: 1 } }]));
    const exported = await server.rest('GET', '/api/v1/metadata/export/Reading.ndjson?filter=id=="m1"');
    const { status, body } = await post(
      lines([
        { entity_type: 'Reading', id: 'm2', data: { n: 1 }, ifVersion: 1 },
        { entity_type: 'Reading', id: 'm3', data: {}, n: 1 },
        '{"entity_type":"Reading","id":"m4","data":{},"__proto__":{}}',
        exported.text.trim(),
        { 'cairn:line': 7, entity_type: 'Reading', id: 'm1', data: { n: 2 } },
      ]),
    );
    expect(status).toBe(207);
    const known = '(a row has entity_type, id, data and if_version)';
    expect(body.data.outcomes).toMatchObject([
      { code: 422, message: `unknown key "ifVersion"; did you mean if_version? ${known}` },
      { code: 422, message: `unknown key "n" ${known}` },
      { code: 422, message: `unknown key "__proto__" ${known}` },
      { id: 'm1', change: 'unchanged' },
      { id: 'm1', change: 'updated' },
    ]);
  });

  test('each row fails alone, with the message and status that it would have had alone', async () => {
    const body = lines([
      { entity_type: 'Reading', id: 'f1', data: { n: 1 } },
      { entity_type: 'Reading', id: 'f2', data: { n: 'one' } },
      '{"entity_type":"Reading","data":{"n":1}',
      '[]',
      { id: 'f5', data: { n: 5 } },
      { entity_type: 'Reading', id: 'f6', data: 6 },
      { entity_type: 'Unheard', data: { n: 7 } },
      { entity_type: 'Reading', id: 'f1', data: { n: 8 }, if_version: 5 },
      '{"entity_type":"Reading","data":{"n":9007199254740993}}',
      { entity_type: 'Reading', id: 'f10', data: { n: 10 } },
    ]);
    const { status, body: answered } = await post(body);
    expect(status).toBe(207);
    expect(answered.data).toMatchObject({ created: 2, updated: 0, unchanged: 0, failed: 8 });
    const alone = await server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Reading', id: 'f2', data: { n: 'one' } },
    });
    expect(
      answered.data.outcomes.map((one: { code?: number; message?: string }) => [
        one.code ?? null,
        one.message ?? null,
      ]),
    ).toEqual([
      [null, null],
      [422, alone.body.error.message],
      [400, expect.stringContaining('the row is not valid JSON')],
      [422, 'a row must be a JSON object'],
      [422, 'entity_type is required'],
      [422, 'data must be an object'],
      [422, expect.stringContaining('Unheard')],
      [412, expect.any(String)],
      [422, expect.stringContaining('data.n')],
      [null, null],
    ]);
    expect(
      (await post(lines([{ id: 'f5', data: { n: 5 } }]), LINES, undefined, '?entity_type=Reading')).status,
    ).toBe(200);
  });

  test('rows of other projects are refused to a caller who is not in them, one by one', async () => {
    const key = await server.newKey({ role: 'analyst', project: 'alpha' });
    const row = (id: string, project: string) => ({ entity_type: 'Reading', id, data: { n: 1, project } });
    const { status, body } = await post(lines([row('p1', 'alpha'), row('p2', 'beta')]), LINES, key);
    expect([status, body.data.outcomes]).toMatchObject([207, [{ change: 'created' }, { code: 403 }]]);
    const viewer = await server.newKey({ role: 'viewer' });
    expect((await post(lines([row('p3', 'alpha')]), LINES, viewer)).body.error).toBe('insufficient_role');
    expect((await post('', LINES)).body.data).toMatchObject({ outcomes: [], created: 0 });
  });

  test('a body that is no list is refused; a truncated list reports the rows written before', async () => {
    const json = { 'content-type': 'application/json' };
    for (const [body, message] of [
      ['{}', 'must be a JSON array'],
      ['', 'a body is required'],
    ] as const) {
      const { status, body: answered } = await post(body, json);
      expect([status, answered.error.message]).toEqual([400, expect.stringContaining(message)]);
    }
    expect((await post('a,b', { 'content-type': 'text/html' })).status).toBe(415);
    expect((await post('{}', { ...LINES, 'x-metadata-context': '{' })).status).toBe(400);
    const { status, body } = await post('[{"entity_type":"Reading","id":"b1","data":{"n":1}},', json);
    expect([status, body.data]).toMatchObject([
      207,
      { created: 1, failed: 1, outcomes: [{ id: 'b1' }, { row: 1, code: 400 }] },
    ]);
  });

  test('the context is stored with every event', async () => {
    await post(lines([{ entity_type: 'Reading', id: 'c1', data: { n: 1 } }]), {
      ...LINES,
      'x-metadata-context': '{"notes":"by hand"}',
    });
    const { body } = await server.rest('GET', '/api/v1/metadata/entities/c1/history');
    expect(body.data[0].context).toEqual({ notes: 'by hand' });
  });

  test('rows are written while others are still sent, more of them than any other body holds', async () => {
    const request = http.request(server.url + BULK, {
      method: 'POST',
      headers: { 'x-api-key': server.key, ...LINES },
    });
    const answered = new Promise<string>((resolve, reject) => {
      request.on('error', reject);
      request.on('response', (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        answer.on('end', () => resolve(text));
      });
    });
    const note = 'x'.repeat(10_000);
    const total = 1200; // 12 MB
    for (let n = 0; n < total - 1; n++)
      request.write(`${JSON.stringify({ entity_type: 'Reading', id: `s${n}`, data: { n, note } })}\n`);
    await waitFor(async () =>
      expect((await server.rest('GET', '/api/v1/metadata/entities/s100')).status).toBe(200),
    );
    request.end(JSON.stringify({ entity_type: 'Reading', id: 'last', data: { n: 0 } }));
    const { data } = JSON.parse(await answered) as { data: { created: number; outcomes: unknown[] } };
    expect([data.created, data.outcomes.length]).toEqual([total, total]);
  });

  test('an answer that begins before the end does not say that all rows were accepted', async () => {
    const id = '\u{1d4b3}'.repeat(200); // the longest outcome of an accepted row
    const row = `${JSON.stringify({ entity_type: 'Reading', id, data: { n: 1 } })}\n`;
    const request = http.request(server.url + BULK, {
      method: 'POST',
      headers: { 'x-api-key': server.key, ...LINES },
    });
    const answered = new Promise<{ status: number | undefined; failed: number }>((resolve, reject) => {
      request.on('error', reject);
      request.on('response', (answer) => {
        const { statusCode: status } = answer;
        const pieces: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => pieces.push(chunk));
        answer.on('end', () => {
          const { data } = JSON.parse(Buffer.concat(pieces).toString()) as { data: { failed: number } };
          resolve({ status, failed: data.failed });
        });
      });
    });
    const block = row.repeat(500);
    for (let i = 0; i < 80; i++) if (!request.write(block)) await once(request, 'drain');
    request.end('{"entity_type":"Reading","data":{"n":"none"}}');
    expect(await answered).toEqual({ status: 207, failed: 1 });
  });

  test('what has come of a body is written, also if its client leaves before the answer', async () => {
    const body = lines(
      Array.from({ length: 2000 }, (_, n) => ({ entity_type: 'Reading', data: { n, note: 'left' } })),
    );
    const total = async (): Promise<number> =>
      (await server.rest('GET', '/api/v1/metadata/entities?entity_type=Reading&note=left&limit=1')).body.data
        .total;
    const request = http.request(server.url + BULK, {
      method: 'POST',
      headers: { 'x-api-key': server.key, ...LINES, 'content-length': Buffer.byteLength(body) },
    });
    request.on('error', () => undefined); // it is destroyed below
    request.end(body);
    await vi.waitUntil(async () => (await total()) > 0, { timeout: 120_000, interval: 5 });
    request.destroy();
    await vi.waitUntil(async () => (await total()) === 2000, { timeout: 120_000 });
  });
});
