// What an executor comes upon is counted, and what fails meanwhile ends nothing but the operation.
import { buildSchema, execute, parse } from 'graphql';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
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
