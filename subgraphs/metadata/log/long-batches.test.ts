import { expect, test } from 'vitest';
import { mostPerTurn } from '../../../test/testkit/per-turn.ts';
import { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { Log } from './log.service.ts';
import { type OpenLog, SchemasChanged } from './open-log.ts';
import type { Author, Write } from './write.ts';

const AUTHOR = { actor: 'user:a', contextText: '{}' } as Author;

/** A log whose transactions only note what is asked of them; with `changed`, under its lock, other schemas than those known. */
function noting(changed?: SchemaCatalogue): {
  readonly log: Log;
  readonly asked: string[];
  /** How many transactions there were at once, at most. */
  readonly most: () => number;
} {
  const asked: string[] = [];
  let [transactions, most] = [0, 0];
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    most = Math.max(most, ++transactions);
    try {
      return await work();
    } finally {
      transactions--;
    }
  };
  const catalogue = new SchemaCatalogue(1, []);
  const open: OpenLog = {
    mark: { revision: (changed ?? catalogue).revision, server: '' },
    catalogue: () => Promise.resolve(changed ?? catalogue),
    load: () => Promise.resolve({ entities: [], relationships: [], externalIds: [], uniques: [] }),
    ready: (set) => Promise.resolve(void asked.push(`ready ${set.events.length}`)),
    flush: (set) => {
      asked.push(`flush ${set.events.length}`);
      return Promise.resolve(set.events.map(() => '2026-01-01T00:00:00Z'));
    },
  };
  const log = new Log({
    withOpenLog: (work, options) =>
      changed !== undefined && options?.expected !== undefined
        ? Promise.reject(new SchemasChanged())
        : counted(() => work(open)),
    rivals: { inFlight: 1, gatherMs: 0 },
    catalogue: () => catalogue,
    validate: () => undefined,
    largeStates: () => Promise.resolve(new Map()),
  });
  return { log, asked, most: () => most };
}

const counts = { needs: 0, decided: 0 };

const creating = (count: number, size: number): Write<string>[] =>
  Array.from({ length: count }, (_, i) => ({
    author: AUTHOR,
    size,
    needs: () => {
      counts.needs++;
      return { entities: [`e${i}`] };
    },
    decide: (view) => {
      counts.decided++;
      return view.create({ id: `e${i}`, entityType: 'T', project: null, data: { i } }, '').id;
    },
  }));

test('what a long batch needs is asked once, and it is decided, in turns with others', async () => {
  const { log, asked } = noting();
  Object.assign(counts, { needs: 0, decided: 0 });
  const perTurn = await mostPerTurn(
    () => counts.needs + counts.decided,
    async () => {
      const outcomes = await log.writeAll(creating(900, 10));
      expect(outcomes.map((outcome) => 'result' in outcome && outcome.result)).toEqual(
        Array.from({ length: 900 }, (_, i) => `e${i}`),
      );
    },
  );
  expect(counts).toEqual({ needs: 900, decided: 900 });
  expect(perTurn).toBeLessThan(10);
  expect(asked).toEqual(['flush 256', 'flush 256', 'flush 256', 'flush 132']);
});

test('much is made text in turns with others, all of it before the lock is taken', async () => {
  const { log, asked } = noting();
  await log.writeAll(creating(600, 500));
  expect(asked).toEqual(['ready 256', 'ready 256', 'ready 88', 'flush 256', 'flush 256', 'flush 88']);
});

test('under the lock, after schemas have changed, what a long batch needs is asked at once', async () => {
  const { log } = noting(new SchemaCatalogue(2, []));
  const perTurn = await mostPerTurn(
    () => counts.needs,
    () => log.writeAll(creating(900, 10)),
  );
  expect(perTurn).toBeGreaterThanOrEqual(900);
});

test('of many bulks two parts are under way at once, and small ones do not wait for them', async () => {
  const large = noting();
  await Promise.all(Array.from({ length: 6 }, () => large.log.writeAll(creating(1500, 10))));
  expect(large.most()).toBe(2);
  const small = noting();
  await Promise.all(Array.from({ length: 6 }, () => small.log.writeAll(creating(20, 10))));
  expect(small.most()).toBe(6);
});
