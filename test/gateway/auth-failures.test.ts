// `gateway_auth_failures_total` counts every refusal of authentication and authorization, in any API and at
// any depth.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, startServer, type TestServer } from '../testkit/server.ts';

let server: TestServer;
let viewer: string;
let scoped: string;
beforeAll(async () => {
  server = await startServer();
  viewer = await server.newKey({ role: 'viewer' });
  scoped = await server.newKey({ role: 'analyst', project: 'alpha' });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function counted(type: string): Promise<number> {
  const { text } = await server.rest('GET', '/api/v1/gateway/metrics');
  return Number(
    new RegExp(`^gateway_auth_failures_total\\{type="${type}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
  );
}

const INGEST = { entity_type: 'Sample', data: { project: 'beta' } };
const WRITE = 'mutation ($data: JSON!) { ingestEntity(entityType: "Sample", data: $data) { id } }';

test.each<[what: string, type: string, ask: () => Promise<Answer>, status: number]>([
  [
    'no credential',
    'missing_token',
    () => server.rest('GET', '/api/v1/metadata/entities', { key: null }),
    401,
  ],
  [
    'a wrong one',
    'invalid_token',
    () => server.rest('GET', '/api/v1/metadata/entities', { key: 'sk_x' }),
    401,
  ],
  [
    'a role that does not suffice, in REST',
    'insufficient_role',
    () => server.rest('POST', '/api/v1/metadata/ingest', { key: viewer, body: INGEST }),
    403,
  ],
  [
    'a role that does not suffice, in GraphQL',
    'insufficient_role',
    () => server.graphql('mutation { startScan { scanId } }', {}, { key: viewer }),
    403,
  ],
  [
    'a role that does not suffice, found by a service',
    'insufficient_role',
    () =>
      server.rest('POST', '/api/v1/gateway/auth/api-keys', {
        key: scoped,
        body: { label: 'x', role: 'admin' },
      }),
    403,
  ],
  [
    'a role that does not suffice, inside an operation',
    'insufficient_role',
    () =>
      server.graphql(
        'mutation { createApiKey(input: {label: "x", role: admin}) { secret } }',
        {},
        { key: scoped },
      ),
    200,
  ],
  [
    'the same through Apollo Server',
    'insufficient_role',
    () =>
      server.graphql(
        'mutation { createApiKey(input: {label: "x", role: admin}) { secret } }',
        {},
        { key: scoped, headers: { accept: 'application/json;q=0.9' } },
      ),
    200,
  ],
  [
    'another project, named in a header',
    'project_scope_denied',
    () => server.rest('GET', '/api/v1/metadata/entities', { key: scoped, headers: { 'x-project': 'beta' } }),
    403,
  ],
  [
    'another project, named in a body',
    'project_scope_denied',
    () => server.rest('POST', '/api/v1/metadata/ingest', { key: scoped, body: INGEST }),
    403,
  ],
  [
    'another project, named in variables',
    'project_scope_denied',
    () => server.graphql(WRITE, { data: { project: 'beta' } }, { key: scoped }),
    403,
  ],
])('%s counts once, as %s', async (_, type, ask, status) => {
  const before = await counted(type);
  expect((await ask()).status).toBe(status);
  expect(await counted(type)).toBe(before + 1);
});

test('answers that are not authorization failures are not counted', async () => {
  const total = async (): Promise<string[]> =>
    (await server.rest('GET', '/api/v1/gateway/metrics')).text
      .split('\n')
      .filter((line) => line.startsWith('gateway_auth_failures_total'));
  const before = await total();
  expect((await server.rest('GET', '/api/v1/nowhere')).status).toBe(404);
  expect((await server.graphql('{ nothing }')).status).toBe(400);
  expect(await total()).toEqual(before);
});
