// What is answered without success is what the description says: refusals by the gateway, a report of bad health.
import { expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { type Description, validatorsOf } from './checked-client.ts';

/** Nobody listens there. */
const GONE = 'components: {beacon: {kind: rest, url: "http://127.0.0.1:9", health_timeout_ms: 5000}}';

const described = async (server: TestServer): Promise<Description> =>
  (await server.rest('GET', '/api/v1/openapi.json', { key: null })).body;

/** Paths of the description, with something for each parameter. */
const callsIn = ({ paths }: Description): { method: string; path: string; template: string }[] =>
  Object.entries(paths).flatMap(([template, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      path: template.replaceAll(/\{\w+\}/g, 'x'),
      template,
    })),
  );

test('every refusal and report is as described', async () => {
  await using server = await startServer({ config: GONE });
  const description = await described(server);
  const validatorOf = validatorsOf(description);
  const faultOf = async (
    { method, path, template }: ReturnType<typeof callsIn>[number],
    headers: Readonly<Record<string, string>>,
  ): Promise<string | undefined> => {
    const response = await fetch(server.url + path, { method, headers, redirect: 'manual' });
    const text = await response.text();
    if (response.ok || !(response.headers.get('content-type') ?? '').includes('json')) return undefined;
    const responses = description.paths[template]?.[method.toLowerCase()]?.responses ?? {};
    const { content } =
      responses[response.status] ?? responses[`${Math.trunc(response.status / 100)}XX`] ?? {};
    const schema = content?.['application/json']?.schema;
    const fault = schema === undefined ? 'is not described' : validatorOf(schema)(JSON.parse(text));
    return fault === null ? undefined : `${method} ${path}: ${response.status} ${fault}`;
  };
  const viewer = await server.newKey({ role: 'viewer', project: 'alpha' });
  const faults: (string | undefined)[] = [];
  for (const headers of [{}, { 'x-api-key': viewer }, { 'x-api-key': viewer, 'x-project': 'beta' }])
    faults.push(...(await Promise.all(callsIn(description).map((call) => faultOf(call, headers)))));
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  expect((await server.rest('GET', '/api/v1/gateway/health', { key: null })).status).toBe(503);
});

test('refusals of the token endpoint that are none of OAuth are described, too', async () => {
  await using server = await startServer({ config: 'rate_limit: {enabled: true, per_ip_rps: 1}' });
  const description = await described(server);
  const faultOf = validatorsOf(description)({ $ref: '#/components/schemas/gateway_OAuthError' });
  const ask = () => server.rest('POST', '/api/v1/gateway/auth/token', { key: null, body: {} });
  const answers = await Promise.all(Array.from({ length: 5 }, ask));
  expect(answers.map(({ status }) => status)).toContain(429);
  expect(answers.map(({ body }) => faultOf(body))).toEqual([null, null, null, null, null]);
});

test('what a configuration leaves out is not described', async () => {
  await using server = await startServer({ config: 'auth: {mode: api_key}' });
  const calls = callsIn(await described(server)).filter(({ path }) => path.includes('/auth/'));
  const answers = await Promise.all(
    calls.map(async ({ method, path }) => [path, (await server.rest(method, path)).body?.error]),
  );
  expect(answers.filter(([, error]) => error === 'route_not_found')).toEqual([]);
  expect(answers.map(([path]) => path)).toContain('/api/v1/gateway/auth/jwks.json');
});

test.each([
  { access: 'open', described: [], status: 200 },
  { access: 'trusted', described: [{}, { bearer: [] }, { apiKey: [] }], status: 200 },
  { access: 'admin', described: undefined, status: 401 },
])('metrics with access $access say who needs a credential', async (told) => {
  await using server = await startServer({ config: `observability: {metrics: {access: ${told.access}}}` });
  const metrics = '/api/v1/gateway/metrics';
  const { paths } = await described(server);
  // as it is in OpenAPI
  const { security } = paths[metrics]?.['get'] as { readonly security?: unknown };
  expect(security).toEqual(told.described);
  expect((await server.rest('GET', metrics, { key: null })).status).toBe(told.status);
});
