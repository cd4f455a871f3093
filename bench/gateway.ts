// `npm run bench:gateway [-- --json --rounds n --seconds n --clients n]` measures the cost of the edge, and
// pass-through of a service compared with other proxies.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CAIRN } from './cairn-server.ts';
import type { Case, ServerName } from './cases.ts';
import { bestGenerator, createLoadGenerator, isOnPath, type LoadRequest } from './load.ts';
import { measure, type Server } from './measure.ts';
import { freePort, Processes } from './processes.ts';
import { jsonReport, type Result, tableReport } from './report.ts';
import { entityId, seed, TYPES } from './seed.ts';

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};
const ENTITIES = 2000;
/** Never reached, but every request is counted. */
const LIMIT = 1_000_000;

const points = Array.from({ length: ENTITIES }, (_, i): LoadRequest => ({
  method: 'GET',
  path: `/api/v1/metadata/entities/${entityId(i)}`,
}));
const lists = TYPES.map((type): LoadRequest => ({
  method: 'GET',
  path: `/api/v1/metadata/entities?entity_type=${type}&limit=100`,
}));
const dataOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'data' in body ? body.data : body;

const passing = (size: '64k' | '10m', clients: number, hasNginx: boolean): Case => {
  const direct: LoadRequest[] = [{ method: 'GET', path: `/${size}` }];
  return {
    name: `pass-${size}`,
    what: `GET ${size} through the gateway from a component of kind rest`,
    clients,
    requests: [{ method: 'GET', path: `/api/v1/files/${size}` }],
    comparisons: [
      { with: 'http-proxy-middleware', requests: direct, target: 1 },
      ...(hasNginx ? [{ with: 'nginx' as const, requests: direct, target: null }] : []),
    ],
    essence: (body) => String(body).length,
  };
};

const casesFor = (hasNginx: boolean): readonly Case[] => [
  {
    name: 'edge-point',
    what: 'GET one entity, with the whole edge and with none of it',
    requests: points,
    comparisons: [{ with: 'without-edge', target: 0.75 }],
    essence: dataOf,
  },
  {
    name: 'edge-list',
    what: 'GET 100 entities, with the whole edge and with none of it',
    requests: lists,
    comparisons: [{ with: 'without-edge', target: 0.75 }],
    essence: dataOf,
  },
  passing('64k', 32, hasNginx),
  passing('10m', 8, hasNginx),
];

const script = (name: string): string[] => ['scripts/run.mjs', `bench/baseline/${name}.ts`];

/** Starts a process on a free port, and returns its URL. */
async function serve(
  processes: Processes,
  name: string,
  args: readonly string[],
  env: Record<string, string>,
  readyPath = '/',
): Promise<string> {
  const port = await freePort();
  return (
    await processes.start({
      name,
      args,
      env: { ...env, PORT: String(port), CAIRN_PORT: String(port) },
      port,
      readyPath,
    })
  ).url;
}

/** Configures a gateway in the directory, and returns its environment. */
function configured(directory: string, name: string, text: string): Record<string, string> {
  const file = path.join(directory, `${name}.yaml`);
  writeFileSync(file, text);
  return { CAIRN_CONFIG: file, CAIRN_DATA_DIR: path.join(directory, name === 'gateway' ? 'data' : name) };
}

interface Gateways {
  readonly cairn: string;
  readonly bare: string;
  readonly key: string;
}

/** The gateway with all request processing enabled, and the same with all of it disabled. */
async function startGateways(processes: Processes, directory: string, upstream: string): Promise<Gateways> {
  const dataDir = path.join(directory, 'data');
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o755); // when this runs as root, PostgreSQL runs as another user
  const cairn = await serve(
    processes,
    'cairn',
    [...CAIRN, 'start'],
    configured(
      directory,
      'gateway',
      `
rate_limit: {enabled: true, per_actor_rps: ${LIMIT}, per_ip_rps: ${LIMIT}}
observability: {log_level: warn, audit_log: {enabled: true, backend: file}, metrics: {enabled: true}}
components: {files: {kind: rest, url: "${upstream}", health_path: /}}
`,
    ),
    '/readyz',
  );
  const read = (...names: string[]): string => readFileSync(path.join(dataDir, ...names), 'utf8').trim();
  const databaseAs = (role: string): string =>
    `postgresql://${role}:${read('postgres', `${role}-password`)}@${read('postgres', 'address')}/cairn`;
  const key = read('admin-key');
  await seed(
    {
      url: cairn,
      pid: 0,
      key,
      databaseUrl: databaseAs('cairn_app'),
      superuserUrl: databaseAs('cairn_superuser'),
    },
    ENTITIES,
  );
  const bare = await serve(
    processes,
    'without-edge',
    [...CAIRN, 'start'],
    {
      ...configured(
        directory,
        'bare',
        'auth: {mode: disabled}\nrate_limit: {enabled: false}\nobservability: {log_level: warn, audit_log: {enabled: false}, metrics: {enabled: false}}\n',
      ),
      DATABASE_URL: databaseAs('cairn_app'),
    },
    '/readyz',
  );
  return { cairn, bare, key };
}

/** Starts the gateways, an upstream, and the other proxies in front of it. */
async function start(
  processes: Processes,
  directory: string,
  nginx: string | undefined,
): Promise<ReadonlyMap<ServerName, Server>> {
  const upstream = await serve(processes, 'upstream', script('upstream'), {});
  const { cairn, bare, key } = await startGateways(processes, directory, upstream);
  const servers = new Map<ServerName, Server>([
    ['cairn', { url: cairn, headers: { authorization: `Bearer ${key}` } }],
    ['without-edge', { url: bare, headers: {} }],
    [
      'http-proxy-middleware',
      {
        url: await serve(processes, 'http-proxy', script('http-proxy'), { UPSTREAM: upstream }),
        headers: {},
      },
    ],
  ]);
  if (nginx !== undefined)
    servers.set('nginx', {
      url: await serve(processes, 'nginx', script('nginx'), {
        UPSTREAM: upstream,
        DIRECTORY: directory,
        NGINX: nginx,
      }),
      headers: {},
    });
  return servers;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      clients: { type: 'string', default: '32' },
      nginx: { type: 'string' },
    },
  });
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-bench-'));
  chmodSync(directory, 0o755);
  const processes = new Processes(directory);
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => interrupted.abort(new Error(`stopped by ${name}`)));
  try {
    const nginx = values.nginx ?? (isOnPath('nginx') ? 'nginx' : undefined);
    if (nginx === undefined) say('nginx is not on the PATH: it is left out (--nginx <file> names it)');
    const servers = await start(processes, directory, nginx);
    const load = createLoadGenerator(bestGenerator(), directory, interrupted.signal);
    const settings = {
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      clients: Number(values.clients),
    };
    const results: Result[] = [];
    for (const subject of casesFor(nginx !== undefined)) {
      interrupted.signal.throwIfAborted();
      results.push({ subject, comparisons: await measure(subject, servers, load, settings, say) });
    }
    process.stdout.write(`${values.json ? jsonReport(results) : tableReport(results)}\n`);
  } finally {
    await processes.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    say(`bench: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exit(1);
  },
);
