import { expect, test } from 'vitest';
import type { Queryable } from '../../../platform/queryable.ts';
import { loopShare } from '../../../test/testkit/loop-share.ts';
import { withWholePayloads } from './states-around.store.ts';

test('others run while thousands of events get their states, each at once', async () => {
  const events = Array.from({ length: 8000 }, (_, i) => ({
    position: String(i),
    type: 'EntityUpdated',
    payload: { changes: { n: i }, changed_fields: ['n'] },
  }));
  const state = (n: number): string => JSON.stringify({ n, text: 'a state'.repeat(20) });
  const rows = events.map(({ position }, i) => ({ position, previous: state(i - 1), next: state(i) }));
  const db = { query: () => Promise.resolve({ rows }) } as unknown as Queryable; // all that is asked of it
  const share = await loopShare(async () => {
    const whole = await withWholePayloads(db, events, ({ type }) => type);
    expect(whole).toHaveLength(8000);
    expect(whole[7999]?.payload).toEqual({
      previous_state: JSON.parse(state(7998)) as unknown,
      new_state: JSON.parse(state(7999)) as unknown,
      changed_fields: ['n'],
    });
  });
  expect(share).toBeLessThan(0.6);
});
