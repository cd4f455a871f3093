// Gauges over the database ask it seldom, wait for it briefly, and tell the last values where it fails.
import { expect, test, vi } from 'vitest';
import { AskedGauges } from './asked-gauges.ts';
import { NamedTallies, valueOf } from './process-metrics.ts';

test('one statement answers all readings of five seconds', async () => {
  const gauges = new AskedGauges({ test_a: { help: 'a' }, test_b: { help: 'b', labels: ['of'] } });
  let asked = 0;
  const stop = gauges.follow(() => {
    asked++;
    return Promise.resolve({ test_a: [{ value: 7 }], test_b: [{ labels: { of: 'x' }, value: asked }] });
  });
  expect(await Promise.all([valueOf('test_a'), valueOf('test_b', { of: 'x' }), valueOf('test_a')])).toEqual([
    7, 1, 7,
  ]);
  expect([await valueOf('test_b', { of: 'x' }), asked]).toEqual([1, 1]);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 5001);
  expect(await valueOf('test_b')).toBe(2);
  vi.restoreAllMocks();
  stop();
  expect([await valueOf('test_a'), await valueOf('test_b')]).toEqual([undefined, undefined]);
});

test('where the statement fails, the last values are told and the failure is counted', async () => {
  const gauges = new AskedGauges({ test_failing: { help: 'f' } });
  let fails = false;
  gauges.follow(() =>
    fails ? Promise.reject(new Error('away')) : Promise.resolve({ test_failing: [{ value: 3 }] }),
  );
  expect(await valueOf('test_failing')).toBe(3);
  const before = (await valueOf('cairn_metrics_failures_total')) ?? 0;
  fails = true;
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 5001);
  expect(await valueOf('test_failing')).toBe(3);
  vi.restoreAllMocks();
  expect(await valueOf('cairn_metrics_failures_total')).toBe(before + 1);
});

test('nobody waits longer than a second for the database', async () => {
  const gauges = new AskedGauges({ test_slow: { help: 's' } });
  gauges.follow(() => new Promise(() => undefined));
  const began = performance.now();
  expect(await valueOf('test_slow')).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(5000);
});

test('of names that clients choose, 200 have counters of their own', async () => {
  const named = new NamedTallies('operation', { done: ['test_named_total', 'n'] });
  for (let n = 0; n < 1000; n++) named.add(`name ${n}`, 'done', 1);
  named.add('name 0', 'done', 1);
  expect([
    await valueOf('test_named_total', { operation: 'name 0' }),
    await valueOf('test_named_total', { operation: 'name 199' }),
    await valueOf('test_named_total', { operation: 'name 200' }),
    await valueOf('test_named_total', { operation: 'other' }),
  ]).toEqual([2, 1, undefined, 800]);
});
