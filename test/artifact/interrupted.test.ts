// A production whose database or metadata is temporarily unavailable does not fail: it is begun again, a few
// times.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { inTransaction } from '../../platform/database/transaction.ts';
import { Notifier } from '../../platform/notifier.ts';
import { DomainError } from '../../platform/errors.ts';
import { startProductionEngine } from '../../subgraphs/artifact/production-worker/engine.ts';
import type { Produced } from '../../subgraphs/artifact/production-worker/production-task.ts';
import { ProductionFailed } from '../../subgraphs/artifact/production-worker/production-failed.ts';
import { enqueue } from '../../subgraphs/artifact/productions/enqueue.ts';
import {
  findProgress,
  PRODUCTION_CHANNEL,
} from '../../subgraphs/artifact/productions/production-queue.store.ts';
import { admin } from '../testkit/callers.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';
import { planNode } from './plan-node.ts';

vi.setConfig({ testTimeout: 120_000 });

const PLAN = planNode({ entity_type: 'Greeting' });
const MADE: readonly Produced[] = [{ entity_type: 'Greeting', entity_id: 'e1' }];

/** The result of a production whose attempts end like this, and their number. */
async function outcomeOf(attempt: (n: number) => readonly Produced[], leaseMs = 2000) {
  const database = await freshDatabase();
  const workDirectory = await mkdtemp(path.join(os.tmpdir(), 'cairn-interrupted-'));
  let attempts = 0;
  const transact = <T>(work: Parameters<typeof inTransaction<T>>[1]): Promise<T> =>
    inTransaction(database.pool, work);
  const executor = {
    make: async () => {
      attempts++;
      return Promise.resolve(attempt(attempts));
    },
    makeFresh: () => Promise.reject(new Error('nobody asks for fresh results here')),
    abandon: () => Promise.resolve(true),
    clear: () => Promise.resolve(),
  };
  const engine = await startProductionEngine({
    db: database.pool,
    transact,
    executor,
    notifier: new Notifier({ listen: database.listen, channel: PRODUCTION_CHANNEL, log: testLog }),
    standing: (acting) => Promise.resolve(acting),
    log: testLog.child({}, { level: 'fatal' }),
    workDirectory,
    concurrent: 1,
    leaseMs,
    sweepMs: 200,
  });
  try {
    const { production } = await enqueue(
      { transact },
      {
        entityType: 'Greeting',
        criteria: {},
        parameters: {},
        requestedRule: null,
        reuse: 'any',
        plan: PLAN,
        caller: admin,
        waiter: 'user:rita',
      },
    );
    await expect
      .poll(async () => (await findProgress(database.pool, production))?.status, {
        timeout: 120_000,
        interval: 100,
      })
      .toMatch(/completed|failed/);
    const { status, error, entityIds } = (await findProgress(database.pool, production)) ?? {
      status: 'none',
      error: null,
      entityIds: [],
    };
    return { attempts, status, error, entityIds };
  } finally {
    await engine.close();
    await database.close();
    await rm(workDirectory, { recursive: true, force: true });
  }
}

const gone = (): never => {
  throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
};
const unreachable = (): never => {
  throw new DomainError('component_unavailable', 'metadata cannot be reached', {
    component: 'metadata',
    upstream_status: null,
  });
};

test.each([
  ['the database', gone],
  ['metadata', unreachable],
])(
  'a production during which %s is unavailable for a while is started again and completed',
  async (_, away) => {
    const { attempts, ...outcome } = await outcomeOf((n) => (n === 1 ? away() : MADE));
    expect(outcome).toEqual({ status: 'completed', error: null, entityIds: ['e1'] });
    expect(attempts).toBeGreaterThan(1);
  },
);

test('a service that stays unavailable fails it after three attempts', async () => {
  expect(await outcomeOf(gone)).toMatchObject({
    attempts: 3,
    status: 'failed',
    error: { code: 'interrupted' },
  });
});

test('any other fault fails the production at once', async () => {
  expect(
    await outcomeOf(() => {
      throw new ProductionFailed('workflow_failed', 'it failed');
    }, 60_000),
  ).toMatchObject({ attempts: 1, status: 'failed', error: { code: 'workflow_failed' } });
  expect(
    await outcomeOf(() => {
      throw new Error('a fault of ours');
    }, 60_000),
  ).toMatchObject({
    attempts: 1,
    status: 'failed',
    error: { code: 'internal_error', message: 'internal error' },
  });
});
