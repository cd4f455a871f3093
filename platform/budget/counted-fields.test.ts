// What an executor comes upon is counted, and what fails meanwhile ends nothing but the operation.
import { buildSchema, execute, parse } from 'graphql';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Caller } from '../identity.ts';
import { withBudget } from './budgeted.ts';
import { Budget } from './budget.ts';
import { countObjects } from './counted-fields.ts';

const CALLER: Caller = { actor: 'user:a', roles: ['viewer'], projects: '*', requestId: 'r' };
const LIMITS = { cost: 1_000_000, objects: 50_000, bytes: 1_000_000, timeMs: 30_000 };

/** A list of items that are on their way and then fail. */
const failing = (count: number): Promise<unknown>[] =>
  Array.from({ length: count }, async () => {
    await pause(1);
    throw new Error('the store is away');
  });

async function run(count: number): Promise<{ readonly unhandled: unknown[]; readonly budget: Budget }> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => {
    unhandled.push(reason);
  };
  const before = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
  onTestFinished(() => {
    process.off('unhandledRejection', note);
    for (const listener of before) process.on('unhandledRejection', listener);
  });
  const schema = buildSchema('type Query { items: [Item] } type Item { id: ID }');
  countObjects(schema);
  const budget = new Budget(LIMITS, CALLER);
  const contextValue = { caller: withBudget(CALLER, budget) };
  await budget
    .within(
      Promise.resolve(
        execute({
          schema,
          document: parse('{ items { id } }'),
          rootValue: { items: () => failing(count) },
          contextValue,
        }),
      ),
    )
    .catch(() => undefined);
  await pause(50);
  budget.close();
  return { unhandled, budget };
}

test('items that are still on their way when the operation ends do not end the process', async () => {
  const { unhandled, budget } = await run(60_000);
  expect(budget.ended?.details).toEqual({ limit: 'objects', asked: 60_000, allowed: 50_000 });
  expect(unhandled.length).toBe(0);
});

test('items that fail before their turn do not end the process', async () => {
  const { unhandled } = await run(5000);
  expect(unhandled.length).toBe(0);
});

const ids = (count: number): readonly { id: number }[] => Array.from({ length: count }, (_, id) => ({ id }));

test('a thousand objects with a hundred fields each take turns', async () => {
  const schema = buildSchema('type Query { items: [Item] } type Item { id: ID }');
  countObjects(schema);
  const budget = new Budget(LIMITS, CALLER);
  const turns = vi.spyOn(budget, 'turn');
  const fields = Array.from({ length: 95 }, (_, i) => `i${i}: id`).join(' ');
  await execute({
    schema,
    document: parse(`{ items { ${fields} } }`),
    rootValue: { items: ids(1000) },
    contextValue: { caller: withBudget(CALLER, budget) },
  });
  budget.close();
  expect(turns.mock.calls.length).toBeGreaterThanOrEqual(1000);
});

test('long lists take turns, of which none is long by itself, and which are begun together', async () => {
  const schema = buildSchema('type Query { lists: [List] } type List { items: [Item] } type Item { id: ID }');
  countObjects(schema);
  const budget = new Budget(LIMITS, CALLER);
  let [most, now] = [0, 0];
  const turn = budget.turn.bind(budget);
  vi.spyOn(budget, 'turn').mockImplementation(() => {
    if (now++ === 0)
      setImmediate(() => {
        most = Math.max(most, now);
        now = 0;
      });
    return turn();
  });
  const lists = Array.from({ length: 45 }, () => ({ items: ids(1000) }));
  await execute({
    schema,
    document: parse('{ lists { items { id } } }'),
    rootValue: { lists },
    contextValue: { caller: withBudget(CALLER, budget) },
  });
  budget.close();
  expect(most).toBeGreaterThan(1000);
  expect(most).toBeLessThan(30_000); // of 43,000 that are promised
});
