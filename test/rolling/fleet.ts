// Processes over one database, behind a plain balancer, with clients and a follower of the feed: what a rolling
// restart and a rolling upgrade have in common.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createClient } from '../../client/src/index.ts';
import { scratchDatabase } from '../testkit/database.ts';
import { keptConnection } from '../testkit/kept-connection.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';
import { type ServerProcess, startProcess } from '../testkit/server-process.ts';
import { type Balancer, balance } from './balancer.ts';
import { freePort } from '../testkit/free-port.ts';

const CONNECTIONS = 12;
/** A third of the clients pause between requests, so that their connections are idle when a process stops. */
const PAUSES_MS = [0, 20, 700];

export interface Answers {
  answered: number;
  readonly failures: string[];
  /** Ids of entities whose creation was acknowledged. */
  readonly created: string[];
  /** Why the follower's connections ended. */
  readonly goodbyes: string[];
}

/** One client with one persistent connection; every second request writes. */
async function ask(
  url: string,
  key: string,
  pause: number,
  over: AbortSignal,
  answers: Answers,
): Promise<void> {
  const connection = keptConnection(url);
  let last = performance.now();
  for (let n = 0; !over.aborted; n++) {
    const id = crypto.randomUUID();
    const isWrite = n % 2 === 0;
    const began = performance.now();
    const asked = isWrite
      ? connection.ask('/api/v1/metadata/ingest', key, { entity_type: 'Thing', data: { id } })
      : connection.ask('/api/v1/metadata/entities?limit=1', key);
    await asked.then(
      ({ status, text }) => {
        if (status === 200) answers.answered++;
        else answers.failures.push(`${status}: ${text}`);
        if (status === 200 && isWrite) answers.created.push(id);
      },
      (error: unknown) =>
        answers.failures.push(
          `${String(error)}, ${Math.round(performance.now() - began)} ms after it was sent, ${Math.round(began - last)} ms after the answer before`,
        ),
    );
    last = performance.now();
    await sleep(pause);
  }
  connection.end();
}

export interface Fleet extends AsyncDisposable {
  /** Of the processes behind the balancer. */
  readonly ports: readonly number[];
  /** Of a process that is not behind it. */
  readonly beside: number | undefined;
  readonly key: string;
  readonly balancer: Balancer;
  readonly server: (port: number) => ServerProcess;
  /** Stops the process at the port as supervisors do, and starts one of the product in `cwd` there. */
  readonly replace: (port: number, cwd?: string) => Promise<void>;
}

export interface FleetOptions {
  /** How many are behind the balancer. */
  readonly processes: number;
  /** Whether there is one more, not behind it. */
  readonly hasOneBeside?: boolean;
  /** Of the `server` section. */
  readonly config: string;
  /** The product that is started. */
  readonly cwd?: string;
}

/** Starts the processes; each has an entity type `Thing`. */
export async function startFleet({
  processes,
  hasOneBeside = false,
  config,
  cwd: first,
}: FleetOptions): Promise<Fleet> {
  const directory = scratchDirectory('rolling');
  await writeFile(path.join(directory, 'gateway.yaml'), `server: {${config}}\n`);
  const database = await scratchDatabase({ empty: true }); // the first process migrates it
  const all = await Promise.all(Array.from({ length: processes + (hasOneBeside ? 1 : 0) }, freePort));
  const ports = all.slice(0, processes);
  const servers = new Map<number, ServerProcess>();
  const dataDir = (port: number): string => path.join(directory, String(port));
  const start = async (port: number, cwd?: string): Promise<void> => {
    const env = {
      DATABASE_URL: database.superuserUrl,
      CAIRN_PORT: String(port),
      CAIRN_CONFIG: path.join(directory, 'gateway.yaml'),
    };
    servers.set(
      port,
      await startProcess({ dataDir: dataDir(port), env, ...(cwd === undefined ? {} : { cwd }) }),
    );
  };
  const dispose = async (): Promise<void> => {
    for (const server of servers.values()) await server.end('SIGKILL');
    await database[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  };
  const server = (port: number): ServerProcess => {
    const found = servers.get(port);
    if (found === undefined) throw new Error(`nothing was started at ${port}`);
    return found;
  };
  try {
    const [one = 0, ...others] = all;
    await start(one, first);
    for (const port of others) {
      await mkdir(dataDir(port));
      await cp(path.join(dataDir(one), 'admin-key'), path.join(dataDir(port), 'admin-key'));
      await start(port, first);
    }
    const { key } = server(one);
    const balancer = await balance(ports);
    const registering = keptConnection(balancer.url);
    const schema = { name: 'Thing', version: '1', fields: [] };
    expect(await registering.ask('/api/v1/metadata/schemas', key, schema)).toMatchObject({ status: 200 });
    registering.end();
    return {
      ports,
      beside: all[processes],
      key,
      balancer,
      server,
      async replace(port, cwd) {
        expect(await server(port).end('SIGTERM')).toBe(0);
        await start(port, cwd);
        await sleep(500); // the balancer sees it
      },
      async [Symbol.asyncDispose]() {
        await balancer[Symbol.asyncDispose]();
        await dispose();
      },
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/**
 * Clients ask, and one follows the feed, until `during` has ended; then every entity whose creation was acknowledged
 * has come over the feed, once.
 */
export async function underLoad(
  { balancer, key }: Fleet,
  during: (answers: Answers) => Promise<void>,
): Promise<Answers> {
  const over = new AbortController();
  const answers: Answers = { answered: 0, failures: [], created: [], goodbyes: [] };
  const seen = new Set<string>();
  let events = 0;
  const follow = async (): Promise<void> => {
    const client = createClient({ url: balancer.url, apiKey: key });
    const feed = client.events({
      after: 'start',
      entityTypes: ['Thing'],
      signal: over.signal,
      onDisconnect: ({ message }) => answers.goodbyes.push(message),
    });
    for await (const { event } of feed) {
      if (event.entityId === null) continue;
      events++;
      seen.add(event.entityId);
    }
  };
  const following = follow().catch((error: unknown) => {
    if (!over.signal.aborted) throw error;
  });
  const asking = Array.from({ length: CONNECTIONS }, (_, i) =>
    ask(balancer.url, key, PAUSES_MS[i % PAUSES_MS.length] ?? 0, over.signal, answers),
  );
  try {
    await during(answers);
    const missing = (): string[] => answers.created.filter((id) => !seen.has(id));
    await expect.poll(() => missing().length, { timeout: 60_000 }).toBe(0);
  } finally {
    over.abort();
    await Promise.all(asking);
    await following;
  }
  expect(events).toBe(seen.size);
  return answers;
}
