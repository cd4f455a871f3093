import { expect, test, vi } from 'vitest';
import { Budget } from './budget/budget.ts';
import { DEFAULT_OPERATION_LIMITS } from './budget/limits.ts';
import { writeResult } from './result-text.ts';

test('the bytes of a large result are copied once, in turns', async () => {
  const budget = new Budget(DEFAULT_OPERATION_LIMITS, { actor: 'user:a' });
  budget.beLarge();
  const data = { items: Array.from({ length: 120 }, (_, i) => `${i}`.padEnd(100_000, 'x')) };
  const concat = vi.spyOn(Buffer, 'concat');
  const turns = vi.spyOn(budget, 'turn');
  const allocate = Buffer.allocUnsafeSlow.bind(Buffer);
  const made: { readonly length: number; readonly turns: number }[] = [];
  vi.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation((length) => {
    if (length > 1_000_000) made.push({ length, turns: turns.mock.calls.length });
    return allocate(length);
  });
  const { text } = await writeResult({ data, extensions: { schemaVersion: '1' } }, budget);
  const [turnsTaken, concatenated] = [turns.mock.calls.length, concat.mock.calls.length];
  vi.restoreAllMocks();
  budget.close();
  expect(JSON.parse(text.toString())).toEqual({ data, extensions: { schemaVersion: '1' } });
  expect([concatenated, made.map(({ length }) => length)]).toEqual([0, [text.length]]);
  expect(turnsTaken - (made[0]?.turns ?? turnsTaken)).toBeGreaterThanOrEqual(10);
});
