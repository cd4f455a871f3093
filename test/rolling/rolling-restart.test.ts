// Processes behind a plain balancer are restarted one after another, with requests and a follower of the feed:
// nothing is refused and no event is missed (docs/reference/gateway.md#stop). CAIRN_PROVE_ROLLING sets the least
// number of requests (npm run prove: 100,000).
import { once } from 'node:events';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createClient } from '../../client/src/index.ts';
import { freshDatabase } from '../testkit/database.ts';
import { keptConnection } from '../testkit/kept-connection.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';
import { type ServerProcess, startProcess } from '../testkit/server-process.ts';
import { balance } from './balancer.ts';

const REQUESTS = Number(process.env['CAIRN_PROVE_ROLLING'] ?? 500);
const PROCESSES = REQUESTS > 1000 ? 3 : 2;
const CONNECTIONS = 12;
/** A third of the clients pause between requests, so that their connections are idle when a process stops. */
const PAUSES_MS = [0, 20, 700];

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP
  server.close();
  await once(server, 'close');
  return port;
}

interface Answers {
  answered: number;
  readonly failures: string[];
  /** Ids of entities whose creation was acknowledged. */
  readonly created: string[];
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
  for (let n = 0; !over.aborted; n++) {
    const id = crypto.randomUUID();
    const isWrite = n % 2 === 0;
    const asked = isWrite
      ? connection.ask('/api/v1/metadata/ingest', key, { entity_type: 'Thing', data: { id } })
      : connection.ask('/api/v1/metadata/entities?limit=1', key);
    await asked.then(
      ({ status, text }) => {
        if (status === 200) answers.answered++;
        else answers.failures.push(`${status}: ${text}`);
        if (status === 200 && isWrite) answers.created.push(id);
      },
      (error: unknown) => answers.failures.push(String(error)),
    );
    await sleep(pause);
  }
  connection.end();
}

test('processes are restarted one after another, and nothing is refused or missed', async () => {
  const directory = scratchDirectory('rolling');
  const config = path.join(directory, 'gateway.yaml');
  await writeFile(config, `server: {lame_duck_seconds: 1, workers: ${REQUESTS > 1000 ? 2 : 1}}\n`);
  await using database = await freshDatabase();
  const ports = await Promise.all(Array.from({ length: PROCESSES }, freePort));
  const dataDir = (port: number): string => path.join(directory, String(port));
  const start = (port: number): Promise<ServerProcess> =>
    startProcess({
      dataDir: dataDir(port),
      env: { DATABASE_URL: database.url, CAIRN_PORT: String(port), CAIRN_CONFIG: config },
    });
  const [first = 0, ...others] = ports;
  const servers = new Map([[first, await start(first)]]);
  try {
    for (const port of others) {
      await mkdir(dataDir(port));
      await cp(path.join(dataDir(first), 'admin-key'), path.join(dataDir(port), 'admin-key'));
      servers.set(port, await start(port));
    }
    const key = servers.get(first)?.key ?? '';
    await using balancer = await balance(ports);
    const registered = await keptConnection(balancer.url).ask('/api/v1/metadata/schemas', key, {
      name: 'Thing',
      version: '1',
      fields: [],
    });
    expect(registered).toMatchObject({ status: 200 });

    const over = new AbortController();
    const answers: Answers = { answered: 0, failures: [], created: [] };
    const seen: string[] = [];
    const follow = async (): Promise<void> => {
      const client = createClient({ url: balancer.url, apiKey: key });
      const feed = client.events({ after: 'start', entityTypes: ['Thing'], signal: over.signal });
      for await (const { event } of feed) if (event.entityId !== null) seen.push(event.entityId);
    };
    const following = follow().catch((error: unknown) => {
      if (!over.signal.aborted) throw error;
    });
    const asking = Array.from({ length: CONNECTIONS }, (_, i) =>
      ask(balancer.url, key, PAUSES_MS[i % PAUSES_MS.length] ?? 0, over.signal, answers),
    );
    for (let round = 0; round === 0 || answers.answered + answers.failures.length < REQUESTS; round++)
      for (const port of ports) {
        expect(await servers.get(port)?.end('SIGTERM')).toBe(0);
        servers.set(port, await start(port));
        await sleep(500); // the balancer sees it
      }
    await expect.poll(() => answers.created.every((id) => seen.includes(id)), { timeout: 20_000 }).toBe(true);
    over.abort();
    await Promise.all(asking);
    await following;
    console.info(`${answers.answered} answered, ${answers.failures.length} failed`);
    expect(answers.failures).toEqual([]);
    expect(new Set(seen).size).toBe(seen.length);
    expect(Math.min(...balancer.given.values())).toBeGreaterThan(0);
  } finally {
    for (const server of servers.values()) await server.end('SIGKILL');
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
});
