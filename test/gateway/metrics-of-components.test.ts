// A component that is a process of its own is scraped by itself (docs/reference/gateway.md#component-by-itself).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import type { RunningComponent } from '../../rest-compat/serve-configured.ts';
import { startComponent } from '../../standalone/metadata.ts';
import { hasPrometheus, startPrometheus } from '../prometheus-testkit.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { testLog } from '../testkit/database.ts';

let server: TestServer;
const running: RunningComponent[] = [];
beforeAll(async () => {
  server = await startServer(); // the deployment whose database the component has
});
afterAll(async () => {
  for (const component of running) await component.close();
  await server[Symbol.asyncDispose]();
});

async function alone(yaml = ''): Promise<string> {
  const env = { CAIRN_PORT: '0', CAIRN_DATA_DIR: server.dataDir, DATABASE_URL: server.database.url };
  const config = parseConfig(yaml, '/tmp/gateway.yaml', { env, cwd: '/tmp' });
  const component = await startComponent({ config, log: testLog });
  running.push(component);
  return component.url;
}

const statusOf = async (url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number> =>
  (await fetch(`${url}/metrics`, { headers, method })).status;

test('whoever may read them is decided as at the gateway; whom a proxy forwards for needs a credential', async () => {
  const url = await alone();
  expect(await statusOf(url)).toBe(200);
  expect(await statusOf(url, {}, 'POST')).toBe(405);
  const forwarded = { 'x-forwarded-for': '192.0.2.7' };
  expect(await statusOf(url, forwarded)).toBe(401);
  const by = (metrics: string): Promise<string> => alone(`observability: {metrics: {${metrics}}}\n`);
  expect(await statusOf(await by('access: open'), forwarded)).toBe(200);
  expect(await statusOf(await by('access: admin'))).toBe(401);
  expect(await statusOf(await by('enabled: false'), { authorization: 'Bearer dev' })).toBe(404);
  const distrusted = 'trusted_networks: [192.0.2.0/24]\n';
  expect(await statusOf(await alone(distrusted))).toBe(401);
});

test.skipIf(!hasPrometheus)(
  'Prometheus takes what the component counts (skipped where there is none)',
  async () => {
    const url = await alone();
    for (const [path, body] of [
      ['schemas', '{"name": "Counted", "version": "1", "fields": []}'],
      ['ingest', '{"entity_type": "Counted", "data": {}}'],
    ] as const) {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer dev' };
      expect([path, (await fetch(`${url}/${path}`, { method: 'POST', headers, body })).status]).toEqual([
        path,
        200,
      ]);
    }
    await using prometheus = await startPrometheus(url, '/metrics');
    await expect
      .poll(
        async () => (await prometheus.ask('sum(cairn_log_writes_total{job="cairn"}) > 0')).values.length,
        {
          timeout: 120_000,
        },
      )
      .toBe(1);
    for (const expr of [
      'up{job="cairn"} == 1',
      'cairn_database_connections_max',
      'nodejs_eventloop_lag_max_seconds',
    ])
      expect([expr, (await prometheus.ask(expr)).values.length > 0]).toEqual([expr, true]);
  },
);
