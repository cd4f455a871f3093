import { expect, test, vi } from 'vitest';
import { Budget } from './budget.ts';
import { DEFAULT_OPERATION_LIMITS } from './limits.ts';
import { writeJson } from './write-json.ts';

test('texts as long as many small values are written in as many turns', async () => {
  const budget = new Budget(DEFAULT_OPERATION_LIMITS, { actor: 'user:a' });
  budget.beLarge();
  const turns = vi.spyOn(budget, 'turn');
  const texts = Array.from({ length: 12 }, () => 'x'.repeat(1024 * 1024));
  const written = await writeJson({ ...texts }, budget);
  expect(JSON.parse(Buffer.concat(written as readonly Buffer[]).toString())).toEqual({ ...texts });
  expect(turns.mock.calls.length).toBeGreaterThanOrEqual(12);
  budget.close();
});
