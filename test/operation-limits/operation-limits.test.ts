// No reader can block the server: generated operations of a viewer over small and dense data, against the
// real server.
import {
  buildClientSchema,
  getIntrospectionQuery,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fill } from './dense.ts';
import { OperationMaker } from './random-operations.ts';
import { type Answered, serveProcess, type ServedProcess } from './served.ts';
import {
  LEAST,
  SECONDS,
  SEED,
  LIMIT,
  busyness,
  type Seen,
  worst,
  note,
  ATTACKS,
  TABLES,
} from './operation-limits-testkit.ts';

let server: ServedProcess;

let viewer: string;

let schema: GraphQLSchema;

beforeAll(async () => {
  server = await serveProcess();
  await fill(server);
  viewer = await server.newKey('viewer');
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': viewer },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  schema = buildClientSchema(((await response.json()) as { data: IntrospectionQuery }).data);
});

afterAll(() => server[Symbol.asyncDispose]());

/** Runs it while another process polls the liveness probe. */
async function watched(run: () => Promise<Answered>): Promise<Seen> {
  await Promise.all([server.loopDelay(), server.liveness()]);
  const answer = await run();
  const { ms, own } = await server.liveness();
  return { answer, loopMs: await server.loopDelay(), livezMs: own, livezWaited: ms };
}

afterAll(() => {
  console.log('the worst seen:', JSON.stringify(worst, null, 1));
});

/**
 * Checks the limits for one operation. One that holds the loop for long is repeated, because other processes may be the
 * cause; of signs of life it is known whether they are.
 */
async function holds(name: string, run: () => Promise<Answered>): Promise<Answered> {
  let seen = await watched(run);
  let slower = 1;
  for (
    let again = 0;
    again < 4 && (seen.loopMs > LIMIT.loopMs * slower || seen.livezMs > LIMIT.livezMs);
    again++
  ) {
    slower = Math.max(slower, busyness());
    const next = await watched(run);
    seen = {
      answer: next.answer,
      loopMs: Math.min(seen.loopMs, next.loopMs),
      livezMs: Math.min(seen.livezMs, next.livezMs),
      livezWaited: Math.min(seen.livezWaited, next.livezWaited),
    };
  }
  const { answer, loopMs, livezMs, livezWaited } = seen;
  const { most } = await server.memory();
  note('loopMs', loopMs, name);
  note('livezMs', livezMs, name);
  note('livezWaited', livezWaited, name);
  note('ms', answer.ms, name);
  note('memory', most, name);
  note('bytes', answer.bytes, name);
  slower = Math.max(slower, busyness());
  expect(
    {
      alive: server.isAlive(),
      status: answer.status < 500 ? 'fine' : answer.text,
      loop: loopMs <= LIMIT.loopMs * slower ? 'moves' : loopMs,
      livez: livezMs <= LIMIT.livezMs ? 'soon' : livezMs,
    },
    name,
  ).toEqual({ alive: true, status: 'fine', loop: 'moves', livez: 'soon' });
  expect(answer.bytes, name).toBeLessThan(LIMIT.bytes + 10_000);
  expect(most, name).toBeLessThan(LIMIT.memory);
  return answer;
}

test.each(ATTACKS)(
  '%s is refused, or answered, and nobody else waits',
  { timeout: 120_000 },
  async (name, query, expected) => {
    const { text } = await holds(name, () => server.graphql(query, {}, { key: viewer }));
    expect(text).toMatch(expected);
  },
);

test(
  'usual operations are answered: a thousand entities with two nested levels',
  { timeout: 120_000 },
  async () => {
    const answer = await holds('typed', () =>
      server.graphql(
        '{ typed { sampleList(first: 1000) { nodes { id name hub { id name hubs { id name } } population { id name } } } } }',
        {},
        { key: viewer },
      ),
    );
    expect([answer.status, answer.text.slice(0, 8)]).toEqual([200, '{"data":']);
    const rest = await holds('REST expand', () =>
      server.ask(
        'GET',
        '/api/v1/metadata/entities?entity_type=Sample&limit=1000&expand=hub.hubs,population',
        undefined,
        { key: viewer },
      ),
    );
    expect(rest.status).toBe(200);
  },
);

test('REST rows have the same budget', async () => {
  const { status, text } = await holds('REST expand, five deep', () =>
    server.ask(
      'GET',
      '/api/v1/metadata/entities?entity_type=Hub&expand=knows[].knows[].knows[].knows[]',
      undefined,
      { key: viewer },
    ),
  );
  expect([status >= 400 && status < 500, text]).toEqual([true, expect.stringMatching(/more than/)]);
  const page = await holds('REST list of large ones', () =>
    server.ask('GET', '/api/v1/metadata/entities?entity_type=Large&limit=1000', undefined, { key: viewer }),
  );
  expect(page.status).toBe(200);
});

test.each(Object.entries(TABLES))(
  'tables hold the bounds: %s',
  { timeout: 120_000 },
  async (format, accept) => {
    for (const [type, rows] of [
      ['Large', 60],
      ['Sample', 1000],
    ] as const) {
      const options = { key: viewer, headers: { accept } };
      const page = await holds(`${format} page of ${type}`, () =>
        server.ask('GET', `/api/v1/metadata/entities?entity_type=${type}&limit=${rows}`, undefined, options),
      );
      expect(page.status, page.text).toBe(200);
      const file = await holds(`${format} export of ${type}`, () =>
        server.ask('GET', `/api/v1/metadata/export/${type}.${format}`, undefined, { key: viewer }),
      );
      expect(file.status, file.text).toBe(200);
    }
    const events = await holds(`${format} of a history`, () =>
      server.ask('GET', '/api/v1/metadata/entities/large-0/history?limit=1000', undefined, {
        key: viewer,
        headers: { accept },
      }),
    );
    expect(events.status, events.text).toBe(200);
  },
);

test('operations made from the schema hold the bounds', { timeout: SECONDS * 1000 + 300_000 }, async () => {
  const codes = new Map<string, number>();
  let made = 0;
  for (const until = performance.now() + SECONDS * 1000; made < LEAST || performance.now() < until; made++) {
    const seed = SEED * 1_000_003 + made;
    const { query, variables } = new OperationMaker(schema, seed).query();
    const streamed = made % 10 === 9;
    const answer = await holds(`seed ${seed}: ${query} ${JSON.stringify(variables)}`, () =>
      server.graphql(query, variables, {
        key: viewer,
        ...(streamed ? { headers: { accept: 'text/event-stream' } } : {}),
      }),
    );
    const code =
      /"code":"(\w+)"/.exec(answer.text.slice(0, 1000))?.[1] ??
      (answer.status === 200 ? 'answered' : String(answer.status));
    const limit = /"limit":"(\w+)"/.exec(answer.text)?.[1];
    const kind = limit === undefined ? code : `over ${limit}`;
    codes.set(kind, (codes.get(kind) ?? 0) + 1);
    if (process.env['CAIRN_FUZZ_TELL'])
      console.log(
        seed,
        kind,
        answer.bytes,
        Math.round(answer.ms),
        kind === 'INVALID_REQUEST' ? answer.text.slice(0, 300) : '',
      );
  }
  console.log(`${made} operations:`, JSON.stringify(Object.fromEntries(codes)));
  expect(codes.get('answered') ?? 0).toBeGreaterThan(made / 10);
});

test(
  'subscriptions made from the schema, many at once, hold the bounds',
  { timeout: SECONDS * 1000 + 300_000 },
  async () => {
    let [made, told] = [0, 0];
    for (
      const until = performance.now() + SECONDS * 1000;
      made < LEAST || performance.now() < until;
      made++
    ) {
      const seed = SEED * 2_000_003 + made;
      const { query, variables } = new OperationMaker(schema, seed).subscription();
      const readers = [1, 10, 30][made % 3] ?? 1;
      const answer = await holds(
        `${readers} × seed ${seed}: ${query} ${JSON.stringify(variables)}`,
        async () => {
          const all = await Promise.all(
            Array.from({ length: readers }, () => server.stream(query, variables, { key: viewer, ms: 1000 })),
          );
          return all[0] ?? Promise.reject(new Error('no answer'));
        },
      );
      if (answer.text.includes('event: next')) told++;
    }
    console.log(`${made} subscriptions, ${told} of which told something`);
    expect(told).toBeGreaterThan(0);
  },
);

test(
  'many large ones at once are answered or refused, each, and the memory is shared',
  { timeout: 120_000 },
  async () => {
    const large =
      '{ entities(entityType: "Large", limit: 60) { items { ...F } } } fragment F on Entity { data a: data b: data }';
    const all = await holds('ten at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => server.graphql(large, {}, { key: viewer })),
      );
      for (const { status, text } of answers) expect([200, 429], text).toContain(status);
      return answers[0] ?? Promise.reject(new Error('no answer'));
    });
    expect(all.status).toBeLessThan(500);
  },
);
