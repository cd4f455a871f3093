// docs/reference/artifact.md#refresh: whoever joins what a refresh makes, and has seen no plan, gets what there is; another refresh
// joins it only where that is what it has planned itself.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../platform/database/transaction.ts';
import { Notifier } from '../../platform/notifier.ts';
import { type Pin, pinOf } from '../../subgraphs/artifact/planning/pinned-plan.ts';
import type { PlanNode } from '../../subgraphs/artifact/planning/plan.ts';
import { startProductionEngine } from '../../subgraphs/artifact/production-worker/engine.ts';
import { PlanDeparted } from '../../subgraphs/artifact/production-worker/production-failed.ts';
import { type Enqueued, enqueue } from '../../subgraphs/artifact/productions/enqueue.ts';
import { findPin } from '../../subgraphs/artifact/productions/pinned-plans.store.ts';
import {
  findProgress,
  PRODUCTION_CHANNEL,
} from '../../subgraphs/artifact/productions/production-queue.store.ts';
import { admin } from '../testkit/callers.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';
import { planNode } from './plan-node.ts';

const PIN: Pin = { versions: { s1: 2 }, builds: ['greet'] };
const NEXT: Pin = { ...PIN, versions: { s1: 3 } };
const planOf = (entityType: string, sample: string, more: Partial<PlanNode> = {}): PlanNode =>
  planNode({ entity_type: entityType, criteria: { sample }, ...more });
const GREETING = planOf('Greeting', 'required', {
  requires: [planOf('Sample', 'required', { decision: 'reuse', entity_id: 's1', rule: null })],
});
const ECHO = planOf('Echo', 'required', { rule: 'echo@1', requires: [GREETING] });
let database: Awaited<ReturnType<typeof freshDatabase>>;
let workDirectory: string;
let engine: Awaited<ReturnType<typeof startProductionEngine>>;
/** What happens while it is made by its plan, before that is found to be of another version. */
let meanwhile: (id: string) => Promise<unknown> = () => Promise.resolve();

const transact = <T>(work: Parameters<typeof inTransaction<T>>[1]): Promise<T> =>
  inTransaction(database.pool, work);

beforeAll(async () => {
  database = await freshDatabase();
  workDirectory = await mkdtemp(path.join(os.tmpdir(), 'cairn-joined-'));
  engine = await startProductionEngine({
    db: database.pool,
    transact,
    executor: {
      async make({ id, entityType, require }) {
        if (entityType === 'Echo') {
          await require(GREETING, await findPin(database.pool, id));
          return [{ entity_type: 'Echo', entity_id: id }];
        }
        if ((await findPin(database.pool, id)) === null) return [{ entity_type: 'Greeting', entity_id: id }];
        await meanwhile(id);
        throw new PlanDeparted('s1 has changed');
      },
      makeFresh: (_, made) => Promise.resolve(made),
      abandon: () => Promise.resolve(true),
      clear: () => Promise.resolve(),
    },
    notifier: new Notifier({ listen: database.listen, channel: PRODUCTION_CHANNEL, log: testLog }),
    standing: (acting) => Promise.resolve(acting),
    log: testLog,
    workDirectory,
    concurrent: 4,
    leaseMs: 60_000,
    sweepMs: 200,
  });
});
afterAll(async () => {
  await engine.close();
  await database.close();
  await rm(workDirectory, { recursive: true, force: true });
});

const ask = (
  sample: string,
  pin: Pin | null,
  joinsOnlyPinned = false,
  plan = planOf('Greeting', sample),
): Promise<Enqueued> =>
  enqueue(
    { transact },
    {
      entityType: plan.entity_type,
      criteria: { sample },
      parameters: {},
      requestedRule: null,
      reuse: 'fresh',
      plan,
      caller: admin,
      waiter: pin === null ? 'trigger:t' : 'user:rita',
      pin,
      joinsOnlyPinned,
    },
  );
/** As a refresh asks for it. */
const refresh = (sample: string, pin: Pin): Promise<Enqueued> => ask(sample, pin, true);
const outcome = async (id: string): Promise<{ status: string; error: unknown }> => {
  for (;;) {
    const { status, error } = (await findProgress(database.pool, id)) ?? { status: 'none', error: null };
    if (status !== 'queued' && status !== 'running') return { status, error };
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
};
const COMPLETED = { status: 'completed', error: null };
const FAILED = {
  status: 'failed',
  error: { code: 'conflict', message: 's1 has changed', details: { departed_from_plan: true } },
};

test('it fails by its plan, also for another refresh; for who has seen none it is made of what there is', async () => {
  meanwhile = () => Promise.resolve();
  expect(await outcome((await ask('alone', PIN)).production)).toEqual(FAILED);
  meanwhile = () => ask('two', PIN);
  expect(await outcome((await ask('two', PIN)).production)).toEqual(FAILED);
  let joined: Enqueued | null = null;
  meanwhile = async () => void (joined = await ask('joined', null));
  const { production } = await ask('joined', PIN);
  expect(await outcome(production)).toEqual(COMPLETED);
  expect(joined).toEqual({ production, joined: true });
});

const refused = (production: string, why: string) => ({
  code: 'conflict',
  message: expect.stringContaining(`by production ${production}, which ${why}`),
  details: { production_id: production, departed_from_plan: true },
});

test('another refresh joins it where it has planned the same, and else is told why nothing is made', async () => {
  const told: unknown[] = [];
  meanwhile = async (id) => {
    for (const pin of [
      PIN,
      NEXT,
      { ...PIN, builds: [] },
      { ...PIN, builds: ['greet', 'more'] },
      { ...PIN, versions: {} },
    ])
      told.push(await refresh('other', pin).catch((fault: unknown) => fault));
    await ask('other', null); // takes the pin away
    told.push(await refresh('other', PIN).catch((fault: unknown) => fault));
    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS n FROM artifact.production WHERE id = $1 OR request_key = (SELECT request_key FROM artifact.production WHERE id = $1)',
      [id],
    );
    told.push(rows[0]);
  };
  const { production } = await refresh('other', PIN);
  expect(await outcome(production)).toEqual(COMPLETED);
  const joined = { production, joined: true };
  const otherwise = refused(production, 'was planned otherwise');
  expect(told).toMatchObject([
    joined,
    otherwise,
    otherwise,
    joined,
    otherwise,
    refused(production, 'keeps to no plan'),
    { n: 1 },
  ]);
  meanwhile = () => Promise.resolve();
  expect(await outcome((await refresh('other', NEXT)).production)).toEqual(FAILED); // that has ended
});

test('what a refresh requires is joined by another that has planned the same of it', async () => {
  const versions = new Map([['s1', 2]]);
  const again = (pin: Pin) => ask('required', pin, true, GREETING);
  const told: unknown[] = [];
  meanwhile = async () => {
    const fresh = [pinOf(GREETING, versions), pinOf(ECHO, versions), pinOf(GREETING, new Map([['s1', 3]]))];
    for (const pin of fresh) told.push(await again(pin).catch((fault: unknown) => fault));
  };
  const { production } = await ask('required', pinOf(ECHO, versions), true, ECHO);
  expect(await outcome(production)).toMatchObject({ status: 'failed', error: { code: 'conflict' } });
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM artifact.production WHERE criteria->>'sample' = 'required' AND entity_type = 'Greeting'`,
  );
  const [{ id = '' } = {}] = rows;
  const joined = { production: id, joined: true };
  expect([rows.length, told]).toMatchObject([1, [joined, joined, refused(id, 'was planned otherwise')]]);
});

test('of refreshes at the same time each has its own plan, or none', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 25; round++) {
    meanwhile = () => new Promise((resolve) => void setTimeout(resolve, 30));
    const pins = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? PIN : NEXT));
    const asked = await Promise.allSettled(pins.map((pin) => refresh(`at-once-${round}`, pin)));
    const held = new Map<string, Pin | null>();
    for (const one of asked)
      if (one.status === 'fulfilled')
        held.set(one.value.production, await findPin(database.pool, one.value.production));
    for (const [i, one] of asked.entries()) {
      outcomes.add(one.status);
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' });
      else expect([pins[i], null]).toContainEqual(held.get(one.value.production)); // null where it has ended
    }
    for (const id of held.keys()) await outcome(id);
  }
  expect(outcomes).toEqual(new Set(['fulfilled', 'rejected']));
});

test('whenever they join, none of them fails, and nothing is made twice', async () => {
  const joins: Promise<Enqueued>[] = [];
  const seen = new Set<boolean>();
  for (let round = 0; round < 40; round++) {
    joins.length = 0;
    // before, at, and after the end of what fails by its plan
    meanwhile = () => {
      for (let n = 0; n < 4; n++)
        joins.push(
          new Promise<void>((resolve) => void setTimeout(resolve, (round % 8) + n)).then(() =>
            ask(`round-${round}`, null),
          ),
        );
      return new Promise((resolve) => void setTimeout(resolve, 3));
    };
    const pinned = await ask(`round-${round}`, PIN);
    const { status } = await outcome(pinned.production);
    const made = await Promise.all(joins);
    for (const { production } of made) expect(await outcome(production)).toEqual(COMPLETED);
    const others = new Set(made.map(({ production }) => production));
    expect(status).toBe(others.has(pinned.production) ? 'completed' : 'failed');
    seen.add(others.has(pinned.production));
  }
  expect(seen.size).toBe(2);
});
