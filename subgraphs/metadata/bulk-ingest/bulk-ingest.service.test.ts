import { expect, test } from 'vitest';
import { mostPerTurn } from '../../../test/testkit/per-turn.ts';
import type { Author } from '../log/write.ts';
import { BulkIngestService } from './bulk-ingest.service.ts';

const AUTHOR = { actor: 'user:a', contextText: '{}' } as Author;

test('the entities of a bulk become writes in turns with others, and so do refusals answers', async () => {
  let read = 0;
  let told = 0;
  const refusals = Array.from({ length: 3000 }, () => ({
    get data() {
      read++;
      return { t: 'x' };
    },
    entityType: 'T',
  }));
  const service = new BulkIngestService({
    writeAll: (writes) => Promise.resolve(writes.map(() => new Error('no'))),
    rehearseAll: () => Promise.reject(new Error('not asked')),
    onFault: () => told++,
  });
  const perTurn = await mostPerTurn(
    () => read + told,
    () => service.ingest(refusals, AUTHOR),
  );
  expect([read, told]).toEqual([3000, 3000]);
  expect(perTurn).toBeLessThan(10);
});
