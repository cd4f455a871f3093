// Client library: ingestAll over bulk ingestEntities, with back-pressure and an outcome for every row.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ConfigError,
  ForbiddenError,
  type IngestProgress,
  type IngestRow,
  type RowOutcome,
  UnavailableError,
  ValidationError,
} from '../../client/src/index.ts';
import { type Sample, type Served, servedClient } from './served-client.ts';

let served: Served;
beforeAll(async () => {
  served = await servedClient();
});
afterAll(() => served[Symbol.asyncDispose]());

function* rows(count: number, prefix: string): Generator<IngestRow<Sample>> {
  for (let i = 0; i < count; i++)
    yield { entityType: 'Sample', id: `${prefix}:${i}`, data: { name: `${prefix} ${i}`, age: 20 } };
}

test('every row has an outcome, in the order of the source, and every entity is there', async () => {
  const { client } = served;
  const outcomes: RowOutcome[] = [];
  for await (const outcome of client.ingestAll(rows(1234, 'many'), { batchSize: 100, concurrency: 3 }))
    outcomes.push(outcome);
  expect(outcomes.map(({ index }) => index)).toEqual(Array.from({ length: 1234 }, (_, i) => i));
  expect(outcomes.every((outcome) => outcome.ok && outcome.version === 1)).toBe(true);
  expect(await client.query('Sample', {}, { filter: 'id.startsWith("many:")' }).count()).toBe(1234);
});

test('the summary counts what was created, updated and left as it was', async () => {
  const { client } = served;
  expect(await client.ingestAll(rows(30, 'sum')).summary()).toEqual({
    rows: 30,
    created: 30,
    updated: 0,
    unchanged: 0,
    failed: 0,
    failures: [],
  });
  const again = [
    ...rows(20, 'sum'),
    ...[...rows(25, 'sum')].slice(20).map((row) => ({ ...row, data: { ...row.data, age: 33 } })),
  ];
  expect(await client.ingestAll(again, { batchSize: 10 }).summary()).toMatchObject({
    rows: 25,
    created: 0,
    updated: 5,
    unchanged: 20,
  });
});

test('rows that are refused say why and stop nothing', async () => {
  const { client } = served;
  const sent = [
    { entityType: 'Sample', data: { name: 'good' } },
    { entityType: 'Sample', id: 'bad:1', data: { name: 'too young', age: 3 } },
    { entityType: 'Nothing', data: { name: 'x' } },
    { entityType: 'Sample', data: { name: 'no number', weight: Number.NaN } },
    { entityType: 'Sample', data: { id: 'good:2', name: 'good too' } },
  ];
  const outcomes: RowOutcome[] = [];
  for await (const outcome of client.ingestAll(sent)) outcomes.push(outcome);
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, false, false, true]);
  expect(outcomes.map((outcome) => outcome.ok && outcome.change)).toEqual([
    'created',
    false,
    false,
    false,
    'created',
  ]);
  expect(outcomes[2]).toMatchObject({ error: { name: 'SchemaError' } });
  expect(outcomes[1]).toMatchObject({
    id: 'bad:1',
    error: { message: 'a donor has to be of age', ruleId: 'adult', entityId: 'bad:1' },
  });
  expect(outcomes[2]).toMatchObject({ error: { message: 'unknown entity type: Nothing' } });
  expect(outcomes[3]).toMatchObject({ error: { code: 'LOCAL_VALIDATION' } });
  expect(await client.get('Sample', 'good:2')).toMatchObject({ data: { name: 'good too' } });
  const { failures, failed } = await client.ingestAll(sent.slice(1, 2)).summary();
  expect([failed, failures.length]).toEqual([1, 1]);
});

test("the client's validators refuse rows one by one", async () => {
  const client = served.connect();
  client.addValidator(({ data }) => (String(data['name']).endsWith('3') ? 'unlucky' : null));
  const { created, failures } = await client.ingestAll(rows(10, 'lucky')).summary();
  expect([created, failures.map(({ index }) => index)]).toEqual([9, [3]]);
});

test('the source is read no faster than the server takes it', async () => {
  let read = 0;
  async function* source(): AsyncGenerator<IngestRow<Sample>> {
    for (const row of rows(1000, 'slow')) {
      read++;
      yield row;
    }
  }
  let inFlight = 0;
  let most = 0;
  const client = served.connect({
    fetch: async (input, init) => {
      most = Math.max(most, ++inFlight);
      await sleep(5);
      try {
        return await fetch(input, init);
      } finally {
        inFlight--;
      }
    },
  });
  const run = client.ingestAll(source(), { batchSize: 10, concurrency: 3 })[Symbol.asyncIterator]();
  expect(read).toBe(0);
  await run.next();
  await sleep(100); // nobody reads the next outcome: reading rows stops
  expect(read).toBeLessThanOrEqual(3 * 10 + 1);
  for (let next = await run.next(); next.done !== true; next = await run.next())
    if (next.value.index === 499) break;
  expect(most).toBe(3);
  expect(read).toBeLessThanOrEqual(500 + 3 * 10 + 1);
  await run.return();
  expect(inFlight).toBe(0);
});

test('rows with the same id are written in the order of the source, whatever runs at once', async () => {
  let requests = 0;
  const client = served.connect({
    fetch: async (input, init) => {
      await sleep(requests++ % 2 === 0 ? 80 : 0);
      return fetch(input, init);
    },
  }); // later ones overtake
  const versions = Array.from({ length: 40 }, (_, i): IngestRow<Sample> => ({
    entityType: 'Sample',
    id: `same:${i % 2}`,
    data: { name: `v${i}` },
  }));
  expect(await client.ingestAll(versions, { batchSize: 3, concurrency: 8 }).summary()).toMatchObject({
    created: 2,
    updated: 38,
  });
  expect((await client.get<Sample>('Sample', 'same:0')).data.name).toBe('v38');
  expect((await client.get<Sample>('Sample', 'same:1')).data.name).toBe('v39');
});

test('progress is reported after every batch, in order', async () => {
  const told: IngestProgress[] = [];
  await served.client
    .ingestAll(rows(25, 'progress'), { batchSize: 10, onProgress: (progress) => told.push(progress) })
    .summary();
  expect(told.map(({ rows: done }) => done)).toEqual([10, 20, 25]);
  expect(told.at(-1)).toEqual({ rows: 25, created: 25, updated: 0, unchanged: 0, failed: 0 });
});

test("large rows go in smaller batches, each below the server's limit", async () => {
  const sizes: number[] = [];
  const client = served.connect({
    fetch: (input, init) => {
      sizes.push((init.body as string).length);
      return fetch(input, init);
    },
  });
  const large = [...rows(12, 'large')].map((row) => ({
    ...row,
    data: { ...row.data, notes: 'x'.repeat(2 ** 20) },
  }));
  expect(await client.ingestAll(large).summary()).toMatchObject({ created: 12, failed: 0 });
  expect(sizes.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...sizes)).toBeLessThan(5 * 2 ** 20);
});

test('a row too large for any request is refused alone', async () => {
  const sent = [
    { entityType: 'Sample', data: { name: 'a' } },
    { entityType: 'Sample', data: { name: 'b', notes: 'x'.repeat(11 * 2 ** 20) } },
    { entityType: 'Sample', data: { name: 'c' } },
  ];
  const { created, failures } = await served.client.ingestAll(sent).summary();
  expect([created, failures.map(({ index }) => index)]).toEqual([2, [1]]);
});

test('batches are measured in bytes, and split if the server refuses their size', async () => {
  const wide = [...rows(8, 'wide')].map((row) => ({
    ...row,
    data: { ...row.data, notes: '数'.repeat(2 ** 20 * 0.95) },
  }));
  expect(await served.client.ingestAll(wide, { concurrency: 1 }).summary()).toMatchObject({
    created: 8,
    failed: 0,
  });
  let refused = 0;
  const narrow = served.connect({
    // a server, or a proxy before it, that accepts at most four rows
    fetch: (input, init) => {
      if ((init.body as string).split('"Sample"').length - 1 <= 4) return fetch(input, init);
      refused++;
      return Promise.resolve(new Response('<h1>413 Request Entity Too Large</h1>', { status: 413 }));
    },
  });
  expect(await narrow.ingestAll(rows(20, 'narrow'), { concurrency: 2 }).summary()).toMatchObject({
    created: 20,
    failed: 0,
  });
  expect(refused).toBeGreaterThan(0);
});

test('an invalid context ends the run, instead of failing rows', async () => {
  await expect(
    served.client.ingestAll(rows(1, 'never'), { provenanceContext: '{"no JSON' }).summary(),
  ).rejects.toBeInstanceOf(ValidationError);
  await expect(
    served.client.ingestAll(rows(2, 'never'), { provenanceContext: { share: Number.NaN } }).summary(),
  ).rejects.toMatchObject({ name: 'ValidationError', code: 'LOCAL_VALIDATION' });
});

test('rows whose data is no object of fields are refused one by one', async () => {
  const sent = [null, [1], 'text', new Map([['name', 'x']]), { name: 'good' }].map((data) => ({
    entityType: 'Sample',
    data: data as object,
  })); // possible in JavaScript
  const { created, failures } = await served.client.ingestAll(sent).summary();
  expect([created, failures.map(({ index }) => index)]).toEqual([1, [0, 1, 2, 3]]);
});

test('a run can be iterated once; a second iteration throws and sends nothing', async () => {
  const run = served.client.ingestAll([...rows(2, 'twice')]);
  expect(await run.summary()).toMatchObject({ rows: 2, created: 2 });
  await expect(run.summary()).rejects.toBeInstanceOf(ConfigError);
});

test('a signal ends a run that waits for its source', async () => {
  const controller = new AbortController();
  const enough = new Error('enough');
  async function* silent(): AsyncGenerator<IngestRow<Sample>> {
    // no row ever arrives
    controller.abort(enough);
    await new Promise(() => undefined);
    yield* rows(1, 'never');
  }
  await expect(served.client.ingestAll(silent(), { signal: controller.signal }).summary()).rejects.toBe(
    enough,
  );
});

test('the context is recorded with every event', async () => {
  await served.client.ingestAll(rows(2, 'why'), { provenanceContext: { sync_run_id: 'run 7' } }).summary();
  expect((await served.client.history('Sample', 'why:1').first())?.context).toEqual({ sync_run_id: 'run 7' });
});

test('a fault that concerns all rows ends the run: no right, no server, an abort, a source that fails', async () => {
  const viewer = served.connect({ apiKey: await served.server.newKey({ role: 'viewer' }) });
  await expect(viewer.ingestAll(rows(3, 'never')).summary()).rejects.toBeInstanceOf(ForbiddenError);
  const nowhere = served.connect({ url: 'http://127.0.0.1:1', retries: 0 });
  await expect(nowhere.ingestAll(rows(3, 'never')).summary()).rejects.toBeInstanceOf(UnavailableError);
  await expect(
    served.client.ingestAll(rows(3, 'never'), { signal: AbortSignal.abort(new Error('enough')) }).summary(),
  ).rejects.toThrow('enough');
  const mine = new Error('the file ends here');
  async function* broken(): AsyncGenerator<IngestRow<Sample>> {
    yield* rows(1, 'never');
    throw mine;
  }
  await expect(served.client.ingestAll(broken()).summary()).rejects.toBe(mine);
});

test('options out of range are ConfigErrors', () => {
  expect(() => served.client.ingestAll([], { batchSize: 5001 })).toThrow(ConfigError);
  expect(() => served.client.ingestAll([], { concurrency: 0 })).toThrow(ConfigError);
});
