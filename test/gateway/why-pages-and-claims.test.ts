// docs/reference/metadata.md#why: chains come in pages, end where asked, and hold causes that nobody can claim.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { askWhy, type Chain, ingestSample, keysOf, kindsOf, registerSample } from './why-testkit.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ transport: 'in-process' });
  await registerSample(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const why = (subject: string, more: Record<string, unknown> = {}): Promise<Chain | null> =>
  askWhy(server, subject, more, server.key);

test('a chain comes in pages, each node and link once, and ends at the depth and the time that are asked for', async () => {
  for (let i = 0; i < 6; i++) await ingestSample(server, 'p:1', { note: String(i) });
  const whole = await why('version:6:p:1', { depth: 20 });
  expect(whole?.nodes).toHaveLength(18);
  const [nodes, links]: [string[], object[]] = [[], []];
  for (let after: string | null = null; ;) {
    const page: Chain | null = await why('version:6:p:1', { depth: 20, first: 4, after });
    nodes.push(...keysOf(page));
    links.push(...(page?.links ?? []));
    after = page?.nextCursor ?? null;
    if (after === null) break;
  }
  expect(nodes).toEqual(keysOf(whole));
  expect(links).toHaveLength(whole?.links.length ?? 0);
  expect(kindsOf(await why('version:6:p:1', { depth: 1 }))).toEqual(['VERSION', 'EVENT', 'VERSION']);
  const third = whole?.nodes.find(({ key }) => key === 'version:3:p:1')?.at;
  expect(keysOf(await why('entity:p:1', { depth: 1, asOf: third }))).toEqual([
    'entity:p:1',
    'version:3:p:1',
    'version:2:p:1',
    'version:1:p:1',
  ]);
  expect(await why('version:4:p:1', { asOf: third })).toBeNull();
  for (const wrong of [
    { first: 0 },
    { first: 1001 },
    { depth: 0 },
    { depth: 51 },
    { after: 'x' },
    { asOf: 'soon' },
  ])
    await expect(why('entity:p:1', wrong)).rejects.toThrow(/INVALID_REQUEST/);
});

test('nobody can claim a cause', async () => {
  const service = await server.newKey({ role: 'service' });
  const analyst = await server.newKey({ role: 'analyst' });
  const acting = (cause: string) =>
    Buffer.from(JSON.stringify({ roles: ['service'], projects: '*', credential: null, cause })).toString(
      'base64url',
    );
  const body = { entity_type: 'Sample', id: 'f:1', data: { label: 'forged' } };
  for (const [key, headers] of [
    [analyst, { 'x-cairn-acting': acting('run:forged') }],
    [service, { 'x-cairn-acting': acting('run:forged') }],
  ] as const)
    expect(await server.rest('POST', '/api/v1/metadata/ingest', { key, body, headers })).toMatchObject({
      status: 403,
      body: { error: 'insufficient_role' },
    });
  for (const cause of ['request:forged', 'run:a b'])
    expect(
      await server.rest('POST', '/api/v1/metadata/ingest', {
        key: service,
        body,
        headers: { 'x-cairn-acting': acting(cause) },
      }),
    ).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  const { status, headers } = await server.rest('POST', '/api/v1/metadata/ingest', {
    key: analyst,
    body,
    headers: { 'x-platform-cause': 'run:forged', 'x-platform-actor': 'user:eve' },
  });
  expect(status).toBe(200);
  expect(keysOf(await why('version:1:f:1')).at(-1)).toBe(`request:${headers.get('x-request-id') ?? ''}`);
});
