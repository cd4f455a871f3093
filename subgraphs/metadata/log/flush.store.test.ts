import { expect, test } from 'vitest';
import type { Queryable } from '../../../platform/queryable.ts';
import { loopShare } from '../../../test/testkit/loop-share.ts';
import { flush, readyFlush } from './flush.store.ts';
import { WorkingSet } from './working-set.ts';
import type { Author } from './write.ts';

const AUTHOR = { actor: 'user:a', contextText: '{"a": 1}' } as Author;

/** A set in which so many entities are created. */
function created(count: number): WorkingSet {
  const catalogue = { revision: 7 } as WorkingSet['catalogue']; // all that is asked of it
  const set = new WorkingSet(catalogue, { entities: [], relationships: [], externalIds: [], uniques: [] });
  set.begin(AUTHOR);
  for (let i = 0; i < count; i++)
    set.create(
      {
        id: `e${i}`,
        entityType: 'Row',
        project: null,

        data: { i, text: 'a "text" é'.repeat(200) },
      },
      'a text é'.repeat(200),
    );
  return set;
}

async function sent(set: WorkingSet): Promise<readonly unknown[]> {
  let values: readonly unknown[] = [];
  const client = {
    query: (statement: { values: unknown[] }) => {
      ({ values } = statement);
      return Promise.resolve({ rows: [] });
    },
  };
  await flush(client as unknown as Queryable, set); // all that it uses
  return values;
}

/** Of bytes, their text without the version of `jsonb`. */
const asText = (value: unknown): unknown =>
  Buffer.isBuffer(value) ? value.subarray(value[0] === 1 ? 1 : 0).toString() : value;

test('what was made ready before is what would be sent', async () => {
  const plain = await sent(created(50));
  const set = created(50);
  await readyFlush(set);
  const ready = await sent(set);
  expect(ready.map(asText)).toEqual(plain);
  expect(ready.filter((value) => Buffer.isBuffer(value))).toHaveLength(3); // payloads, states, texts for the search
});

test('others run while a large flush is made ready', async () => {
  const set = created(5000);
  const shares: number[] = [];
  for (let i = 0; i < 3; i++) shares.push(await loopShare(() => readyFlush(set)));
  expect(Math.min(...shares)).toBeLessThan(0.5);
});
