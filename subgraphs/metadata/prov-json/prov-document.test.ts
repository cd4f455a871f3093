import { expect, test } from 'vitest';
import { loopShare } from '../../../test/testkit/loop-share.ts';
import { type LoggedEvent, provDocument } from './prov-document.ts';

test('others run while a document of twenty thousand events is made', async () => {
  const events = Array.from({ length: 20_000 }, (_, i): LoggedEvent => ({
    id: `e${i}`,
    type: 'EntityCreated',
    entityId: `entity ${i}`,
    entityType: 'Sample',
    actor: `user:${i % 100}`,
    timestamp: '2026-01-01T00:00:00Z',
    schemaVersion: '1',
    context: { n: i },
    payload: { initial_state: { n: i, text: 'a state'.repeat(10) } },
  }));
  const shares: number[] = [];
  for (let i = 0; i < 3; i++)
    shares.push(
      await loopShare(async () => {
        const { entity = {}, wasGeneratedBy = {} } = await provDocument(events);
        expect([Object.keys(entity).length, Object.keys(wasGeneratedBy).length]).toEqual([40_000, 20_000]);
      }),
    );
  expect(Math.min(...shares)).toBeLessThan(0.4);
});
