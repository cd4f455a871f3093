// The server under measurement: the real one, as a process, with everything on but rate limits.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, type Processes } from './processes.ts';

export interface CairnServer {
  readonly url: string;
  readonly pid: number;
  /** The first administrator's API key. */
  readonly key: string;
  /** The embedded database, as the role that servers run as, and as its superuser. */
  readonly databaseUrl: string;
  readonly superuserUrl: string;
}

/** Authentication, roles, audit to a file and metrics are on by default; a limit of requests would be measured instead of the server. */
const CONFIG = `
rate_limit: {enabled: false}
observability: {log_level: warn, audit_log: {enabled: true, backend: file}, metrics: {enabled: true}}
`;

/** Starts it over a new data directory in `directory`. `more` is further configuration, `variables` what it takes from the environment. */
export async function startCairn(
  processes: Processes,
  directory: string,
  more = '',
  variables: Readonly<Record<string, string>> = {},
): Promise<CairnServer> {
  const dataDir = path.join(directory, 'data');
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o755); // where this runs as root, PostgreSQL runs as somebody else
  const config = path.join(directory, 'gateway.yaml');
  writeFileSync(config, CONFIG + more);
  const port = await freePort();
  const env = { ...variables, CAIRN_CONFIG: config, CAIRN_DATA_DIR: dataDir, CAIRN_PORT: String(port) };
  const { url, pid } = await processes.start({
    name: 'cairn',
    args: ['cli/cairn.mjs', 'start'],
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
