// Cairn on three hosts: two of them have one process of each part and one server of PostgreSQL each; the third has
// HAProxy (deploy/haproxy-hosts.cfg), the keeper of leases and a service of S3.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../platform/project-root.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';
import { type MortalPostgres, mortalPostgres, randomPort } from '../workflow/mortal-postgres.ts';
import { AGENT_PORT } from './failover.ts';
import { type Host, networkOf } from './network.ts';

const PARTS = { router: 8080, metadata: 8081, workflow: 8082, artifact: 8083 } as const;
export type Part = keyof typeof PARTS;
const S3_PORT = 9000;
const START_MS = 300_000;
/** A standby that is not heard of keeps commits waiting for so long. */
const POSTGRES = {
  max_connections: '300',
  wal_sender_timeout: '2000',
  wal_retrieve_retry_interval: '200',
  wal_keep_size: '1GB',
};

const configuration = (edge: string): string => `server: {host: 0.0.0.0, public_url: "http://${edge}:8080"}
components:
  metadata: {url: "http://${edge}:8081"}
  workflow: {url: "http://${edge}:8082"}
  artifact: {url: "http://${edge}:8083"}
auth:
  issuer: http://${edge}:8080
  jwks_url: http://${edge}:8080/api/v1/gateway/auth/jwks.json
  clients: [{client_id: workflow, secret_env: WORKFLOW_SECRET, grants: [client_credentials], roles: [service], projects: "*"}]
workflow:
  router: {url: "http://${edge}:8080", secret_env: WORKFLOW_SECRET}
  triggers: [{name: tick, type: schedule, schedule: "* * * * * *", catch_up: all, retry: {attempts: 5, backoff: 1, on: failed}, action: {type: ingest, adapter: clock}}]
  adapters: [{name: clock, type: module, module: ./clock.mjs}]
artifact:
  store: {type: s3, bucket: cairn, endpoint: "http://${edge}:${S3_PORT}", path_style: true, access_key_id_env: S3_KEY, secret_access_key_env: S3_KEY}
`;

const CLOCK = `export default {
  entityType: 'Tick',
  async *fetch() { yield { id: \`tick:\${crypto.randomUUID()}\` }; },
};
`;

export interface Running {
  readonly name: string;
  readonly host: Host;
  readonly pid: number;
  /** What it has said. */
  readonly output: () => string;
  readonly hasEnded: () => boolean;
  end(signal: NodeJS.Signals): Promise<void>;
}

function running(name: string, host: Host, child: ChildProcess): Running {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    name,
    host,
    pid: child.pid ?? 0,
    output: () => said,
    hasEnded,
    async end(signal) {
      if (hasEnded()) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}

export class Deployment implements AsyncDisposable {
  readonly #network = networkOf(3);
  readonly #directory = scratchDirectory('hosts');
  readonly #others: Running[] = [];
  readonly #servers = new Map<Host, { readonly postgres: MortalPostgres; readonly agent: Running }>();
  readonly #port = randomPort();
  #keeper: Running | undefined;
  /** Of Cairn: two of each part. */
  readonly processes: Running[] = [];

  get hosts(): readonly [Host, Host, Host] {
    const [one, two, edge] = this.#network.hosts;
    if (one === undefined || two === undefined || edge === undefined)
      throw new Error('there are three hosts');
    return [one, two, edge];
  }

  get url(): string {
    return `http://${this.hosts[2].address}:8080`;
  }

  /** Of a process by itself, beside HAProxy. */
  urlOf({ host, name }: Running): string {
    return `http://${host.address}:${PARTS[name as Part]}`; // the name of one of Cairn's
  }

  get key(): string {
    const file = this.processes
      .filter(({ name }) => name === 'router')
      .map((one) => path.join(this.#dataDir(one.host, 'router'), 'admin-key'))
      .find((one) => existsSync(one));
    if (file === undefined) throw new Error('no router has written the first key');
    return readFileSync(file, 'utf8').trim();
  }

  /** What agents and keeper have done. */
  get events(): string {
    return [...this.#others, ...[...this.#servers.values()].map(({ agent }) => agent)]
      .filter(({ name }) => name.startsWith('failover') || name.startsWith('postgres'))
      .map((one) => one.output())
      .join('');
  }

  static async start(): Promise<Deployment> {
    const made = new Deployment();
    try {
      await made.#start();
      return made;
    } catch (fault) {
      await made[Symbol.asyncDispose]();
      throw fault;
    }
  }

  async #start(): Promise<void> {
    const [one, two, edge] = this.hosts;
    writeFileSync(path.join(this.#directory, 'gateway.yaml'), configuration(edge.address));
    writeFileSync(path.join(this.#directory, 'clock.mjs'), CLOCK);
    await this.#serve(one);
    await this.follow(two, one);
    const keeper = this.#node('failover-keeper', edge, one.address, two.address);
    this.#others.push(keeper, this.#node('s3-process', edge, edge.address, String(S3_PORT)));
    const proxy = this.#spawn(
      'haproxy',
      edge,
      ['haproxy', '-db', '-f', path.join(projectRoot, 'deploy/haproxy-hosts.cfg')],
      {
        HOST_1: one.address,
        HOST_2: two.address,
        POSTGRES_1: `${one.address}:${this.#port}`,
        POSTGRES_2: `${two.address}:${this.#port}`,
        AGENT_PORT: String(AGENT_PORT),
      },
    );
    this.#others.push(proxy);
    this.#keeper = keeper;
    await this.synchronous();
    // the first of all migrates
    for (const part of ['metadata', 'router', 'workflow', 'artifact'] as const)
      for (const host of [one, two]) {
        this.processes.push(this.#cairn(part, host));
        if (this.processes.length === 1) await this.#ready();
      }
    await this.#ready();
    const headers = { 'x-api-key': this.key };
    for (const target of ['metadata/schemas', 'workflow/runs', 'artifact/files'])
      await this.until(
        target,
        async () => (await fetch(`${this.url}/api/v1/${target}`, { headers })).status === 200,
      );
  }

  async #ready(): Promise<void> {
    for (const one of this.processes)
      await this.until(`${one.name} at ${one.host.address}`, async () => {
        return (await fetch(`${this.urlOf(one)}/readyz`)).status === 200;
      });
  }

  /** Asks until it is so; a question that fails is asked again. */
  async until(what: string, isSo: () => Promise<boolean>, withinMs = START_MS): Promise<number> {
    const since = performance.now();
    for (;;) {
      if (await isSo().catch(() => false)) return Math.round(performance.now() - since);
      if (performance.now() - since > withinMs)
        throw new Error(`still not after ${withinMs} ms: ${what}\n${this.events}${this.#ends()}`);
      await sleep(100);
    }
  }

  /** What each process has said last. */
  #ends(): string {
    return [...this.#others, ...this.processes]
      .map(({ name, host, output }) => `${name} at ${host.address}: ${output().slice(-1000)}\n`)
      .join('');
  }

  #spawn(
    name: string,
    host: Host,
    command: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Running {
    const [enter = '', ...rest] = host.within;
    const child = spawn(enter, [...rest, ...command], {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: this.#directory, ...env },
    });
    return running(name, host, child);
  }

  /** A program of this folder. */
  #node(name: string, host: Host, ...args: readonly string[]): Running {
    return this.#spawn(
      name,
      host,
      [process.execPath, 'scripts/run.mjs', `test/hosts/${name}.ts`, ...args],
      {},
    );
  }

  #dataDir(host: Host, part: Part): string {
    return path.join(this.#directory, `${part}-${host.address}`);
  }

  #cairn(part: Part, host: Host): Running {
    const dataDir = this.#dataDir(host, part);
    mkdirSync(dataDir);
    const { pathname, username, password } = new URL(this.#primary.url);
    return this.#spawn(part, host, [process.execPath, 'cli/cairn.mjs', 'start', part], {
      CAIRN_CONFIG: path.join(this.#directory, 'gateway.yaml'),
      CAIRN_DATA_DIR: dataDir,
      CAIRN_PORT: String(PARTS[part]),
      DATABASE_URL: `postgresql://${username}:${password}@${this.hosts[2].address}:5432${pathname}`,
      WORKFLOW_SECRET: 'a secret of the workflow of this test',
      S3_KEY: 'S3RVER',
    });
  }

  get #primary(): MortalPostgres {
    const [first] = this.#servers.values();
    if (first === undefined) throw new Error('there is no PostgreSQL yet');
    return first.postgres;
  }

  postgresAt(host: Host): MortalPostgres {
    const found = this.#servers.get(host);
    if (found === undefined) throw new Error(`there is no PostgreSQL at ${host.address}`);
    return found.postgres;
  }

  async #serve(host: Host, primary?: Host): Promise<void> {
    const { address, within } = host;
    const place = { address, within, port: this.#port, range: this.#network.range, settings: POSTGRES };
    const postgres = await mortalPostgres(primary && this.postgresAt(primary), place);
    const agent = this.#node('postgres-agent', host, address, postgres.url, postgres.files.cluster);
    this.#servers.set(host, { postgres, agent });
  }

  /** Resolves when commits wait for the standby. */
  async synchronous(): Promise<void> {
    await this.until('commits wait for the standby', () =>
      Promise.resolve(this.#keeper?.output().endsWith('commits wait for the standby\n') === true),
    );
  }

  /** A new server at the host becomes a standby of the other's, in place of what was there. */
  async follow(host: Host, primary: Host): Promise<void> {
    const former = this.#servers.get(host);
    this.#servers.delete(host);
    await former?.agent.end('SIGKILL');
    await former?.postgres[Symbol.asyncDispose]();
    await this.#serve(host, primary);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of [...this.processes, ...this.#others]) await one.end('SIGKILL');
    for (const { agent, postgres } of this.#servers.values()) {
      await agent.end('SIGKILL');
      await postgres[Symbol.asyncDispose]();
    }
    this.#network[Symbol.dispose]();
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}
