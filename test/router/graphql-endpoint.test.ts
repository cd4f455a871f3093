// The GraphQL endpoint over HTTP: identical answers with and without Apollo Server, and the requirements of
// GraphQL over HTTP.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { buildSchema, type DocumentNode, parse, print, validate } from 'graphql';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { JSON_TYPE } from '../../router/graphql/media-type.ts';
import { caller } from './library.ts';
import { ask, type Answer, type Endpoint, post, serveEndpoint } from './serve-endpoint.ts';

const closers: (() => unknown)[] = [];
let straight: Endpoint;
let apollo: Endpoint;
beforeAll(async () => {
  const later = (fn: () => unknown): void => void closers.push(fn);
  straight = await serveEndpoint({ shortcut: true }, later);
  apollo = await serveEndpoint({ shortcut: false }, later);
});
afterAll(async () => {
  for (const close of closers) await close();
});

const BOOK = 'query Book($id: ID!) { book(id: $id) { id title author { name } } }';
const text = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body,
});
const get = (query: string, more = ''): { path: string; headers: Record<string, string> } => ({
  path: `?query=${encodeURIComponent(query)}${more}`,
  headers: { 'x-api-key': 'k' },
});

const REQUESTS: readonly (readonly [
  what: string,
  request: RequestInit & { path?: string },
  status: number,
  code?: string,
])[] = [
  ['a point read as text', post('{ book(id: "b1") { id title } }'), 200],
  ['a read over two subgraphs', post(BOOK, { variables: { id: 'b1' } }), 200],
  [
    'null for variables and operation name',
    post('{ people { name } }', { variables: null, operationName: null }),
    200,
  ],
  [
    'one of several operations',
    post('query A { people { id } } query B { people { name } }', { operationName: 'B' }),
    200,
  ],
  ['a mutation', post('mutation { rename(id: "b1", title: "x") { title } }'), 200],
  ['introspection', post('{ __schema { queryType { name } } people { name } }'), 200],
  ['a field that fails', post('{ failing(code: "conflict") { id } }'), 200, 'CONFLICT'],
  ['a fault of ours', post('{ crash }'), 200, 'INTERNAL_ERROR'],
  ['a failure that leaves no data', post('{ books { brittle } }'), 200, 'INTERNAL_ERROR'],
  ['variables that do not fit', post(BOOK, { variables: {} }), 400, 'INVALID_REQUEST'],
  [
    'variables that do not fit one subgraph',
    post('query($id: ID!) { book(id: $id) { id title } }'),
    400,
    'INVALID_REQUEST',
  ],
  ['a document that does not parse', post('{'), 400, 'INVALID_REQUEST'],
  ['a document that is not valid', post('{ nothing }'), 400, 'INVALID_REQUEST'],
  ['no such operation', post('query A { people { id } }', { operationName: 'B' }), 400, 'INVALID_REQUEST'],
  [
    'several operations and no name',
    post('query A { people { id } } query B { people { id } }'),
    400,
    'INVALID_REQUEST',
  ],
  ['a subscription', post('subscription { x }'), 400, 'INVALID_REQUEST'],
  ['no query', text('{}'), 400, 'INVALID_REQUEST'],
  ['a query that is no string', text('{"query":{}}'), 400, 'INVALID_REQUEST'],
  ['variables that are a list', post(BOOK, { variables: [] }), 400, 'INVALID_REQUEST'],
  ['variables that are a string', post(BOOK, { variables: '{}' }), 400, 'INVALID_REQUEST'],
  ['an operation name that is a number', post(BOOK, { operationName: 1 }), 400, 'INVALID_REQUEST'],
  ['a batch', text('[{"query":"{ people { id } }"}]'), 400, 'INVALID_REQUEST'],
  ['broken JSON', text('{"query":'), 400, 'INVALID_REQUEST'],
  ['an empty body', text(''), 400, 'INVALID_REQUEST'],
  [
    'a number that cannot be kept',
    text('{"query":"{ people { id } }","variables":{"n":9007199254740993}}'),
    422,
    'VALIDATION_FAILED',
  ],
  ['another media type', text('query', { 'content-type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'a form of another site',
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'query={people{id}}',
    },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['too much', text(`{"query":"#${'x'.repeat(200_000)}"}`), 413, 'PAYLOAD_TOO_LARGE'],
  [
    'graphql-response+json',
    post('{ people { name } }', { headers: { accept: 'application/graphql-response+json' } }),
    200,
  ],
  [
    'a choice of media types',
    post('{ people { name } }', {
      headers: {
        accept: 'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
      },
    }),
    200,
  ],
  [
    'a media type that every object has a member of',
    post('{ people { name } }', { headers: { accept: 'constructor' } }),
    406,
    'INVALID_REQUEST',
  ],
  [
    'a media type we do not have',
    post('{ people { name } }', { headers: { accept: 'image/png' } }),
    406,
    'INVALID_REQUEST',
  ],
  ['a query by GET', get(BOOK, '&variables={"id":"b1"}&operationName=Book'), 200],
  ['a mutation by GET', get('mutation { note }'), 405, 'METHOD_NOT_ALLOWED'],
  ['a GET that another site could send', { path: '?query={people{id}}' }, 400, 'INVALID_REQUEST'],
  ['a parameter twice', get('{ people { id } }', '&query={books{id}}'), 400, 'INVALID_REQUEST'],
  ['variables by GET that are no JSON', get(BOOK, '&variables={'), 400, 'INVALID_REQUEST'],
  ['a GET without query', { headers: { 'x-api-key': 'k' } }, 400, 'INVALID_REQUEST'],
  [
    'a root field above the role',
    post('mutation { rename(id: "b1", title: "x") { title } }', { headers: { 'x-test-role': 'viewer' } }),
    403,
    'INSUFFICIENT_ROLE',
  ],
  [
    'one root field above the role',
    post('{ people { id } ...F } fragment F on Query { __typename }', {
      headers: { 'x-test-role': 'viewer' },
    }),
    200,
  ],
  [
    'a project the actor is not in',
    post('query($p: String) { project(project: $p) }', {
      variables: { p: 'b' },
      headers: { 'x-test-projects': 'a' },
    }),
    403,
    'PROJECT_SCOPE_DENIED',
  ],
  [
    'a project in what is written',
    post('mutation { note(data: { project: "b" }) }', { headers: { 'x-test-projects': 'a' } }),
    403,
    'PROJECT_SCOPE_DENIED',
  ],
  [
    'a project the actor is in',
    post('{ project(project: "a") }', { headers: { 'x-test-projects': 'a' } }),
    200,
  ],
];

const comparable = ({ status, headers, body }: Answer): unknown => ({
  status,
  body,
  headers: ['content-type', 'cache-control', 'www-authenticate', 'allow'].map((name) => [
    name,
    headers.get(name),
  ]),
});

test.each(REQUESTS.map(([what, request, status, code]) => ({ what, request, status, code })))(
  '$what: one answer past Apollo Server and through it',
  async ({ request, status, code }) => {
    const answer = await ask(straight, request);
    expect(comparable(answer)).toEqual(comparable(await ask(apollo, request)));
    expect({ status: answer.status, code: answer.body.errors?.[0]?.extensions['code'] }).toEqual({
      status,
      code,
    });
    for (const error of answer.body.errors ?? []) {
      expect(error.extensions['requestId']).toBe(caller.requestId);
      expect(JSON.stringify(error)).not.toMatch(/hunter2|secret|stack|node_modules/);
    }
    expect(answer.headers.get('cache-control')).toBe('no-store');
  },
);

test('a refusal for want of a role or a project comes with WWW-Authenticate and says what is needed', async () => {
  const { headers, body } = await ask(
    straight,
    post('mutation { note }', { headers: { 'x-test-role': 'analyst' } }),
  );
  expect(headers.get('www-authenticate')).toBe('Bearer realm="cairn", error="insufficient_scope"');
  expect(body.errors?.[0]?.extensions['details']).toMatchObject({ required_role: 'admin' });
});

test('an error keeps its path, details and position', async () => {
  const { body } = await ask(straight, post('{ failing(code: "not_found") { id } }'));
  expect(body).toEqual({
    data: { failing: null },
    errors: [
      {
        message: 'told not_found',
        path: ['failing'],
        extensions: { code: 'NOT_FOUND', details: { hint: 'look' }, requestId: caller.requestId },
      },
    ],
  });
  expect((await ask(straight, post('{ nothing }'))).body.errors?.[0]).toMatchObject({
    locations: [{ line: 1, column: 3 }],
  });
});

test('extensions contain what components return beside the data', async () => {
  expect((await ask(straight, post(BOOK, { variables: { id: 'b1' } }))).body.extensions).toEqual({
    schemaVersion: '7',
  });
});

test("the operation's name is told to the audit", async () => {
  await ask(straight, post(BOOK, { variables: { id: 'b1' } }));
  expect(straight.contexts.at(-1)?.operationName).toBe('Book');
});

test('a refusal is of the media type that was asked for', async () => {
  const accept = 'application/graphql-response+json';
  for (const query of ['{ people { name } }', '{ nothing }', '{'])
    expect((await ask(straight, post(query, { headers: { accept } }))).headers.get('content-type')).toBe(
      `${accept}; charset=utf-8`,
    );
});

test('a wrong method is 405 with Allow', async () => {
  const { status } = await ask(straight, { method: 'PUT', body: '{}' });
  expect(status).toBe(405);
});

describe.each(['past Apollo Server', 'through it'])('GraphQL over HTTP, %s', (way) => {
  test.each(
    serverAudits({
      url: () => (way === 'through it' ? apollo : straight).url,
      fetchFn: (url: string, init: RequestInit = {}) =>
        fetch(url, { ...init, headers: { 'x-api-key': 'k', ...(init.headers as Record<string, string>) } }),
    }),
  )('$name', async ({ fn }) => {
    expect(await fn()).toMatchObject({ status: 'ok' });
  });
});

describe('what clients accept', () => {
  const RESPONSE = 'application/graphql-response+json; charset=utf-8';
  const PLAIN = 'application/json; charset=utf-8';
  test.each([
    ['Apollo Client', 'application/graphql-response+json,application/json;q=0.9', RESPONSE],
    [
      'urql',
      'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
      RESPONSE,
    ],
    [
      'Relay and graphql-request',
      'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
      RESPONSE,
    ],
    ['fetch', '*/*', PLAIN],
    ['older clients', 'application/json, text/plain, */*', PLAIN],
    ['one that prefers plain JSON', 'application/graphql-response+json;q=0.1, application/json', PLAIN],
    ['one that takes anything of a kind', 'application/*;q=0.8', PLAIN],
    ['one that refuses plain JSON', 'application/json;q=0, */*', RESPONSE],
  ])('%s: answers and refusals are %s', async (_, accept, type) => {
    for (const [source, status] of [
      ['{ book(id: "b1") { id title } }', 200],
      ['{ nothing }', 400],
      ['{ book(', 400],
    ] as const) {
      for (const _ of [1, 2]) {
        // the second time from the cache
        const { status: answered, headers } = await ask(
          straight,
          text(JSON.stringify({ query: source }), { accept, 'x-api-key': 'k' }),
        );
        expect([source, answered, headers.get('content-type')]).toEqual([source, status, type]);
      }
    }
  });
});

test('clients that accept only application/json get document errors with 200, and request errors with their status', async () => {
  for (const endpoint of [straight, apollo]) {
    const said = async (content: string, accept: string): Promise<unknown[]> => {
      const { status, headers, body } = await ask(
        endpoint,
        text(content, { 'x-api-key': 'k', ...(accept === '' ? {} : { accept }) }),
      );
      return [status, headers.get('content-type'), body.errors?.length];
    };
    for (const query of ['{', '{ nothing }', 'query($id: ID!) { book(id: $id) { id } }']) {
      expect(await said(JSON.stringify({ query }), 'application/json')).toEqual([200, JSON_TYPE, 1]);
      for (const accept of ['', '*/*', 'application/json, text/plain, */*'])
        expect(await said(JSON.stringify({ query }), accept)).toEqual([400, JSON_TYPE, 1]);
    }
    for (const content of ['{', '{}', '{"query": 5}'])
      expect(await said(content, 'application/json')).toEqual([400, JSON_TYPE, 1]);
  }
});

test('without introspection the schema stays hidden, in suggestions too', async () => {
  const closed = await serveEndpoint({ introspection: false, explorer: false });
  for (const query of [
    '{ __schema { queryType { name } } }',
    '{ ...F } fragment F on Query { people { id } t: __type(name: "Book") { name } }',
  ]) {
    expect((await ask(closed, post(query))).status).toBe(400);
  }
  expect((await ask(closed, post('{ __typename }'))).body).toEqual({ data: { __typename: 'Query' } });
  expect((await ask(straight, post('{ boks { id } }'))).body.errors?.[0]?.message).toContain('Did you mean');
  expect((await ask(closed, post('{ boks { id } }'))).body.errors?.[0]?.message).not.toContain(
    'Did you mean',
  );
});

describe('the explorer', () => {
  const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'x-test-role': 'none' } };

  test('comes to a browser without a credential, with everything it needs from this server', async () => {
    const page = await fetch(straight.url, html);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'; script-src 'self';/);
    const source = await page.text();
    expect(source).not.toMatch(/https?:|<script>|\son\w+=/);
    const files = [...source.matchAll(/(?:src|href)="(graphql\/[^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files).toHaveLength(7);
    for (const file of files) {
      const asset = await fetch(new URL(file, straight.url), { headers: { 'x-test-role': 'none' } });
      expect(asset.status).toBe(200);
      expect(asset.headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=utf-8$/);
      expect((await asset.text()).length).toBeGreaterThan(100);
    }
  });

  interface Props {
    readonly defaultQuery: string;
    readonly fetcher: (request: unknown, options?: { documentAST: DocumentNode }) => unknown;
  }

  /** Runs the page's script in a minimal browser. */
  async function openExplorer() {
    const source = await (await fetch(`${straight.url}/assets/explorer.js`)).text();
    const stored = new Map<string, string>();
    const elements = new Map<
      string,
      {
        value: string;
        textContent: string;
        addEventListener: (name: string, listener: (event: unknown) => void) => void;
      }
    >();
    const listeners: ((event: unknown) => void)[] = [];
    const element = (id: string) => {
      const found = elements.get(id) ?? {
        value: '',
        textContent: '',
        addEventListener: (_, listener) => listeners.push(listener),
      };
      elements.set(id, found);
      return found;
    };
    let props: Props | undefined;
    const requests: [string, RequestInit][] = [];
    const subscribed: unknown[] = [];
    runInNewContext(source, {
      document: { getElementById: element },
      sessionStorage: {
        getItem: (key: string) => stored.get(key) ?? null,
        setItem: (key: string, value: string) => stored.set(key, value),
        removeItem: (key: string) => stored.delete(key),
      },
      React: {
        createElement: (_: unknown, given: Props) => {
          props = given;
        },
      },
      ReactDOM: { createRoot: () => ({ render: () => undefined }) },
      GraphiQL: 'GraphiQL',
      // what it does with the page is seen in Chromium (test/console/beside.test.ts)
      MutationObserver: class {
        readonly observe = (): void => undefined;
      },
      graphqlSse: {
        createClient: ({ headers }: { headers: () => unknown }) => ({
          iterate: (request: unknown) => {
            subscribed.push([request, headers()]);
            return 'events';
          },
        }),
      },
      fetch: (url: string, init: RequestInit) => {
        // beside the requests that a reader makes, the page asks who that is
        if (typeof init.body !== 'string' || !init.body.includes('{ me {')) requests.push([url, init]);
        return fetch(straight.url, init);
      },
    });
    if (!props) throw new Error('the page renders GraphiQL');
    const enter = (credential: string): void => {
      element('key').value = credential;
      listeners[0]?.({ preventDefault: () => undefined });
    };
    return { props, requests, subscribed, element, enter };
  }

  test('asks by the session, or sends the key that it was given as a bearer and keeps it in the tab alone', async () => {
    const { props, requests, element, enter } = await openExplorer();
    expect(await props.fetcher({ query: '{ people { name } }' })).toEqual({
      data: { people: [{ name: 'Ada' }, { name: 'Bo' }] },
    });
    expect(requests[0]?.[1].headers).not.toHaveProperty('authorization');
    expect(requests[0]).toMatchObject([
      'graphql',
      { credentials: 'same-origin', headers: { 'x-cairn-session': '1' } },
    ]);
    enter(' sk_secret ');
    await props.fetcher({ query: '{ people { name } }' });
    expect(requests[1]).toMatchObject(['graphql', { headers: { authorization: 'Bearer sk_secret' } }]);
    expect(requests[1]?.[1].headers).not.toHaveProperty('x-cairn-session');
    expect(element('key').value).toBe('');
  });

  test('subscribes by server-sent events', async () => {
    const { props, requests, subscribed, enter } = await openExplorer();
    enter('sk_secret');
    const documentAST = parse('query A { people { name } } subscription B { x }');
    expect(props.fetcher({ query: print(documentAST), operationName: 'B' }, { documentAST })).toBe('events');
    expect(subscribed).toEqual([
      [expect.objectContaining({ operationName: 'B' }), { authorization: 'Bearer sk_secret' }],
    ]);
    await props.fetcher({ query: print(documentAST), operationName: 'A' }, { documentAST });
    expect([requests.length, subscribed.length]).toEqual([1, 1]);
  });

  test('greets with operations that the graph has', async () => {
    const { props } = await openExplorer();
    const graph = buildSchema(await readFile(path.join(projectRoot, 'test/contract/api.graphql'), 'utf8'));
    expect(validate(graph, parse(props.defaultQuery))).toEqual([]);
  });

  test('serves nothing else from its folder', async () => {
    for (const name of ['explorer.ts', '..%2fendpoint.ts', 'constructor', '__proto__']) {
      expect(
        (await fetch(`${straight.url}/assets/${name}`, { headers: { 'x-test-role': 'none' } })).status,
      ).toBe(404);
    }
  });

  test('is not what a query by GET leads to, which needs a credential', async () => {
    expect(await ask(straight, { path: '?query={people{id}}', ...html })).toMatchObject({
      status: 401,
      body: { error: 'missing_token' },
    });
    expect((await ask(straight, { headers: { 'x-test-role': 'none' } })).status).toBe(401);
    const elsewhere = {
      headers: { 'x-api-key': 'k', 'x-project': 'b', 'x-test-projects': 'a' },
      path: '?query={people{id}}',
    };
    expect(await ask(straight, elsewhere)).toMatchObject({
      status: 403,
      body: { error: 'project_scope_denied' },
    });
  });

  test('is not there where it is switched off', async () => {
    const closed = await serveEndpoint({ explorer: false });
    expect((await fetch(closed.url, html)).status).toBe(401);
    expect((await fetch(`${closed.url}/assets/react.js`)).status).toBe(404);
  });
});

test('who may only read asks with no more than a mebibyte; who writes, with as much as the endpoint takes', async () => {
  const endpoint = await serveEndpoint({ bodyLimit: 3_000_000 });
  const asked = (role: string, length: number): Promise<Answer> =>
    ask(endpoint, post(`{ people { name } } #${'x'.repeat(length)}`, { headers: { 'x-test-role': role } }));
  expect((await asked('viewer', 2_000_000)).status).toBe(413);
  expect((await asked('viewer', 500_000)).status).toBe(200);
  expect((await asked('analyst', 2_000_000)).status).toBe(200);
});
