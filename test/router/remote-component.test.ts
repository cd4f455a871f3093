// A component in another process: the caller's identity, and the handling of its failures.
import { createServer } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { Budget } from '../../platform/budget/budget.ts';
import { withBudget } from '../../platform/budget/budgeted.ts';
import type { Component } from '../../platform/component.ts';
import type { Caller } from '../../platform/identity.ts';
import { readCaller } from '../../platform/read-caller.ts';
import { signNobody } from '../../platform/signed-identity/identity-signer.ts';
import { createSubgraphHandler } from '../../platform/serve-subgraph.ts';
import { Circuit } from '../../router/circuit/circuit.ts';
import { createRemoteComponent } from '../../router/remote/remote-component.ts';
import { caller, createBooks } from './library.ts';
import { listen, type Served, subgraphOptions } from './over-http.ts';

async function upstream(handler: (req: IncomingMessage, res: ServerResponse) => unknown): Promise<Served> {
  const served = await listen(handler);
  onTestFinished(() => served.close());
  return served;
}

function remote(url: string, timeoutMs = 2000): Component {
  const component = createRemoteComponent({
    circuit: new Circuit('remote'),
    name: 'books',
    url,
    healthPath: '/health',
    timeoutMs,
    sign: signNobody,
  });
  onTestFinished(() => component.close());
  return component;
}

const BOOK = '{ book(id: "b1") { id title } }';
const away = (status: number | null): unknown => ({
  data: null,
  errors: [
    {
      message: 'the component books cannot be reached',
      extensions: { code: 'COMPONENT_UNAVAILABLE', details: { component: 'books', upstream_status: status } },
    },
  ],
});
const unknown = (status: number | null): unknown => ({
  data: null,
  errors: [
    {
      message: 'the component books gave no answer: what was to be written may have been written, or not',
      extensions: {
        code: 'COMPONENT_UNAVAILABLE',
        details: { component: 'books', upstream_status: status, outcome: 'unknown' },
      },
    },
  ],
});
const books = createBooks();
const answering = (options = subgraphOptions): ReturnType<typeof createSubgraphHandler> =>
  createSubgraphHandler(books, options);

test('the identity travels in the headers of the specification, and is read on the other side', async () => {
  const seen: Record<string, unknown>[] = [];
  const { url } = await upstream((req, res) => {
    seen.push(req.headers);
    return answering()(req, res);
  });
  const scoped: Caller = {
    ...caller,
    actor: 'user:bo',
    roles: ['viewer', 'analyst'],
    projects: ['a,b', 'ü'],
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  };
  const result = await remote(url).prepare('mutation { rename(id: "b1", title: "x") { title } }')({}, scoped);
  expect(result.data).toEqual({ rename: { title: 'x' } });
  expect(seen[0]).toMatchObject({
    'x-platform-actor': 'user:bo',
    'x-platform-roles': 'viewer,analyst',
    'x-platform-request-id': caller.requestId,
    'x-platform-projects': 'a%2Cb,%C3%BC',
    traceparent: scoped.traceparent,
  });
  const viewer = await remote(url).prepare('mutation { rename(id: "b1", title: "x") { title } }')(
    {},
    { ...caller, roles: ['viewer'] },
  );
  expect(viewer.errors?.[0]?.extensions?.['code']).toBe('INSUFFICIENT_ROLE');
});

test('an actor and a project of any name arrive as they are', async () => {
  const read: Caller[] = [];
  const reader = { believes: () => true };
  const { url } = await upstream(async (req, res) => {
    read.push(await readCaller(req, reader, new AbortController().signal));
    return answering()(req, res);
  });
  const books = remote(url);
  for (const [actor, projects] of [
    ['user:用户', ['*']],
    ['service:größe 🧬', ['研究', '50%']],
    ['service:a%62', []],
  ] as const) {
    expect((await books.prepare(BOOK)({}, { ...caller, actor, projects })).errors).toBeUndefined();
    expect(read.at(-1)).toMatchObject({ actor, projects });
  }
});

test('a request without an actor, or from a peer outside the trusted networks, is refused', async () => {
  const { url } = await upstream(answering());
  const post = (target: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${target}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: BOOK }),
    });
  const bare = await post(url, {});
  expect(bare.status).toBe(401);
  expect(bare.headers.get('www-authenticate')).toMatch(/^Bearer/);
  expect(await bare.json()).toMatchObject({ errors: [{ extensions: { code: 'MISSING_TOKEN' } }] });

  const stranger = await upstream(answering({ ...subgraphOptions, believes: () => false }));
  expect(
    (await post(stranger.url, { 'x-platform-actor': 'user:eve', 'x-platform-roles': 'admin' })).status,
  ).toBe(401);

  const alone = await upstream(
    answering({
      ...subgraphOptions,
      believes: () => false,
      withoutGateway: { actor: 'anonymous', roles: ['admin'], projects: '*' },
    }),
  );
  expect((await post(alone.url, {})).status).toBe(200);
});

test.each([
  ['a wrong method', { method: 'GET' }, 405],
  [
    'a body that is no JSON',
    { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
    400,
  ],
  [
    'a body of another media type',
    { method: 'POST', body: BOOK, headers: { 'content-type': 'text/plain' } },
    415,
  ],
  [
    'a document that does not parse',
    { method: 'POST', body: '{"query":"{"}', headers: { 'content-type': 'application/json' } },
    400,
  ],
  [
    'a document that is not valid',
    { method: 'POST', body: '{"query":"{ x }"}', headers: { 'content-type': 'application/json' } },
    400,
  ],
  [
    'a body over the limit',
    {
      method: 'POST',
      body: `{"query":"${'#'.repeat(2_000_000)}"}`,
      headers: { 'content-type': 'application/json' },
    },
    413,
  ],
])('a served subgraph refuses %s with a code', async (_, { headers, ...request }: RequestInit, status) => {
  const { url } = await upstream(answering());
  const answer = await fetch(`${url}/graphql`, {
    ...request,
    headers: { 'x-platform-actor': 'user:ada', ...(headers as Record<string, string>) },
  });
  expect(answer.status).toBe(status);
  expect(
    ((await answer.json()) as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code,
  ).toMatch(/^[A-Z_]+$/);
});

test('a component that is not there is unavailable, with no upstream status', async () => {
  const { url, close } = await listen(() => undefined);
  await close();
  expect(await remote(url).prepare(BOOK)({}, caller)).toEqual(away(null));
  await expect(remote(url).sdl()).rejects.toMatchObject({ code: 'component_unavailable' });
});

test.each([502, 503, 504])(
  'a component that answers %i is unavailable, and says with what',
  async (status) => {
    const { url } = await upstream((_, res) => res.writeHead(status).end('<html>'));
    expect(await remote(url).prepare(BOOK)({}, caller)).toEqual(away(status));
  },
);

test('a component that answers too late is unavailable', async () => {
  const { url } = await upstream(() => undefined);
  expect(await remote(url, 100).prepare(BOOK)({}, caller)).toEqual(away(null));
});

test('an answer that is no GraphQL is an unavailable component', async () => {
  const { url } = await upstream((_, res) => res.writeHead(200).end('"fine"'));
  expect(await remote(url).prepare(BOOK)({}, caller)).toEqual(away(200));
});

test('errors without a code of ours are masked', async () => {
  const { url } = await upstream((_, res) =>
    res.end(
      JSON.stringify({
        data: null,
        errors: [{ message: 'password: hunter2', extensions: { stacktrace: ['x'] } }],
      }),
    ),
  );
  expect((await remote(url).prepare(BOOK)({}, caller)).errors).toEqual([
    { message: 'internal error', extensions: { code: 'INTERNAL_ERROR' } },
  ]);
});

test('a client that disconnects ends the upstream request', async () => {
  let gone: (value: unknown) => void = () => undefined;
  const ended = new Promise((resolve) => {
    gone = resolve;
  });
  const abort = new AbortController();
  const { url } = await upstream((req) => {
    req.socket.on('close', gone);
    abort.abort();
  });
  const result = await remote(url).prepare(BOOK)({}, { ...caller, signal: abort.signal });
  expect(result.errors).toHaveLength(1);
  await ended;
});

test('a query on a connection that the other side has closed is asked again; a mutation is not', async () => {
  let requests = 0;
  const body = '{"data":{"ok":true}}';
  const server = createServer((socket) => {
    socket.on('data', (request) => {
      if (request.toString().startsWith('GET'))
        socket.end('HTTP/1.1 404 Not Found\r\n\r\n'); // no frames
      else if (++requests === 1) socket.destroy();
      else socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  expect(await remote(url).prepare('{ ok }')({}, caller)).toEqual({ data: { ok: true } });
  requests = 0;
  expect(await remote(url).prepare('mutation { ok }')({}, caller)).toEqual(unknown(null));
});

test('of a mutation that was sent it is told that it may have happened; of one that was not, that it has not', async () => {
  for (const status of [502, 504]) {
    const { url } = await listen((_, res) => res.writeHead(status).end());
    expect(await remote(url).prepare('mutation { ok }')({}, caller)).toEqual(unknown(status));
  }
  const { url, close } = await listen((_, res) => res.end());
  await close();
  expect(await remote(url).prepare('mutation { ok }')({}, caller)).toEqual(away(null));
});

test('the probe tells the status of the health path, and null where nothing answers', async () => {
  const statusOf = (path: string | undefined): number => (path === '/base/health' ? 207 : 404);
  const { url, close } = await listen((req, res) => res.writeHead(statusOf(req.url)).end('x'));
  const component = remote(`${url}/base/`);
  expect(await component.probe(AbortSignal.timeout(1000))).toBe(207);
  await close();
  expect(await component.probe(AbortSignal.timeout(1000))).toBeNull();
});

test('a component that refuses for its share of the limits ends the operation as a whole', async () => {
  const { url } = await upstream((_, res) => {
    res.setHeader('content-type', 'application/json');
    res.end(
      JSON.stringify({
        errors: [
          {
            message: 'too much',
            extensions: { code: 'INVALID_REQUEST', details: { limit: 'bytes', asked: 90, allowed: 80 } },
          },
        ],
      }),
    );
  });
  const budget = new Budget({ cost: 10, objects: 10, bytes: 1000, timeMs: 10_000 }, caller);
  const asking = remote(url).prepare(BOOK)({}, withBudget(caller, budget));
  await expect(budget.within(asking)).rejects.toMatchObject({
    details: { limit: 'bytes', asked: 1010, allowed: 1000 },
  });
  budget.close();
});

test('large variables are made text in turns, and arrive as they are', async () => {
  const rows = Array.from({ length: 60_000 }, (_, i) => ({ i, text: 'ü' }));
  let arrived: unknown;
  const { url } = await upstream(async (req, res) => {
    if (req.method === 'GET') return res.writeHead(404).end(); // it takes no frames
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    arrived = (JSON.parse(Buffer.concat(chunks).toString()) as { variables: unknown }).variables;
    res.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"book":null}}');
  });
  const { stringify } = JSON;
  let longest = 0;
  JSON.stringify = ((value: unknown) => {
    const text = stringify(value);
    longest = Math.max(longest, text?.length ?? 0);
    return text;
  }) as typeof JSON.stringify;
  try {
    await remote(url).prepare(BOOK)({ rows }, caller);
  } finally {
    JSON.stringify = stringify;
  }
  expect(arrived).toEqual({ rows });
  expect(longest).toBeLessThan(200_000);
});
