// How long the probes' addresses take while one caller sends a hundred bodies of 9 MB at once (bench/README.md#health-under-load):
// as a viewer, whose bodies are refused, and as an analyst, whose bodies are taken as far as the limits allow: entities of a
// type that is not registered, each of which is refused, and entities that are written. Beside it a bare server of Node is
// asked at the same times, so that a machine that is busy otherwise shows in both.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../platform/project-root.ts';
import { startCairn } from './cairn-server.ts';
import { freePort, Processes } from './processes.ts';

const BODIES = 100;
const BODY_BYTES = 9_000_000;
const IDLE_MS = 5000;
/** The type that is registered. */
const LOAD = 'Load';
const FLOODS = [
  ['viewer', 'viewer', LOAD],
  ['analyst, refused', 'analyst', 'Unknown'],
  ['analyst, written', 'analyst', LOAD],
] as const;

interface Probed {
  readonly failed: number;
  readonly asked: number;
  readonly p99: number;
  readonly worst: number;
}

/** Asks both servers while the work lasts. */
async function probed(urls: readonly string[], work: () => Promise<void>): Promise<readonly Probed[]> {
  const client = spawn(process.execPath, [path.join(projectRoot, 'bench/probe-client.mjs'), ...urls], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const output = text(client.stdout);
  await sleep(500);
  await work();
  client.stdin.end();
  return JSON.parse(await output) as Probed[]; // what the program above writes
}

async function keyOf(url: string, admin: string, role: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/gateway/auth/api-keys`, {
    method: 'POST',
    headers: { 'x-api-key': admin, 'content-type': 'application/json' },
    body: JSON.stringify({ label: role, role }),
  });
  const { secret } = (await answer.json()) as { secret?: string }; // of a refusal there is none
  if (secret === undefined) throw new Error(`no key for the role ${role}: ${answer.status}`);
  return secret;
}

async function register(url: string, admin: string): Promise<void> {
  const { status } = await fetch(`${url}/api/v1/metadata/schemas`, {
    method: 'POST',
    headers: { 'x-api-key': admin, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: LOAD,
      version: '1.0.0',
      fields: [{ name: 't', field_type: 'string', required: true }],
    }),
  });
  if (status !== 200) throw new Error(`the schema was refused: ${status}`);
}

/** Sends them all at once; resolves to how many were answered with each status. */
async function flood(url: string, key: string, entityType: string): Promise<Record<string, number>> {
  const entities = Array.from({ length: 4500 }, (_, i) => ({
    entityType,
    id: `l:${i}`,
    data: { t: 'x'.repeat(1900) },
  }));
  const query =
    'mutation Load($entities: [IngestedEntity!]!) { ingestEntities(entities: $entities) { __typename } }';
  const body = JSON.stringify({ query, variables: { entities } }).padEnd(BODY_BYTES);
  const statuses: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: BODIES }, async () => {
      const status = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body,
      }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return String(answer.status);
        },
        () => 'closed',
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
    }),
  );
  return statuses;
}

const told = ({ p99, worst, failed }: Probed): string =>
  `worst ${worst.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms${failed > 0 ? `, ${failed} failed` : ''}`;

const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-health-'));
chmodSync(directory, 0o755); // PostgreSQL may run as another user
const processes = new Processes(directory);
try {
  const { url, key } = await startCairn(processes, directory, process.argv[2]);
  const port = await freePort();
  const bare = await processes.start({
    name: 'bare',
    args: ['bench/baseline/bare-health.mjs'],
    env: { PORT: String(port) },
    port,
    readyPath: '/',
  });
  const names = ['/livez', '/readyz', '/api/v1/gateway/health'];
  const urls = [...names.map((name) => url + name), `${bare.url}/`];
  const report = (name: string, found: readonly Probed[], more = ''): void => {
    const each = found.map((one, i) => `${names[i] ?? 'bare'}: ${told(one)}`);
    console.info(`${name}: ${each.join('; ')}; load ${os.loadavg()[0]?.toFixed(1) ?? ''}${more}`);
  };
  await register(url, key);
  report('idle', await probed(urls, () => sleep(IDLE_MS)));
  for (const [name, role, type] of FLOODS) {
    const caller = await keyOf(url, key, role);
    let statuses: Record<string, number> = {};
    const found = await probed(urls, async () => {
      statuses = await flood(url, caller, type);
    });
    report(name, found, `; ${JSON.stringify(statuses)}`);
  }
} finally {
  await processes.stop();
  rmSync(directory, { recursive: true, force: true });
}
