// Commands, and what runs beside a server, over its TLS (docs/reference/gateway.md#tls).
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiOf } from '../../cli/api.ts';
import { throughOwn } from '../../cli/own-certificate.ts';
import { loadConfig } from '../../platform/config/load-config.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { type RunningPlatform, startPlatform } from '../../router/main.ts';
import { begin, run } from '../cli/command-line.ts';
import { makeCertificate, useCertificate } from '../testkit/certificates.ts';
import { freshDatabase } from '../testkit/database.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';

const folder = scratchDirectory('tls-commands');
const file = (name: string): string => path.join(folder, name);
const use = (certificate: string): void => useCertificate(folder, certificate);

let database: Awaited<ReturnType<typeof freshDatabase>>;
let platform: RunningPlatform;
let port: number;
let key: string;

/** What the server's terminal has set, as secrets are; the other one has not. */
const environment = () => ({ CAIRN_DATA_DIR: folder, DATABASE_URL: database.url, TLS_TEST_LEVEL: 'error' });
const config = () => loadConfig({ env: environment(), cwd: folder });

beforeAll(async () => {
  database = await freshDatabase();
  makeCertificate(folder, 'first');
  makeCertificate(folder, 'second');
  use('first');
  writeFileSync(
    file('gateway.yaml'),
    'server: {port: 0, tls: {certificate: in-use.pem, key: in-use.key}}\nobservability: {log_level: "${TLS_TEST_LEVEL}"}\n',
  );
  platform = await startPlatform({ config: config(), log: pino({ level: 'silent' }) });
  port = Number(new URL(platform.url).port);
  key = readFileSync(file('admin-key'), 'utf8').trim();
});
afterAll(async () => {
  await platform.close();
  await database[Symbol.asyncDispose]();
});

const bash = async (script: string, env: Readonly<Record<string, string>> = {}): Promise<string> =>
  (
    await promisify(execFile)('bash', ['-c', script], {
      cwd: projectRoot,
      env: { PATH: process.env['PATH'], HOME: folder, ...env },
    })
  ).stdout;

test('the lines that a start prints work as they are, whatever the certificate names, where nothing else is set', async () => {
  makeCertificate(folder, 'public', undefined, 'DNS:cairn.example.org');
  use('public');
  await platform.reload(config());
  const running = {
    url: platform.url,
    adminKeyPath: file('admin-key'),
    retire: async () => undefined,
    close: async () => undefined,
  };
  const started = begin(['start', '--log-level', 'silent'], {
    cwd: folder,
    env: { ...environment(), CAIRN_PORT: String(port) },
    entries: { 'router/main.ts': { startPlatform: async () => running } },
  });
  await expect.poll(started.stdout).toContain('Ctrl-C');
  started.signal('SIGTERM');
  expect(await started.ended).toBe(0);
  const printed = started.stdout();
  expect(printed).toMatch(/signed in[^]*https:\/\/127\.0\.0\.1:\d+\/console/);
  expect(printed).not.toContain('npm run example');
  const exported = /^ {2}export .*$/m.exec(printed)?.[0] ?? '';
  const curl = /^ {2}curl .*$/m.exec(printed)?.[0] ?? '';
  expect(JSON.parse(await bash(`${exported}\nnode cli/cairn.mjs health --json`))).toMatchObject({
    status: 'healthy',
  });
  expect(JSON.parse(await bash(curl))).toMatchObject({ data: expect.anything() });
  use('first');
  await platform.reload(config());
  await expect(bash(curl)).rejects.toMatchObject({ code: 90 }); // curl's own, for another key than the pinned one
});

test("the image's health check asks over TLS where it has to, and says no where nobody answers", async () => {
  const check = (at: number): Promise<string> =>
    bash('node deploy/healthcheck.mjs', { CAIRN_PORT: String(at) });
  expect(await check(port)).toBe('');
  for (const [status, outcome] of [
    [200, undefined],
    [503, 1],
  ] as const) {
    const plainServer = http.createServer((_req, res) => res.writeHead(status).end()).listen(0, '127.0.0.1');
    await once(plainServer, 'listening');
    const { port: at } = plainServer.address() as AddressInfo; // it listens on TCP
    const code = await check(at).then(
      () => undefined,
      (fault: { code: unknown }) => fault.code,
    );
    expect(code).toBe(outcome);
    plainServer.close();
    await once(plainServer, 'close');
    await expect(check(at)).rejects.toMatchObject({ code: 1 });
  }
});

test('the CLI trusts the configured certificate of its own server, and elsewhere who is known to Node', async () => {
  const health = (env: Readonly<Record<string, string>>, cwd = folder) =>
    run(['health'], { env: { CAIRN_URL: platform.url, ...env }, cwd });
  const own = { ...environment(), CAIRN_CONFIG: file('gateway.yaml'), CAIRN_PORT: String(port) };
  expect(await health(own)).toMatchObject({ status: 0, stderr: '' });
  expect(await health({ CAIRN_KEY: key })).toMatchObject({ status: 0, stderr: '' }); // with address and key, too
  writeFileSync(file('faulty.yaml'), 'server: {port: none}\n');
  for (const elsewhere of [
    await health({ CAIRN_KEY: key }, '/'),
    await health({ CAIRN_KEY: key, CAIRN_CONFIG: file('faulty.yaml') }),
    await health({ ...own, CAIRN_KEY: key, CAIRN_PORT: '1' }), // another server of this machine
  ])
    expect(elsewhere).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('NODE_EXTRA_CA_CERTS') as unknown,
    });
  use('second'); // before SIGHUP
  expect((await health(own)).stderr).toContain(
    `has another certificate than ${file('in-use.pem')}: SIGHUP has it read the file`,
  );
  const api = apiOf({ url: platform.url, ...throughOwn(config()) }); // it has read the file
  use('first'); // which is in use
  expect(await api.call({ path: '/livez' })).toEqual({ status: 'alive' });
  const unencrypted = platform.url.replace('https', 'http');
  expect((await health({ CAIRN_KEY: key, CAIRN_URL: unencrypted })).stderr).toContain('use https');
});
