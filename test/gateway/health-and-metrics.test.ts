// docs/reference/gateway.md#health, docs/reference/gateway.md#metrics.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createHealth, type Probed } from '../../router/health/health.ts';
import type { HealthReport } from '../../router/health/health-report.ts';
import { httpProbe } from '../../router/health/http-probe.ts';
import { startGateway } from './gateway-testkit.ts';

const answering = (status: number | null, afterMs = 0): Probed => ({
  url: 'http://component',
  timeoutMs: 60_000, // a busy machine takes longer than a short limit
  latencyObjectiveMs: 30_000,
  probe: () =>
    new Promise((resolve) => {
      setTimeout(resolve, afterMs, status);
    }),
});
const SLOW = { ...answering(200, 80), latencyObjectiveMs: 50 };
const report = (components: Readonly<Record<string, Probed>>, store = true): Promise<HealthReport> =>
  createHealth({ components, storeAnswers: () => Promise.resolve(store), cacheMs: 0 }).report();

test.each([
  ['answers in time', answering(200), 'healthy', undefined],
  ['redirects in time', answering(302), 'healthy', undefined],
  ['is slow', SLOW, 'degraded', 'slow_response'],
  [
    'is slow, and knows why',
    { ...SLOW, problem: () => Promise.resolve('writes_disk_full') },
    'degraded',
    'writes_disk_full',
  ],
  [
    'answers a non-5xx error, whatever it knows',
    { ...answering(404), problem: () => Promise.resolve('writes_disk_full') },
    'degraded',
    'http_404',
  ],
  ['answers a non-5xx error', answering(404), 'degraded', 'http_404'],
  ['answers 500', answering(500), 'unhealthy', 'http_500'],
  ['answers 503', answering(503), 'unhealthy', 'http_503'],
  ['does not answer', answering(null), 'unhealthy', 'unreachable'],
  ['does not answer in time', { ...answering(200, 5000), timeoutMs: 200 }, 'unhealthy', 'timeout'],
  [
    'fails to be asked',
    { ...answering(200), probe: () => Promise.reject(new Error('x')) },
    'unhealthy',
    'unreachable',
  ],
] as const)('a component that %s', async (_, component, status, detail) => {
  const { components, status: all, bridge } = await report({ good: answering(200), tried: component });
  expect(components['tried']?.status).toBe(status);
  expect(components['tried']?.detail).toBe(detail);
  expect(Number.isInteger(components['tried']?.latency_ms)).toBe(true);
  expect([all, bridge, components['good']?.status]).toEqual([status, 'healthy', 'healthy']);
});

test('the overall status is that of the worst component, and unhealthy if the store does not answer', async () => {
  expect((await report({ a: answering(404), b: answering(500), c: answering(200) })).status).toBe(
    'unhealthy',
  );
  expect((await report({ a: answering(404), c: answering(200) })).status).toBe('degraded');
  expect(await report({ a: answering(200) }, false)).toMatchObject({
    status: 'unhealthy',
    bridge: 'unhealthy',
  });
});

test('a report is valid for its time, and many concurrent requests cause one round of probes', async () => {
  let probes = 0;
  const health = createHealth({
    components: {
      a: {
        ...answering(200),
        probe: () => {
          probes++;
          return Promise.resolve(200);
        },
      },
    },
    storeAnswers: () => Promise.resolve(true),
    cacheMs: 100,
  });
  const [first] = await Promise.all(Array.from({ length: 20 }, () => health.report()));
  expect(probes).toBe(1);
  expect(await health.report()).toBe(first);
  await new Promise((resolve) => {
    setTimeout(resolve, 120);
  });
  expect(await health.report()).not.toBe(first);
  expect(probes).toBe(2);
});

test('health needs no credential: 200 for healthy and degraded, 503 for unhealthy', async () => {
  for (const [status, http, overall] of [
    [200, 200, 'healthy'],
    [404, 200, 'degraded'],
    [500, 503, 'unhealthy'],
  ] as const) {
    await using gateway = await startGateway({ components: { metadata: answering(status) } });
    const answer = await gateway.fetch('/api/v1/gateway/health');
    expect(answer.status).toBe(http);
    expect(await answer.json()).toEqual({
      status: overall,
      bridge: 'healthy',
      checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string,
      components: {
        metadata: expect.objectContaining({ status: overall, url: 'http://component' }) as unknown,
      },
    });
  }
});

test('livez and readyz answer orchestrators', async () => {
  await using gateway = await startGateway();
  expect([(await gateway.fetch('/livez')).status, (await gateway.fetch('/readyz')).status]).toEqual([
    200, 200,
  ]);
});

test('a component over HTTP is probed on its health path', async () => {
  const server = createServer((req, res) => {
    res.writeHead(req.url === '/health' ? 204 : 500).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const probe = (path: string): Promise<number | null> =>
    httpProbe(`http://127.0.0.1:${port}${path}`, AbortSignal.timeout(1000));
  expect([await probe('/health'), await probe('/other')]).toEqual([204, 500]);
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  expect(await probe('/health')).toBeNull();
});

test("metrics have the specified names and labels, and Node's own", async () => {
  await using gateway = await startGateway({
    components: { metadata: answering(200), workflow: answering(500) },
  });
  const key = await gateway.keyFor('viewer');
  for (let n = 0; n < 3; n++) await gateway.fetch(`/api/v1/metadata/entities/e${n}`, { key });
  await gateway.fetch('/api/v1/metadata/entities/e1');
  await gateway.fetch('/api/v1/artifact/cache/1', { key, method: 'DELETE' });
  for (const path of ['/no/such/path', '/nor/this/one', '/api/v1/nothing'])
    await gateway.fetch(path, { key });
  await gateway.fetch('/api/v1/gateway/health');
  await gateway.audited();
  const answer = await gateway.fetch('/api/v1/gateway/metrics');
  const text = await answer.text();
  const lines = text.split('\n');
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(lines).toContain(
    'gateway_requests_total{method="GET",path_prefix="/api/v1/metadata/{path}",status="200"} 3',
  );
  expect(lines).toContain(
    'gateway_requests_total{method="GET",path_prefix="/api/v1/metadata/{path}",status="401"} 1',
  );
  expect(lines).toContain('gateway_requests_total{method="GET",path_prefix="none",status="404"} 3');
  expect(lines).toContain(
    'gateway_request_duration_seconds_count{method="GET",path_prefix="/api/v1/metadata/{path}"} 4',
  );
  expect(lines).toContain(
    'gateway_request_duration_seconds_bucket{method="GET",path_prefix="/api/v1/metadata/{path}",le="+Inf"} 4',
  );
  expect(lines).toContain('gateway_auth_failures_total{type="missing_token"} 1');
  expect(lines).toContain('gateway_auth_failures_total{type="insufficient_role"} 1');
  expect(lines).toContain('gateway_component_health{component="metadata"} 1');
  expect(lines).toContain('gateway_component_health{component="workflow"} 0');
  expect(lines).toContain('gateway_active_tokens 3');
  for (const line of [
    '# TYPE gateway_requests_total counter',
    '# TYPE gateway_request_duration_seconds histogram',
    '# TYPE gateway_auth_failures_total counter',
    '# TYPE gateway_component_health gauge',
    '# TYPE gateway_sync_mismatches_total counter',
    '# TYPE gateway_active_tokens gauge',
  ])
    expect(lines).toContain(line);
  expect(text).toContain('process_cpu_seconds_total');
  expect(text).not.toContain('no/such');
  const cumulative = lines
    .filter((line) =>
      line.startsWith(
        'gateway_request_duration_seconds_bucket{method="GET",path_prefix="/api/v1/metadata/{path}"',
      ),
    )
    .map((line) => Number(line.split(' ').at(-1)));
  expect(cumulative).toEqual([...cumulative].sort((a, b) => a - b));
});

test("the gauge of a component's health is set without a request for the report, and waits for no slow component", async () => {
  const slow = { ...answering(200), timeoutMs: 100_000, probe: () => new Promise<number>(() => undefined) };
  await using gateway = await startGateway({
    components: { metadata: answering(200), workflow: answering(503) },
  });
  const text = await (await gateway.fetch('/api/v1/gateway/metrics')).text();
  expect(text).toContain('gateway_component_health{component="metadata"} 1');
  expect(text).toContain('gateway_component_health{component="workflow"} 0');
  await using other = await startGateway({ components: { metadata: slow } });
  const started = performance.now();
  expect((await other.fetch('/api/v1/gateway/metrics')).status).toBe(200);
  expect(performance.now() - started).toBeLessThan(60_000);
});

test('who may read metrics: trusted networks, everybody, or admins', async () => {
  const status = async (options: Parameters<typeof startGateway>[0]): Promise<unknown[]> => {
    await using gateway = await startGateway(options);
    const [viewer, admin] = await Promise.all([gateway.keyFor('viewer'), gateway.keyFor('admin')]);
    const keys = [undefined, 'sk_wrong', viewer, admin];
    return await Promise.all(
      keys.map(async (key) => {
        const answer = await gateway.fetch('/api/v1/gateway/metrics', key === undefined ? {} : { key });
        return answer.ok ? 200 : ((await answer.json()) as { error: string }).error;
      }),
    );
  };
  const refused = ['missing_token', 'invalid_token', 'insufficient_role', 200];
  expect(await status({ metricsAccess: 'trusted' })).toEqual([200, 200, 200, 200]);
  expect(await status({ metricsAccess: 'trusted', trustedNetworks: ['10.0.0.0/8'] })).toEqual(refused);
  expect(await status({ metricsAccess: 'open', trustedNetworks: [] })).toEqual([200, 200, 200, 200]);
  expect(await status({ metricsAccess: 'admin' })).toEqual(refused);
});
