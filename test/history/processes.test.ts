// Several processes over one PostgreSQL with many concurrent clients, killed continually: every answer is
// checked against the log. CAIRN_PROVE_OPERATIONS sets the number of operations (npm run prove: 200,000); the
// default is small.
import { cp, mkdtemp, mkdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEvents } from '../../client/src/events/read-sse.ts';
import { asSuperuser, freshDatabase } from '../testkit/database.ts';
import { type ServerProcess, startProcess } from '../testkit/server-process.ts';
import { type Operation, violationsOf } from './check-history.ts';

const OPERATIONS = Number(process.env['CAIRN_PROVE_OPERATIONS'] ?? 1500);
const PROCESSES = OPERATIONS > 10_000 ? 3 : 2;
const CLIENTS = 12;
const ENTITIES = 40;
/** Between two kills; one in four closes connections of the database instead of killing a process. */
const KILL_EVERY_MS = OPERATIONS > 10_000 ? 4000 : 1500;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let directory: string;
const servers: (ServerProcess | undefined)[] = [];

const dataDir = (i: number): string => path.join(directory, `process-${i}`);
const start = (i: number): Promise<ServerProcess> =>
  startProcess({ dataDir: dataDir(i), env: { DATABASE_URL: database.url } });

beforeAll(async () => {
  database = await freshDatabase();
  directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-history-'));
  servers.push(await start(0));
  for (let i = 1; i < PROCESSES; i++) {
    await mkdir(dataDir(i));
    await cp(path.join(dataDir(0), 'admin-key'), path.join(dataDir(i), 'admin-key'));
    servers.push(await start(i));
  }
}, 120_000);
afterAll(async () => {
  for (const server of servers) await server?.end('SIGKILL');
  await database[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
}, 60_000);

/** Undefined for an unknown outcome. */
async function ask(
  method: string,
  target: string,
  body?: unknown,
): Promise<{ status: number; body: ReturnType<typeof JSON.parse> } | undefined> {
  const living = servers.filter((server) => server !== undefined);
  const server = living[Math.floor(Math.random() * living.length)];
  if (server === undefined) return undefined;
  try {
    const response = await fetch(server.url + target, {
      method,
      signal: AbortSignal.timeout(30_000),
      headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return undefined; // the process was killed, or the connection was closed
  }
}

async function surely(
  method: string,
  target: string,
  body?: unknown,
): Promise<ReturnType<typeof JSON.parse>> {
  for (;;) {
    const answer = await ask(method, target, body);
    if (answer?.status === 200) return answer.body;
    await sleep(100);
  }
}

/** The first events of the feed, from the beginning of the log. */
async function followed({ url, key }: ServerProcess, count: number): Promise<string[]> {
  const stop = new AbortController();
  const { body } = await fetch(`${url}/graphql`, {
    method: 'POST',
    signal: stop.signal,
    headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({
      query: 'subscription { provenanceEvents(after: "start", entityTypes: ["Thing"]) { event { id } } }',
    }),
  });
  if (body === null) throw new Error('the feed has no body');
  const seen: string[] = [];
  for await (const { event, data } of readEvents(body)) {
    if (event === 'next')
      seen.push(
        (JSON.parse(data) as { data: { provenanceEvents: { event: { id: string } } } }).data.provenanceEvents
          .event.id,
      );
    if (seen.length === count) break;
  }
  stop.abort();
  return seen;
}

let value = 0;
async function operate(operations: Operation[]): Promise<void> {
  const entity = `e${Math.floor(Math.random() * ENTITIES)}`;
  const begun = performance.now();
  if (Math.random() < 0.6) {
    const answer = await ask('GET', `/api/v1/metadata/entities/${entity}`);
    if (answer?.status === 200)
      operations.push({
        kind: 'read',
        entity,
        value: answer.body.data.data.n,
        version: answer.body.data.version,
        begun,
        ended: performance.now(),
      });
    else if (answer !== undefined) expect([503]).toContain(answer.status);
    return;
  }
  const written = ++value;
  const answer = await ask('PUT', `/api/v1/metadata/entities/Thing/${entity}`, { data: { n: written } });
  if (answer !== undefined) expect([200, 503]).toContain(answer.status);
  operations.push({
    kind: 'write',
    entity,
    value: written,
    ...(answer?.status === 200 ? { version: answer.body.data.version } : {}),
    begun,
    ended: performance.now(),
  });
}

/** Kills a process or connections repeatedly until it is stopped; returns how often. */
async function havoc(stop: AbortSignal): Promise<number> {
  let kills = 0;
  while (!stop.aborted) {
    await sleep(KILL_EVERY_MS, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) break;
    kills++;
    if (kills % 4 === 0) {
      await asSuperuser(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${new URL(database.url).pathname.slice(1)}' AND application_name LIKE 'cairn%' AND application_name <> 'cairn test'`,
      );
      continue;
    }
    const i = Math.floor(Math.random() * PROCESSES);
    const victim = servers[i];
    servers[i] = undefined;
    await victim?.end('SIGKILL');
    servers[i] = await start(i);
  }
  return kills;
}

test(
  'under kills of processes and connections nothing that was acknowledged is lost, stale, doubled or out of order',
  async () => {
    await surely('POST', '/api/v1/metadata/schemas', {
      name: 'Thing',
      version: '1',
      fields: [{ name: 'n', field_type: 'int', required: true }],
    });
    for (let i = 0; i < ENTITIES; i++)
      await surely('POST', '/api/v1/metadata/ingest', { entity_type: 'Thing', id: `e${i}`, data: { n: 0 } });
    const operations: Operation[] = [];
    const stop = new AbortController();
    const killing = havoc(stop.signal);
    let begun = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (begun++ < OPERATIONS) {
          await operate(operations);
          if (servers.every((server) => server === undefined)) await sleep(50);
        }
      }),
    );
    stop.abort();
    const kills = await killing;
    const { rows } = await database.pool.query<{ entity_id: string; n: number; at: string }>(
      `SELECT entity_id, (coalesce(payload -> 'new_state', payload -> 'initial_state') ->> 'n')::int AS n, to_char(timestamp AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
      FROM metadata.provenance WHERE event_type IN ('EntityCreated', 'EntityUpdated') AND entity_type = 'Thing' ORDER BY position`,
    );
    const states = new Map<string, number[]>();
    for (const { entity_id: id, n } of rows) states.set(id, [...(states.get(id) ?? []), n]);
    const known = operations.filter(({ version }) => version !== undefined);
    console.info(
      `${operations.length} operations, ${known.length} answered, ${kills} kills, ${rows.length} events`,
    );
    expect(known.length).toBeGreaterThan(OPERATIONS / 4);
    expect(kills).toBeGreaterThan(0);
    expect(violationsOf(operations, states).slice(0, 10)).toEqual([]);

    // reads of the past match the log
    const sampled = rows.filter((_, i) => i % Math.max(1, Math.floor(rows.length / 200)) === 0);
    for (const { entity_id: id, n, at } of sampled)
      expect(
        (await surely('GET', `/api/v1/metadata/entities/${id}?as_of=${at}`)).data.data.n,
        `${id} at ${at}`,
      ).toBe(n);

    // and a reader of the log from its beginning sees every event once, in order
    const server = servers.find((one) => one !== undefined);
    if (server === undefined) throw new Error('no process is left');
    const { rows: log } = await database.pool.query<{ id: string }>(
      `SELECT id FROM metadata.provenance WHERE entity_type = 'Thing' ORDER BY position`,
    );
    expect(await followed(server, log.length)).toEqual(log.map(({ id }) => id));
  },
  4 * 3600_000,
);
