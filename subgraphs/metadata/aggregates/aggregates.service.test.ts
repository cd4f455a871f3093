// One actor's aggregates leave the database to others.
import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Identity } from '../../../platform/identity.ts';
import { type AggregateDeps, type AggregateRequest, AggregateService } from './aggregates.service.ts';

const identity = (actor: string): Identity => ({ actor, roles: ['viewer'], projects: '*' });
const REQUEST = { entityType: 'Any', groupBy: [], of: [] } as unknown as AggregateRequest;

test('an actor has two aggregates computed at a time; others wait, and more than twenty are refused', async () => {
  const ends: (() => void)[] = [];
  const reading: string[] = [];
  const deps = {
    entities: {
      plan: (_: unknown, { actor }: Identity) => Promise.resolve({ residual: null, limit: 1, actor }),
    },
    catalogue: () => ({ get: () => ({ fields: new Map() }) }),
    read: async (query: unknown) => {
      reading.push((query as { actor: string }).actor);
      await new Promise<void>((resolve) => ends.push(resolve));
      return { groups: [], total: 0 };
    },
  } as unknown as AggregateDeps; // what it uses of them
  const service = new AggregateService(deps);
  const mine = Array.from({ length: 23 }, () => service.groups(REQUEST, identity('user:many')));
  const settled = Promise.allSettled(mine);
  await soon();
  const other = service.groups(REQUEST, identity('user:other'));
  await soon();
  expect(reading).toEqual(['user:many', 'user:many', 'user:other']);
  const isOver = (): boolean => ends.length === 0;
  while (!isOver()) {
    ends.shift()?.();
    await soon();
  }
  await other;
  const refused = (await settled).filter(({ status }) => status === 'rejected');
  expect(refused).toEqual([
    { status: 'rejected', reason: expect.objectContaining({ code: 'rate_limit_exceeded' }) },
  ]);
  expect(reading).toHaveLength(23);
});
