// `node scripts/run.mjs bench/tls.ts [rounds]` compares a server that has TLS with one that has none, over one database: the
// processor time that a request costs each of them, and the memory of 500 connections (bench/README.md#tls).
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { startAnother, startCairn } from './cairn-server.ts';
import { Processes } from './processes.ts';
import { secondsOf } from './processor-time.ts';
import { seed, TYPES, entityId } from './seed.ts';
import { median } from './statistics.ts';

const rounds = Number(process.argv[2] ?? 7);
const ROUND_MS = 2000;
const CONNECTIONS = 500;

interface Site {
  readonly protocol: typeof http | typeof https;
  readonly port: number;
  readonly pid: number;
}

const megabytes = ({ pid }: Site): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function asked(
  { protocol, port }: Site,
  agent: http.Agent,
  target: string,
  key: string,
): Promise<void> {
  const options = { host: '127.0.0.1', port, path: target, agent, headers: { 'x-api-key': key } };
  const [answer] = (await once(protocol.get(options), 'response')) as [http.IncomingMessage]; // what this event has
  if (answer.statusCode !== 200) throw new Error(`${target}: ${answer.statusCode}`);
  await once(answer.resume(), 'end');
}

/** An agent that keeps connections, or makes a whole handshake for each. */
const agentOf = ({ protocol }: Site, keepAlive: boolean, maxSockets: number): http.Agent =>
  new protocol.Agent({ keepAlive, maxSockets, rejectUnauthorized: false, maxCachedSessions: 0 });

/** Milliseconds of processor time that one of the requests costs the server. */
async function cost(site: Site, keepAlive: boolean, target: string, key: string): Promise<number> {
  const clients = 16;
  const agent = agentOf(site, keepAlive, clients);
  const until = performance.now() + ROUND_MS;
  const before = secondsOf(site.pid);
  let count = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (; performance.now() < until; count++) await asked(site, agent, target, key);
    }),
  );
  agent.destroy();
  return ((secondsOf(site.pid) - before) * 1000) / count;
}

async function heldBy(site: Site): Promise<number> {
  const agent = agentOf(site, true, CONNECTIONS);
  const before = megabytes(site);
  await Promise.all(Array.from({ length: CONNECTIONS }, () => asked(site, agent, '/livez', '')));
  const after = megabytes(site);
  agent.destroy();
  return after - before;
}

const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-tls-'));
chmodSync(directory, 0o755); // when this runs as root, PostgreSQL runs as another user
const processes = new Processes(directory);
try {
  const first = await startCairn(processes, directory);
  await seed(first, 1000);
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=bench', '-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-keyout', path.join(directory, 'tls.key'), '-out', path.join(directory, 'tls.pem')],
  ]);
  const config = path.join(directory, 'tls.yaml');
  const tls = `server: {tls: {certificate: "${directory}/tls.pem", key: "${directory}/tls.key"}}\n`;
  writeFileSync(config, tls + readFileSync(path.join(directory, 'gateway.yaml'), 'utf8'));
  // without TLS it says that it wants it, and is ready
  const { url, pid } = await startAnother(processes, directory, first, 'tls', config);
  const portOf = (of: string): number => Number(new URL(of).port);
  const plain: Site = { protocol: http, port: portOf(first.url), pid: first.pid };
  const secure: Site = { protocol: https, port: portOf(url), pid };
  const one = `/api/v1/metadata/entities/${entityId(0)}`;
  for (const [name, keepAlive, target] of [
    ['one entity, connections are kept', true, one],
    ['one entity, a connection for each request', false, one],
    [
      'a page of 200, connections are kept',
      true,
      `/api/v1/metadata/entities?entity_type=${TYPES[0]}&limit=200`,
    ],
  ] as const) {
    const ratios: number[] = [];
    for (let n = 0; n <= rounds; n++) {
      const without = await cost(plain, keepAlive, target, first.key);
      const within = await cost(secure, keepAlive, target, first.key);
      if (n > 0) ratios.push(within / without); // the first is not measured
    }
    const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    console.info(`${name}: ${median(ratios).toFixed(2)} (${range}) of the processor time without TLS`);
  }
  for (const [name, site] of [
    ['without TLS', plain],
    ['with TLS', secure],
  ] as const)
    console.info(`${name}: ${(await heldBy(site)).toFixed(0)} MB more with ${CONNECTIONS} connections`);
} finally {
  await processes.stop();
  rmSync(directory, { recursive: true, force: true });
}
