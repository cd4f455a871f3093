// Components of kind `rest` in the whole platform: their roles (docs/reference/gateway.md#role-table) and
// descriptions (docs/reference/gateway.md#openapi-description).
import { Validator } from '@seriousme/openapi-schema-validator';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../testkit/server.ts';

const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Beacon', version: '1' },
  paths: {
    '/items': {
      get: {
        operationId: 'listItems',
        responses: {
          200: {
            description: 'All.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } },
          },
        },
      },
    },
  },
  components: { schemas: { Item: { type: 'string', nullable: true } } },
};

/** Accepts every request and reports which reached it; publishes a description when told to. */
async function startForeign(): Promise<{ url: string; reached: string[]; describe(): void }> {
  const reached: string[] = [];
  let described = false;
  const server = createServer((req, res) => {
    if (req.url === '/openapi.json')
      return void (described
        ? res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(DESCRIPTION))
        : res.writeHead(404).end());
    reached.push(`${req.method} ${req.url}`);
    res.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return {
    url: `http://127.0.0.1:${port}`,
    reached,
    describe: () => {
      described = true;
    },
  };
}

test('a foreign artifact component gets from each role what the specification lets it do, below the cache at any depth', async () => {
  const foreign = await startForeign();
  await using server = await startServer({
    config: `components: {artifact: {kind: rest, url: "${foreign.url}"}}`,
  });
  const [viewer, analyst] = [
    await server.newKey({ role: 'viewer' }),
    await server.newKey({ role: 'analyst' }),
  ];
  const status = async (method: string, path: string, key: string): Promise<number> =>
    (await server.rest(method, `/api/v1/artifact${path}`, { key })).status;
  for (const path of ['/cache', '/cache/a', '/cache/a/b', '/cache/a/b/', '/api/v1/cache/a/b'])
    expect([path, await status('DELETE', path, analyst)]).toEqual([path, 403]);
  expect(await status('POST', '/produce', viewer)).toBe(403);
  expect(foreign.reached.filter((request) => !request.startsWith('GET /health'))).toEqual([]);
  expect([
    await status('DELETE', '/cache/a/b', server.key),
    await status('POST', '/produce', analyst),
    await status('GET', '/resolve?x=1', viewer),
  ]).toEqual([200, 200, 200]);
  expect(foreign.reached.filter((request) => !request.startsWith('GET /health'))).toEqual([
    'DELETE /cache/a/b',
    'POST /produce',
    'GET /resolve?x=1',
  ]);
});

test('a stand-in for one of the three components gets no request without a credential', async () => {
  const foreign = await startForeign();
  await using server = await startServer({
    config: `components: {metadata: {kind: rest, url: "${foreign.url}"}, workflow: {kind: rest, url: "${foreign.url}"}}
workflow: {triggers: [{name: hook, type: webhook, path: /hooks/lab, secret_env: HOOK_SECRET, action: {type: resolve, entity_type: Sample}}]}`,
    env: { HOOK_SECRET: 'the secret of a hook, long enough' },
  });
  const paths = [
    ['GET', '/api/v1/metadata/'],
    ['GET', '/api/v1/metadata/health'],
    ['GET', '/ga4gh/drs/v1/service-info'],
    ['POST', '/api/v1/workflow/hooks/lab'],
  ] as const;
  const status = async (method: string, path: string, key: string | null): Promise<number> =>
    (await server.rest(method, path, { key })).status;
  const ownProbes = (request: string): boolean => request !== 'GET /health';
  for (const [method, path] of paths)
    expect([path, await status(method, path, null), await status(method, path, 'sk_wrong')]).toEqual([
      path,
      401,
      401,
    ]);
  expect(foreign.reached.filter(ownProbes)).toEqual([]);
  const viewer = await server.newKey({ role: 'viewer' });
  for (const [method, path] of paths) expect([path, await status(method, path, viewer)]).toEqual([path, 200]);
  expect(foreign.reached.filter(ownProbes)).toEqual([
    'GET /',
    'GET /ga4gh/drs/v1/service-info',
    'POST /hooks/lab',
  ]);
});

test('health and metrics are described where they are, and not where they are switched off', async () => {
  const described = async (config: string): Promise<string[]> => {
    await using server = await startServer({ config });
    const { body } = await server.rest('GET', '/api/v1/openapi.json', { key: null });
    return Object.keys(body.paths as object).filter(
      (path) => /health|metrics|vital/.test(path) && !path.includes('/metadata/'),
    );
  };
  expect(
    await described('observability: {health: {path: /vital/signs}, metrics: {path: /vital/metrics}}'),
  ).toEqual(['/vital/signs', '/vital/metrics']);
  expect(await described('observability: {metrics: {enabled: false}}')).toEqual(['/api/v1/gateway/health']);
});

test('the description tells of the paging of API keys and sync events', async () => {
  await using server = await startServer();
  const { body } = await server.rest('GET', '/api/v1/openapi.json', { key: null });
  const parameters = (path: string): string[] =>
    body.paths[path].get.parameters.map(({ name }: { name: string }) => name);
  expect(parameters('/api/v1/gateway/auth/api-keys')).toEqual(['all', 'user', 'limit', 'offset', 'cursor']);
  expect(parameters('/api/v1/gateway/sync/events')).toEqual(['status', 'limit', 'offset', 'cursor']);
});

test('the merged OpenAPI description contains the descriptions of components; a component without one is left out', async () => {
  const [beacon, silent] = [await startForeign(), await startForeign()];
  beacon.describe();
  await using server = await startServer({
    config: `components: {beacon: {kind: rest, url: "${beacon.url}"}, silent: {kind: rest, url: "${silent.url}"}, away: {kind: rest, url: "http://127.0.0.1:1"}}`,
  });
  const { status, body } = await server.rest('GET', '/api/v1/openapi.json', { key: null });
  expect(status).toBe(200);
  expect(await new Validator().validate(structuredClone(body))).toMatchObject({ valid: true });
  expect(body.paths['/api/v1/beacon/items'].get).toMatchObject({
    operationId: 'beacon_listItems',
    tags: ['beacon'],
  });
  expect(body.components.schemas.beacon_Item).toEqual({ type: ['string', 'null'] });
  expect(Object.keys(body.paths).filter((path) => /^\/api\/v1\/(?:silent|away)/.test(path))).toEqual([]);
  expect(body.paths).toHaveProperty(['/api/v1/metadata/entities']);
});
