import { expect, test } from 'vitest';
import type { StaleReason, Staleness } from '../staleness/staleness.service.ts';
import { closureOf, MAX_STEPS } from './stale-closure.ts';

const stale = (...vias: readonly string[][]): Staleness => ({
  isStale: true,
  notKnown: [],
  isComplete: true,
  reasons: vias.map((via): StaleReason => ({
    kind: 'RULE_CHANGED',
    message: '',
    fromRule: 'r@1',
    toRule: 'r@2',
    via,
    productionId: 'p',
  })),
});
const between = async (id: string): Promise<Staleness | null> => (id.startsWith('hidden') ? null : stale([]));
const many = (n: number, prefix: string): string[] => Array.from({ length: n }, (_, i) => `${prefix}${i}`);

test('has what lies between, each once, and nothing that is hidden', async () => {
  const found = new Map([
    ['a', stale(['b', 'c'], ['b', 'hidden'])],
    ['d', stale(['c'])],
  ]);
  const { closure, isWhole } = await closureOf(found, true, between);
  expect([[...closure.keys()].toSorted(), isWhole]).toEqual([['a', 'b', 'c', 'd'], true]);
});

test('has of a list what can be planned at a time, and refuses what is too much by itself', async () => {
  const large = new Map([
    ['a', stale(many(600, 'x'))],
    ['b', stale(many(600, 'y'))],
  ]);
  const { closure, isWhole } = await closureOf(large, true, between);
  expect([closure.size, closure.has('b'), isWhole]).toEqual([601, false, false]);
  await expect(closureOf(large, false, between)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('fewer of them at a time'),
    details: { limit: MAX_STEPS, entity_id: 'b' },
  });
  await expect(closureOf(new Map([['a', stale(many(MAX_STEPS, 'x'))]]), true, between)).rejects.toMatchObject(
    { code: 'conflict' },
  );
});
