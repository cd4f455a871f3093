// The files under deploy/ are what the product, and the tools that read them, take.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../platform/config/load-config.ts';
import { projectRoot } from '../platform/project-root.ts';
import { scratchDirectory } from './testkit/scratch-space.ts';
import { alertExpressions, hasPrometheus, PROMETHEUS_FOLDER } from './prometheus-testkit.ts';

const at = (name: string): string => path.join(projectRoot, 'deploy', name);
const has = (command: string): boolean => spawnSync('which', [command]).status === 0;

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
}

test('the configuration is valid in production, and the servers are given each variable of it', () => {
  const text = readFileSync(at('gateway.yaml'), 'utf8');
  const { services } = parse(readFileSync(at('compose.yaml'), 'utf8')) as {
    services: Record<string, Service>;
  };
  const given = services['cairn']?.environment ?? {};
  const env = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      // as Compose would: a default, or a secret that somebody has set
      value.replaceAll(
        /\$\{\w+(?::-([^}]*)|:\?[^}]*)\}/g,
        (_, fallback?: string) => fallback ?? 'x'.repeat(20),
      ),
    ]),
  );
  const config = parseConfig(text, at('gateway.yaml'), { env, cwd: projectRoot });
  expect(config.server).toMatchObject({ mode: 'production', lameDuckSeconds: 5 });
  for (const { volumes = [] } of Object.values(services))
    for (const volume of volumes.filter((from) => from.startsWith('./')))
      expect([volume, existsSync(at(volume.split(':')[0] ?? ''))]).toEqual([volume, true]);
});

test('the image is of a version of Node that the product takes, and starts the product', () => {
  const text = readFileSync(at('Dockerfile'), 'utf8');
  const majors = [...text.matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => Number(major));
  expect(majors.length).toBe(2);
  expect(Math.min(...majors)).toBeGreaterThanOrEqual(20);
  expect(text).toContain('/opt/cairn/cli/cairn.mjs');
  // what it does over http and https: test/gateway/tls-commands.test.ts
  expect(text).toMatch(/^COPY deploy\/healthcheck\.mjs \/opt\/cairn\/deploy\/$/m);
  expect(text).toMatch(/^HEALTHCHECK .*\["node", "\/opt\/cairn\/deploy\/healthcheck\.mjs"\]$/m);
});

test.skipIf(!has('haproxy')).each(['haproxy.cfg', 'haproxy-hosts.cfg'])(
  'haproxy takes %s (skipped where there is none)',
  (name) => {
    const env = {
      ...process.env,
      HOST_1: '192.0.2.1',
      HOST_2: '192.0.2.2',
      POSTGRES_1: '192.0.2.1:5432',
      POSTGRES_2: '192.0.2.2:5432',
      AGENT_PORT: '8008',
    };
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', at(name)], { encoding: 'utf8', env });
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('[ALERT]')]);
  },
);

test.skipIf(!has('nginx'))('nginx takes its configuration (skipped where there is none)', () => {
  const folder = scratchDirectory('nginx');
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=cairn.example.org'],
    ...['-keyout', path.join(folder, 'key.pem'), '-out', path.join(folder, 'fullchain.pem')],
  ]);
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, readFileSync(at('nginx.conf'), 'utf8').replaceAll('/etc/ssl/cairn', folder));
  const { status, stderr } = spawnSync('nginx', ['-t', '-c', file, '-p', folder], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('[warn]')]);
});

test.skipIf(!has('systemd-analyze'))(
  'systemd takes the unit, and with it what is documented for port 443 (skipped where there is none)',
  () => {
    const folder = scratchDirectory('systemd');
    const unit = path.join(folder, 'cairn.service');
    copyFileSync(at('cairn.service'), unit);
    mkdirSync(`${unit}.d`);
    const dropIn = (text: string): void => writeFileSync(path.join(`${unit}.d`, 'port-443.conf'), text);
    const verify = (): readonly string[] => {
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
      expect(status).not.toBeNull();
      // it looks for the program and the account on this machine
      return stderr
        .split('\n')
        .filter((line) => line.includes('cairn.service') && !/not executable|not found/.test(line));
    };
    dropIn('[Service]\nAmbientCapability=CAP_NET_BIND_SERVICE\n');
    expect(verify()).toEqual([expect.stringContaining("Unknown key 'AmbientCapability'")]); // so it is looked at
    const proxies = readFileSync(path.join(projectRoot, 'docs', 'reverse-proxies.md'), 'utf8');
    const documented = /```ini\n(.*?)```/s.exec(proxies)?.[1] ?? '';
    expect(documented).toContain('CAP_NET_BIND_SERVICE');
    dropIn(documented);
    expect(verify()).toEqual([]);
  },
);

test.skipIf(!hasPrometheus)(
  "the alert rules are valid and fire when they should (skipped where Debian's prometheus is not installed)",
  () => {
    for (const args of [
      ['check', 'rules', 'alerts.yml'],
      ['check', 'config', 'prometheus.yml'],
      ['test', 'rules', 'alerts.test.yml'],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, {
        cwd: PROMETHEUS_FOLDER,
        encoding: 'utf8',
      });
      expect([args, status, status === 0 ? '' : stdout + stderr]).toEqual([args, 0, '']);
    }
  },
);

test('each alert is explained to operators', () => {
  const operations = readFileSync(path.join(projectRoot, 'docs', 'operations.md'), 'utf8');
  expect(
    alertExpressions().filter(({ of }) => !operations.includes(`| ` + '`' + `${of}` + '`' + ` |`)),
  ).toEqual([]);
});
