// docs/reference/metadata.md#differences-of-sets: words are looked for in as many states as a residual filter may check.
import { expect, test } from 'vitest';
import { admin } from '../../../test/testkit/callers.ts';
import type { EntityRow } from '../reading/entity-record.ts';
import { DifferenceService, type SetRequest } from './differences.service.ts';

const REQUEST: SetRequest = {
  entityType: 'Note',
  filter: null,
  q: 'rare',
  fields: [],
  includeUnavailable: false,
  from: 'begin',
  to: 'end',
};

/** Differences where so many entities changed, all of which had other words; and how many states were looked at. */
function changing(entities: number): { readonly service: DifferenceService; readonly looked: () => number } {
  let looked = 0;
  const service = new DifferenceService({
    entities: {
      plan: () => Promise.resolve({ residual: null, warnings: [] } as never),
      getMany: (ids) =>
        Promise.resolve(ids.map((id) => ({ id, entityType: 'Note', data: '{}' }) as unknown as EntityRow)),
    },
    changed: (_, { after, upto, limit }) => {
      const first = Number(after) + 1;
      const count = Math.max(0, Math.min(limit, Number(upto) - first + 1));
      return Promise.resolve(
        Array.from({ length: count }, (__, i) => ({
          id: `e${first + i}`,
          position: String(first + i),
          was: true,
          is: true,
          differs: true,
        })),
      );
    },
    holding: (_, states) => {
      looked += states.length;
      return Promise.resolve(new Set());
    },
  });
  timeline.end = String(entities);
  return { service, looked: () => looked };
}
const timeline = {
  end: '0',
  position: (instant: string | null) => Promise.resolve(instant === 'begin' ? '0' : timeline.end),
};
const asking = { timeline: timeline as never, signal: undefined };

test('up to the bound all is compared; beyond it pages and lines are refused', async () => {
  const most = changing(50_000);
  const page = { first: 10, after: null };
  expect(await most.service.page(REQUEST, page, admin, asking)).toMatchObject({
    items: [],
    nextCursor: null,
  });
  expect(most.looked()).toBe(100_000);
  const more = changing(50_001);
  const refused = { code: 'validation_failed', details: { limit: 'candidates', allowed: 100_000 } };
  await expect(more.service.page(REQUEST, page, admin, asking)).rejects.toMatchObject(refused);
  const reads = async (): Promise<void> => {
    for await (const { count } of await more.service.lines(REQUEST, admin, asking)) expect(count).toBe(0);
  };
  await expect(reads()).rejects.toMatchObject(refused);
});
