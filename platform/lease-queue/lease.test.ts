// A lease is renewed in time, and known to be lost; a result is stored again while the database is away.
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Lease, LeaseLostError, type LeaseOptions } from './lease.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const away = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** A lease of 30 s, and how often it was renewed. */
function bench(options: Partial<LeaseOptions> = {}) {
  const state = { renewed: 0, isHeld: true, isAway: false };
  const lease = new Lease({
    leaseMs: 30_000,
    progressMs: 1000,
    renew: () => {
      state.renewed++;
      return state.isAway ? Promise.reject(away()) : Promise.resolve(state.isHeld);
    },
    log: pino({ level: 'silent' }),
    ...options,
  });
  return { lease, state };
}

test('a lease is renewed three times in its duration, and every second while there is progress', async () => {
  let progress = 0;
  const { lease, state } = bench({ progress: () => progress });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(state.renewed).toBe(3);
  for (let i = 0; i < 5; i++) {
    progress++;
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(state.renewed).toBe(8);
  lease.release();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.renewed).toBe(8);
});

test('a lease without a measure of progress is renewed every time', async () => {
  const { lease, state } = bench();
  await vi.advanceTimersByTimeAsync(5000);
  expect(state.renewed).toBe(5);
  lease.release();
});

test('a lease that is no longer held is lost, and its worker learns the reason', async () => {
  const { lease, state } = bench({ whyLost: () => Promise.resolve(new Error('cancelled')) });
  state.isHeld = false;
  await lease.renew();
  await lease.renew();
  expect(lease.lost.reason).toEqual(new Error('cancelled'));
  lease.release();
});

test('an unavailable database ends the lease only when the lease has reached its maximum age', async () => {
  const { lease, state } = bench();
  state.isAway = true;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(lease.lost.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(2000);
  expect(lease.lost.reason).toBeInstanceOf(LeaseLostError);
  lease.release();
});

test('a result is stored when the database is back; any other fault is final, and so is a lost lease', async () => {
  const never = new AbortController().signal;
  const { lease, state } = bench();
  let tries = 0;
  await lease.finish(() => (++tries < 3 ? Promise.reject(away()) : Promise.resolve()), never);
  expect(tries).toBe(3);
  await expect(lease.finish(() => Promise.reject(new Error('of ours')), never)).rejects.toThrow('of ours');
  state.isHeld = false;
  await lease.renew();
  await expect(lease.finish(() => Promise.reject(away()), never)).rejects.toThrow('ECONNRESET');
  lease.release();
});
