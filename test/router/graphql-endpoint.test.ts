// The GraphQL endpoint over HTTP: identical answers with and without Apollo Server, and the requirements of
// GraphQL over HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('who may only read asks with no more than a mebibyte; who writes, with as much as the endpoint takes', async () => {
  const endpoint = await serveEndpoint({ bodyLimit: 3_000_000 });
  const asked = (role: string, length: number): Promise<Answer> =>
    ask(endpoint, post(`{ people { name } } #${'x'.repeat(length)}`, { headers: { 'x-test-role': role } }));
  expect((await asked('viewer', 2_000_000)).status).toBe(413);
  expect((await asked('viewer', 500_000)).status).toBe(200);
  expect((await asked('analyst', 2_000_000)).status).toBe(200);
});
