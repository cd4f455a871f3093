// Requests that last as long as their client sends or reads end with their credential
// (docs/reference/gateway.md#end-of-a-credential).
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { startUpstream } from './pass-through-testkit.ts';
import { waitFor } from '../testkit/wait-for.ts';

const META = '/api/v1/metadata';
const SIZE = 100_000;
const COUNT = 300;

const CLIENT_SECRET = 'the secret of a client, long enough';

let server: TestServer;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
/** What the component has been asked for, and whether it is over there. */
const asked = new Map<string, boolean>();
beforeAll(async () => {
  upstream = await startUpstream((req, res) => {
    const path = req.url ?? '';
    if (path !== '/silent' && path !== '/stream') return void res.end();
    asked.set(path, false);
    res.on('close', () => asked.set(path, true));
    if (path !== '/silent') res.write('data: 1\n\n');
  });
  server = await startServer({
    config:
      `components: {beacon: {kind: rest, url: "${upstream.url}"}}\n` +
      'auth: {service_token_seconds: 3, clients: [{client_id: importer, secret_env: CLIENT_SECRET, grants: [client_credentials], roles: [service], projects: "*"}]}',
    env: { CLIENT_SECRET },
  });
  const field = (name: string, type: string) => ({ name, field_type: type, searchable: false });
  await server.rest('POST', `${META}/schemas`, {
    body: { name: 'Note', version: '1', fields: [field('text', 'string'), field('uri', 'uri')] },
  });
  for (let i = 0; i < COUNT; i += 50) {
    const rows = Array.from({ length: 50 }, (_, n) => ({
      id: `n${i + n}`,
      data: { text: `${i + n}`.repeat(SIZE).slice(0, SIZE) },
    }));
    const { status } = await server.rest('POST', `${META}/ingest/bulk?entity_type=Note`, { body: rows });
    expect(status).toBe(200);
  }
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

interface Key {
  readonly secret: string;
  end(): Promise<void>;
}
async function newKey(): Promise<Key> {
  const { body } = await server.rest('POST', '/api/v1/gateway/auth/api-keys', {
    body: { label: 'for a while', role: 'analyst', owner: 'user:somebody' },
  });
  return {
    secret: body.secret,
    async end() {
      const { status } = await server.rest('DELETE', `/api/v1/gateway/auth/api-keys/${body.id}`);
      expect(status).toBe(200);
    },
  };
}

const begin = (
  method: string,
  path: string,
  { secret }: Key,
  headers: Record<string, string> = {},
): http.ClientRequest => {
  const request = http.request(server.url + path, { method, headers: { 'x-api-key': secret, ...headers } });
  request.on('error', () => undefined); // the server may end it
  return request;
};
const answerTo = async (request: http.ClientRequest): Promise<{ status: number; text: string }> => {
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, text };
};
const exists = async (id: string): Promise<boolean> =>
  (await server.rest('GET', `${META}/entities/${id}`)).status === 200;
const line = (id: string): string => `${JSON.stringify({ entity_type: 'Note', id, data: { text: id } })}\n`;

test('a bulk ingest stops when its key is revoked and reports the rows written before', async () => {
  const key = await newKey();
  const request = begin('POST', `${META}/ingest/bulk`, key, { 'content-type': 'application/x-ndjson' });
  const answer = answerTo(request);
  for (let i = 0; i < 500; i++) request.write(line(`bulk${i}`)); // one batch
  await waitFor(async () => expect(await exists('bulk499')).toBe(true));
  request.write(line('bulk500')); // waits for its batch
  await key.end();
  const { status, text } = await answer;
  const { data } = JSON.parse(text) as {
    data: { created: number; outcomes: { row: number; code?: number; message?: string }[] };
  };
  expect([status, data.created]).toEqual([207, 500]);
  expect(data.outcomes.at(-1)).toMatchObject({
    code: 401,
    message: expect.stringContaining('rows from here on were not written'),
  });
  expect(await exists('bulk500')).toBe(false);
});

test('an export is aborted when its key is revoked', async () => {
  const key = await newKey();
  const request = begin('GET', `${META}/export/Note.ndjson`, key);
  request.end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.pause();
  await key.end();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  let bytes = 0;
  await expect(
    (async () => {
      for await (const chunk of response) bytes += (chunk as Buffer).length;
    })(),
  ).rejects.toThrow('aborted');
  expect(bytes).toBeLessThan(SIZE * COUNT);
});

test('what a component of kind rest streams ends with the key, and so does what it has not answered yet', async () => {
  const key = await newKey();
  const stream = begin('GET', '/api/v1/beacon/stream', key).end();
  const [response] = (await once(stream, 'response')) as [http.IncomingMessage];
  response.resume();
  const streamed = expect(once(response, 'end')).rejects.toThrow('aborted');
  const silent = answerTo(begin('GET', '/api/v1/beacon/silent', key).end());
  await waitFor(() => expect([...asked.keys()].sort()).toEqual(['/silent', '/stream']));
  await key.end();
  await streamed;
  expect(await silent).toMatchObject({ status: 401, text: expect.stringContaining('"revoked_token"') });
  await waitFor(() => expect([...asked.values()]).toEqual([true, true]));
});

test('an upload whose key is revoked meanwhile is not attached', async () => {
  const key = await newKey();
  await server.rest('POST', `${META}/ingest`, { body: { entity_type: 'Note', id: 'held', data: {} } });
  const hex = createHash('sha256').update('first second').digest('hex');
  const request = begin('PUT', `/api/v1/artifact/files/${hex}?entity_id=held&field=uri`, key, {
    'content-type': 'text/plain',
    'content-length': '12',
  });
  const answer = answerTo(request);
  request.write('first ');
  const uploads = async (): Promise<{ offset: number }[]> => {
    const { rows } = await server.database.pool.query<{ offset: number }>(
      'SELECT 1 AS "offset" FROM artifact.upload',
    );
    return rows;
  };
  await waitFor(async () => expect(await uploads()).toHaveLength(1));
  await key.end();
  expect((await answer).status).toBe(401);
  expect((await server.rest('GET', `${META}/entities/held`)).body.data.version).toBe(1);
  expect(await uploads()).toHaveLength(0);
});

test('the expiry of a token does not end requests that it began', async () => {
  const { body: token } = await server.rest('POST', '/api/v1/gateway/auth/token', {
    key: null,
    body: { grant_type: 'client_credentials', client_id: 'importer', client_secret: CLIENT_SECRET },
  });
  const headers = { authorization: `Bearer ${token.access_token}` };
  const request = http.request(`${server.url}${META}/ingest/bulk`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
  });
  const answer = answerTo(request);
  request.write(line('early'));
  await new Promise((resolve) => setTimeout(resolve, 9000)); // longer than the token lasts, and two looks at it
  expect((await server.rest('GET', `${META}/entities`, { key: null, headers })).status).toBe(401);
  request.end(line('late'));
  const { status, text } = await answer;
  expect([status, JSON.parse(text).data.created]).toEqual([200, 2]);
});
