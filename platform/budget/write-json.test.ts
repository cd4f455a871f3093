import { expect, test, vi } from 'vitest';
import { Budget } from './budget.ts';
import { DEFAULT_OPERATION_LIMITS } from './limits.ts';
import { joinedPieces, writeJson } from './write-json.ts';

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

test('the memory of a large answer counts twice while it is put together', async () => {
  const pieces = Array.from({ length: 16 }, () => Buffer.alloc(1024 * 1024, 'x'));
  const answer = (): { budget: Budget; joined: Promise<Buffer> } => {
    const budget = new Budget(DEFAULT_OPERATION_LIMITS, { actor: 'user:a' });
    budget.beLarge();
    for (const { length } of pieces) budget.write(length);
    return { budget, joined: budget.within(joinedPieces('{', pieces, '}', budget)) };
  };
  const [first, second] = [answer(), answer()];
  const [whole, refused] = await Promise.allSettled([first.joined, second.joined]);
  expect(whole).toMatchObject({ status: 'fulfilled', value: { length: 16 * 1024 * 1024 + 2 } });
  expect(refused).toMatchObject({
    status: 'rejected',
    reason: { code: 'rate_limit_exceeded', details: { limit: 'bytes', allowed: 64 * 1024 * 1024 } },
  });
  first.budget.close();
  second.budget.close();
});
