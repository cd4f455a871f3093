// Starts the measured server: the product as a process, with everything enabled but rate limits.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, type Processes, type Started } from './processes.ts';

/** Node's own arguments, and the program, as `npm start` starts it. */
export const NODE_FLAGS = ['--v8-pool-size=1'];
export const CAIRN = [...NODE_FLAGS, 'cli/cairn.mjs'];

export interface CairnServer {
  readonly url: string;
  readonly pid: number;
  /** The first administrator's API key. */
  readonly key: string;
  /** URLs of the embedded database, as the role of the servers and as its superuser. */
  readonly databaseUrl: string;
  readonly superuserUrl: string;
}

/**
 * Authentication, roles, audit to a file and metrics are enabled by default. Rate limits are disabled,
 * because they would limit the measurement.
 */
const CONFIG = `
rate_limit: {enabled: false}
observability: {log_level: warn, audit_log: {enabled: true, backend: file}, metrics: {enabled: true}}
`;

/**
 * Starts the server with a new data directory in `directory`. `more` is additional configuration, `variables`
 * are its environment variables.
 */
export async function startCairn(
  processes: Processes,
  directory: string,
  more = '',
  variables: Readonly<Record<string, string>> = {},
): Promise<CairnServer> {
  const dataDir = path.join(directory, 'data');
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o755); // when this runs as root, PostgreSQL runs as another user
  const config = path.join(directory, 'gateway.yaml');
  writeFileSync(config, CONFIG + more);
  const port = await freePort();
  const env = { ...variables, CAIRN_CONFIG: config, CAIRN_DATA_DIR: dataDir, CAIRN_PORT: String(port) };
  const { url, pid } = await processes.start({
    name: 'cairn',
    args: [...CAIRN, 'start'],
    env,
    port,
    readyPath: '/readyz',
  });
  const read = (...names: string[]): string => readFileSync(path.join(dataDir, ...names), 'utf8').trim();
  const databaseAs = (role: string): string =>
    `postgresql://${role}:${read('postgres', `${role}-password`)}@${read('postgres', 'address')}/cairn`;
  return {
    url,
    pid,
    key: read('admin-key'),
    databaseUrl: databaseAs('cairn_app'),
    superuserUrl: databaseAs('cairn_superuser'),
  };
}

/** Another process over the same database, with the same configuration or that of the file. */
export async function startAnother(
  processes: Processes,
  directory: string,
  { superuserUrl }: CairnServer,
  name: string,
  config = path.join(directory, 'gateway.yaml'),
): Promise<Started> {
  const port = await freePort();
  return processes.start({
    name: `cairn-${name}`,
    args: [...CAIRN, 'start'],
    env: {
      CAIRN_CONFIG: config,
      CAIRN_DATA_DIR: path.join(directory, `data-${name}`),
      CAIRN_PORT: String(port),
      DATABASE_URL: superuserUrl,
    },
    port,
    readyPath: '/readyz',
  });
}

/**
 * Starts metadata and workflow as processes of their own over the same database, and a router that reaches them.
 * Returns the router's URL.
 */
export async function startApart(
  processes: Processes,
  directory: string,
  { databaseUrl }: CairnServer,
): Promise<string> {
  const dataDir = path.join(directory, 'data-apart');
  mkdirSync(dataDir);
  const config = path.join(directory, 'apart.yaml');
  const names = ['metadata', 'workflow'] as const;
  const ports = new Map(await Promise.all(names.map(async (name) => [name, await freePort()] as const)));
  const components = names.map((name) => `  ${name}: {url: "http://127.0.0.1:${ports.get(name)}"}\n`);
  writeFileSync(config, `${CONFIG}components:\n${components.join('')}`);
  const env = { CAIRN_CONFIG: config, CAIRN_DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  const start = async (name: string, port: number, readyPath: string): Promise<string> => {
    const { url } = await processes.start({
      name: `cairn-${name}`,
      args: [...CAIRN, 'start', name],
      env: { ...env, CAIRN_PORT: String(port) },
      port,
      readyPath,
    });
    return url;
  };
  for (const [name, port] of ports) await start(name, port, '/health');
  return start('router', await freePort(), '/readyz');
}
