// What has changed since a time is found by the position of the event that was stamped before it, however many entities there are.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asSuperuser } from '../testkit/database.ts';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const COUNT = 3000;
const LIST =
  'query($f: String!, $o: String!, $limit: Int!, $p: DateTime) { entities(entityType: "Thing", filter: $f, orderBy: $o, limit: $limit, asOf: $p, includeUnavailable: true, count: NONE) { items { id updatedAt data } } }';
interface Listed {
  readonly id: string;
  readonly updatedAt: string;
  readonly data: { readonly n: number };
}

let metadata: FreshMetadata;
const caller = callerWith('viewer');
const listed = async (
  f: string,
  { o = 'updated_at', limit = 1000, p = null as string | null } = {},
): Promise<readonly Listed[]> =>
  ((await metadata.ask(LIST, { f, o, limit, p }, caller)) as { items: readonly Listed[] }).items;

beforeAll(async () => {
  metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Thing', version: '1', fields: [{ name: 'n', field_type: 'int' }] },
  });
  const write = (ids: readonly number[], n: number): Promise<unknown> =>
    metadata.ask('mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }', {
      e: ids.map((i) => ({ entityType: 'Thing', id: `t${i}`, data: { n } })),
    });
  await write(
    Array.from({ length: COUNT }, (_, i) => i),
    0,
  );
  for (let n = 1; n <= 6; n++) await write([n, n + 1, 100 * n], n);
  await asSuperuser(
    'ANALYZE metadata.entity, metadata.provenance',
    new URL(metadata.database.url).pathname.slice(1),
  );
});
afterAll(() => metadata[Symbol.asyncDispose]());

interface Read {
  readonly scans: number;
  readonly entries: number;
}
/** Of the index over the last events of entities, as far as connections have told: each does within ten seconds. */
async function readSoFar(): Promise<Read> {
  const { rows } = await metadata.database.pool.query<Read>(
    `SELECT idx_scan::int AS scans, idx_tup_read::int AS entries FROM pg_stat_user_indexes WHERE indexrelname = 'entity_entity_type_last_event_idx'`,
  );
  return rows[0] ?? { scans: 0, entries: 0 };
}

test('only what has changed since is looked at', async () => {
  const LISTS = 20;
  const [last] = await listed('updated_at > timestamp("2000-01-01T00:00:00Z")', {
    o: '-updated_at',
    limit: 1,
  });
  let before = await readSoFar();
  await expect // until nothing of before is told any more
    .poll(
      async () => {
        const was = before;
        before = await readSoFar();
        return before.scans - was.scans;
      },
      { interval: 11_000, timeout: 120_000 },
    )
    .toBe(0);
  for (let n = 0; n < LISTS; n++)
    expect(await listed(`updated_at > timestamp("${last?.updatedAt ?? ''}")`, { limit: 50 })).toEqual([]);
  await expect
    .poll(async () => (await readSoFar()).scans - before.scans, { interval: 500, timeout: 120_000 })
    .toBeGreaterThanOrEqual(LISTS);
  expect((await readSoFar()).entries - before.entries).toBeLessThanOrEqual(LISTS); // the last one, which is at the time
});

test('it is exactly what has changed later, at each time, in each order, with other conditions, and in the past', async () => {
  const all: readonly Listed[] = [
    ...(await listed('data.n > 0')),
    ...(await listed('data.n == 0', { limit: 5 })),
  ];
  expect(all.length).toBeGreaterThan(15);
  const newest = all.map(({ updatedAt }) => updatedAt).toSorted();
  for (const at of newest.slice(5)) {
    // finer than what is stored, too
    for (const time of [at, at.replace('Z', '9Z')]) {
      const of = (items: readonly Listed[]): string[] => items.map(({ id }) => id).toSorted();
      const later = of(all.filter(({ updatedAt }) => updatedAt > at));
      const same = of(all.filter(({ updatedAt }) => updatedAt >= at));
      const f = `updated_at > timestamp("${time}")`;
      for (const o of ['updated_at', '-updated_at', 'id', 'created_at', 'data.n'])
        expect(of(await listed(f, { o }))).toEqual(later);
      const atLeast = `updated_at >= timestamp("${time}")`;
      expect(of(await listed(atLeast))).toEqual(time === at ? same : later);
      expect(of(await listed(`${f} || data.n > 5`))).toEqual(
        [...new Set([...later, ...of(await listed('data.n > 5'))])].toSorted(),
      );
      const small = of(all.filter((one) => one.updatedAt > at && one.data.n < 3));
      expect(of(await listed(`${f} && data.n < 3`))).toEqual(small);
      expect(of(await listed(`data.n < 3 && ${f}`))).toEqual(small);
      expect(of(await listed(f, { p: newest.at(-1) ?? null }))).toEqual(later);
    }
  }
  expect(await listed('updated_at > timestamp("2999-01-01T00:00:00Z")')).toEqual([]);
  expect(await listed('updated_at > timestamp("0001-01-01T00:00:00Z")', { limit: 10 })).toHaveLength(10);
});
