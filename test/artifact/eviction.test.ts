// Content that a production in progress needs or has made is not evicted, however often eviction runs
// (docs/reference/artifact.md#eviction).
import { access, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { TestServer } from '../testkit/server.ts';
import {
  addRule,
  addSchema,
  canRun,
  ended,
  GREET,
  GREETING,
  produce,
  shell,
  startProducer,
  storedFile,
} from './production-testkit.ts';

/** Reads its greeting once the gate is open. */
const echo = (gate: string): string =>
  shell(
    `while [ ! -e ${gate} ]; do sleep 0.1; done; cat $(inputs.greeting.path) > out.txt; echo echoed >> out.txt`,
    'greeting: File\nsample: string',
    "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
  );

async function startGated(concurrent: number) {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-gate-'));
  await chmod(directory, 0o755); // tools run as nobody if the server is root
  const gate = path.join(directory, 'open');
  const server = await startProducer(
    `artifact: {runner: {type: cwltool, tool_paths: ["${directory}"]}, limits: {concurrent: ${concurrent}}}\n`,
  ); // the sandbox contains the directories of tools
  await addSchema(server, GREETING);
  await addSchema(server, { ...GREETING, name: 'Echo' });
  const made = (entity_type: string) => ({ produces: { entity_type, match: { sample: '{sample}' } } });
  await addRule(server, 'greet', GREET, made('Greeting'));
  await addRule(server, 'echo', echo(gate), { ...made('Echo'), requires: [{ ref: 'Greeting' }] });
  return {
    server,
    open: () => writeFile(gate, ''),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const ask = async (server: TestServer, entity_type: string, sample: string): Promise<string> =>
  (await server.rest('POST', '/api/v1/artifact/produce', { body: { entity_type, criteria: { sample } } }))
    .body.production_id;
const evictAll = async (server: TestServer): Promise<{ evicted: number }> =>
  (await server.rest('DELETE', '/api/v1/artifact/cache/*')).body;
const entity = async (server: TestServer, id: string) =>
  (await server.rest('GET', `/api/v1/metadata/entities/${id}`)).body.data;
const isThere = (server: TestServer, uri: string): Promise<boolean> =>
  access(storedFile(server, uri)).then(
    () => true,
    () => false,
  );

test.skipIf(!canRun)(
  'files that a running and a queued production will read stay; when both have ended they may go',
  async () => {
    await using gated = await startGated(1);
    const { server, open } = gated;
    const [read, wanted, free] = await Promise.all(
      ['read', 'wanted', 'free'].map(
        async (sample) =>
          (await produce(server, { entity_type: 'Greeting', criteria: { sample } })).body.entity,
      ),
    );
    const running = await ask(server, 'Echo', 'read');
    await expect
      .poll(async () => (await server.rest('GET', `/api/v1/artifact/productions/${running}`)).body.status, {
        timeout: 120_000,
      })
      .toBe('running');
    const queued = await ask(server, 'Echo', 'wanted');
    // one at a time, and that one waits for the gate
    expect((await server.rest('GET', `/api/v1/artifact/productions/${queued}`)).body.status).toBe('queued');

    expect(await evictAll(server)).toMatchObject({ evicted: 1 });
    expect(
      await Promise.all(
        [read, wanted, free].map(async ({ id, fields }) => [
          (await entity(server, id)).is_available,
          await isThere(server, fields.uri),
        ]),
      ),
    ).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
    const hash = read.fields.uri.slice(-64);
    expect(await server.rest('DELETE', `/api/v1/artifact/cache/${hash}`)).toMatchObject({
      status: 200,
      body: { evicted: 0, bytes: 0 },
    });
    const held = (await server.rest('DELETE', '/api/v1/artifact/cache?entity_type=Greeting')).body;
    expect(held).toMatchObject({ evicted: 0, left_total: 2 });
    expect(held.left.find((file: { hash: string }) => file.hash === `sha256:${hash}`)).toMatchObject({
      reason: expect.stringContaining(`running productions need it or have made it: ${running}`),
      held_by: [running],
      shared_with: [],
    });

    await open();
    for (const [id, sample] of [
      [running, 'read'],
      [queued, 'wanted'],
    ] as const) {
      const production = await ended(server, id);
      expect(production, JSON.stringify(production)).toMatchObject({ status: 'completed' });
      expect(
        await readFile(storedFile(server, (await entity(server, production.entity_ids[0])).data.uri), 'utf8'),
      ).toBe(`hello ${sample}\nechoed\n`);
    }
    expect(await evictAll(server)).toMatchObject({ evicted: 4 });
    expect((await entity(server, read.id)).is_available).toBe(false);
  },
);

test.skipIf(!canRun)(
  'productions complete during continuous eviction, and every available entity has its file',
  async () => {
    await using gated = await startGated(4);
    const { server, open } = gated;
    await open();
    const samples = ['a', 'b', 'c', 'd', 'e'];
    const productions = await Promise.all(samples.map((sample) => ask(server, 'Echo', sample)));
    let working = true;
    let evicted = 0;
    const evict = async (): Promise<void> => {
      const { evicted: more } = await evictAll(server);
      evicted += more;
    };
    const evictor = async (): Promise<void> => {
      for (; working; await sleep(10)) await evict(); // without a pause it takes a processor of its own
    };
    const evictors = [evictor(), evictor()];
    const outcomes = await Promise.all(productions.map((id) => ended(server, id)));
    working = false;
    await Promise.all(evictors);
    expect(outcomes.map(({ status, error }) => ({ status, error }))).toEqual(
      samples.map(() => ({ status: 'completed', error: null })),
    );
    expect((await server.rest('POST', '/api/v1/artifact/cache/verify')).body).toMatchObject({
      missing: [],
      damaged: [],
    });
    const { body } = await server.rest('GET', '/api/v1/metadata/entities?include_unavailable=true');
    expect(body.data.total).toBeGreaterThanOrEqual(10);
    for (const { id, is_available: isAvailable, data } of body.data.items)
      if (isAvailable) expect([id, await isThere(server, data.uri)]).toEqual([id, true]);
    await evict();
    expect(evicted).toBeGreaterThanOrEqual(10);
  },
  180_000,
);

test.skipIf(!canRun)(
  'a request for content that is being evicted waits without holding a database connection',
  async () => {
    await using gated = await startGated(2);
    const { server, open } = gated;
    await open();
    const {
      body: { entity: greeting },
    } = await produce(server, { entity_type: 'Greeting', criteria: { sample: 'locked' } });
    const hash = `sha256:${greeting.fields.uri.slice(-64)}`;
    const evictor = await server.database.pool.connect();
    await evictor.query('BEGIN');
    // as eviction does while it updates metadata
    await evictor.query('SELECT 1 FROM artifact.stored_object WHERE hash = $1 FOR UPDATE', [hash]);
    const post = (entity_type: string) =>
      server.rest('POST', '/api/v1/artifact/produce', {
        body: { entity_type, criteria: { sample: 'locked' } },
      });
    const reused = await Promise.all(Array.from({ length: 60 }, () => post('Greeting')));
    expect(new Set(reused.map(({ status }) => status))).toEqual(new Set([200]));
    const asked = Array.from({ length: 60 }, () => post('Echo')); // these hold it as soon as they can
    for (let i = 0; i < 10; i++) expect((await entity(server, greeting.id)).is_available).toBe(true);
    await evictor.query('COMMIT');
    evictor.release();
    const productions = new Set(
      (await Promise.all(asked)).flatMap(({ status, body }) =>
        status === 202 ? [body.production_id as string] : [],
      ),
    );
    for (const id of productions) expect(await ended(server, id)).toMatchObject({ status: 'completed' });
    expect(productions.size).toBeGreaterThan(0);
  },
);

test.skipIf(!canRun)(
  'evicting by type reports the files it left because others share them, and evicts the rest',
  async () => {
    await using server = await startProducer();
    for (const name of ['Greeting', 'Farewell']) {
      await addSchema(server, { ...GREETING, name });
      await addRule(server, name.toLowerCase(), GREET, {
        produces: { entity_type: name, match: { sample: '{sample}' } },
      });
    }
    const make = async (entity_type: string, sample: string) =>
      (await produce(server, { entity_type, criteria: { sample } })).body.entity;
    const shared = await make('Greeting', 'both');
    await make('Farewell', 'both');
    await make('Greeting', 'own');
    const hash = `sha256:${shared.uri.slice(-64)}`;
    const answer = await server.rest('DELETE', '/api/v1/artifact/cache?entity_type=Greeting');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        evicted: 1,
        left_total: 1,
        left: [
          {
            hash,
            held_by: [],
            shared_with: ['Farewell'],
            reason: 'it is also used by entities of Farewell',
          },
        ],
      },
    });
    expect((await entity(server, shared.id)).is_available).toBe(true);
    expect(
      (
        await server.graphql(
          'mutation { evictFiles(entityType: "Greeting", all: false) { evicted leftTotal left { hash } } }',
        )
      ).body.data.evictFiles,
    ).toEqual({ evicted: 0, leftTotal: 1, left: [{ hash }] });
    expect((await server.rest('DELETE', '/api/v1/artifact/cache/*')).body).toEqual({ evicted: 1, bytes: 11 });
  },
);
