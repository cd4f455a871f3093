// `cairn config`: what a server runs with, as a table and for programs.
import { expect, test } from 'vitest';
import { run } from './command-line.ts';
import { platformDouble } from './platform-double.ts';

const ANSWER = {
  file: '/srv/gateway.yaml',
  settings: [
    { key: 'server.port', value: 8080, hidden: false, source: 'default', place: null },
    { key: 'auth.clients[0].secret_env', value: null, hidden: true, source: 'environment', place: 'NIGHTLY' },
  ],
};

test('config shows each key with its value and source, and what is hidden', async () => {
  await using platform = await platformDouble(() => ({ body: ANSWER }));
  const at = ['--url', platform.url, '--key', 'k'];
  const table = await run(['config', ...at]);
  expect([table.status, table.stderr]).toEqual([0, '']);
  expect(table.stdout).toMatch(/server\.port +8080 +default/);
  expect(table.stdout).toMatch(/secret_env +\(hidden\) +environment +NIGHTLY/);
  expect(table.stdout).toContain('from /srv/gateway.yaml');
  expect(JSON.parse((await run(['config', '--json', ...at])).stdout)).toEqual(ANSWER);
  expect(platform.asked[0]).toMatchObject({ method: 'GET', path: '/api/v1/gateway/configuration' });
});
