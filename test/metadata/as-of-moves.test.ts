// The past of entities that moved or did not change, and its totals.
import { expect, test } from 'vitest';
import { callerWith } from '../testkit/metadata.ts';
import {
  CREATE,
  INGEST,
  AVAILABILITY,
  RELATE,
  GET,
  STATE,
  LIST,
  SEARCH,
  RELATIONSHIPS,
  type Page,
  metadata,
  ask,
  lastInstant,
  setUp,
} from './as-of-testkit.ts';

setUp();

test('past states of an entity that moved to another project are visible only to those who could see them at the time', async () => {
  const scoped = callerWith('viewer', ['alpha']);
  await ask(INGEST, { t: 'Thing', id: 'mv1', d: { n: 1, project: 'alpha', word: 'moved' } });
  await ask(INGEST, { t: 'Thing', id: 'mv2', d: { n: 1, project: 'beta', word: 'moved' } });
  await ask(INGEST, { t: 'Thing', id: 'mv3', d: { n: 1, project: 'alpha', word: 'moved' } });
  await ask(RELATE, { s: 'mv3', t: 'mv1', y: 'has' });
  const then = await lastInstant();
  const ids = async (at: string | null, caller = scoped): Promise<string[]> => {
    const page = await ask<Page>(LIST, { t: 'Thing', f: 'data.word == "moved"', at }, caller);
    const unfiltered = await ask<Page>(LIST, { t: 'Thing', n: 1000, u: true, at }, caller);
    expect(unfiltered.total).toBe(unfiltered.items.length);
    expect(page.total).toBe(page.items.length);
    return page.items.map((item) => item.id);
  };
  expect(await ids(then)).toEqual(['mv1', 'mv3']);
  await ask(INGEST, { t: 'Thing', id: 'mv1', d: { project: 'beta' } });
  await ask(INGEST, { t: 'Thing', id: 'mv2', d: { project: 'alpha' } });
  expect(await ids(null)).toEqual(['mv2', 'mv3']);
  expect(await ids(then)).toEqual(['mv1', 'mv3']);
  expect(await ids(then, callerWith('viewer'))).toEqual(['mv1', 'mv2', 'mv3']);
  expect(await ask(GET, { id: 'mv2', at: then }, scoped)).toBeNull();
  for (const id of ['mv1', 'mv3']) expect(await ask(GET, { id, at: then }, scoped)).not.toBeNull();
  expect(await ask(RELATIONSHIPS, { id: 'mv3' }, scoped)).toEqual([]);
  expect(await ask(RELATIONSHIPS, { id: 'mv3', at: then }, scoped)).toHaveLength(1);
  expect(await ask(RELATIONSHIPS, { id: 'mv3', at: then })).toHaveLength(1);
  expect(
    (await ask<{ id: string }[]>(SEARCH, { t: 'Thing', q: 'moved', at: then }, scoped)).map((hit) => hit.id),
  ).toEqual(['mv1', 'mv3']);
});

test('totals of the past hold at every single event, however many lie between', async () => {
  await ask(CREATE, {
    d: { name: 'Counted', version: '1', fields: [{ name: 'project', field_type: 'string' }] },
  });
  const scoped = callerWith('viewer', ['alpha']);
  const instants: string[] = [];
  for (let wave = 0; wave < 4; wave++) {
    const made = await Promise.all(
      Array.from({ length: 150 }, (_, i) =>
        ask<{ createdAt: string }>(INGEST, {
          t: 'Counted',
          id: `ct${wave}-${i}`,
          d: { project: ['alpha', 'beta', null][i % 3] },
        }),
      ),
    );
    instants.push(...made.map((m) => m.createdAt));
    await ask(AVAILABILITY, { id: `ct${wave}-0`, a: false });
    await ask(INGEST, { t: 'Counted', id: `ct${wave}-3`, d: { project: 'beta' } });
  }
  instants.sort();
  const kept = await metadata.database.pool.query<{ n: string }>(
    'SELECT count(DISTINCT position) AS n FROM metadata.entity_count_at',
  );
  expect(Number(kept.rows[0]?.n)).toBeGreaterThan(1);
  for (const [i, at] of instants.entries()) {
    if (i % 37 !== 0) continue;
    const whole = await ask<Page>(LIST, { t: 'Counted', n: 1000, at });
    expect([i, whole.total]).toEqual([i, whole.items.length]);
    expect((await ask<Page>(LIST, { t: 'Counted', n: 1, u: true, at })).total).toBe(i + 1);
    const some = await ask<Page>(LIST, { t: 'Counted', n: 1000, at }, scoped);
    expect([i, some.total]).toEqual([i, some.items.length]);
  }
});

test('events that change no stored value make no history copy, and past reads show their times', async () => {
  await ask(INGEST, { t: 'Thing', id: 'quiet', d: { n: 1 } });
  const history = async (): Promise<string> =>
    (
      await metadata.database.pool.query<{ n: string }>(
        `SELECT count(*) AS n FROM metadata.entity_history WHERE id = 'quiet'`,
      )
    ).rows[0]?.n ?? '';
  for (const type of ['a', 'b', 'c'])
    await ask(
      'mutation($t: String!) { relate(sourceId: "quiet", targetId: "quiet", relationshipType: $t) { id } }',
      { t: type },
    );
  await ask('mutation { registerExternalId(entityId: "quiet", externalId: "quiet:1") { id } }');
  expect(await history()).toBe('0');
  await ask(INGEST, { t: 'Thing', id: 'quiet', d: { n: 2 } });
  await ask('mutation { unrelate(sourceId: "quiet", targetId: "quiet", relationshipType: "a") { id } }');
  expect(await history()).toBe('1');
  const events = await ask<{ timestamp: string }[]>('{ entityHistory(entityId: "quiet") { timestamp } }');
  expect(events).toHaveLength(7);
  for (const [i, { timestamp }] of events.entries()) {
    expect(await ask(STATE, { id: 'quiet', at: timestamp })).toMatchObject({
      data: { n: i < 5 ? 1 : 2 },
      version: i < 5 ? 1 : 2,
      updatedAt: timestamp,
    });
    for (const orderBy of ['updatedAt', '-updatedAt', 'createdAt']) {
      const page = await ask<{ items: { id: string; updatedAt: string }[] }>(
        'query($o: String, $at: DateTime) { entities(orderBy: $o, asOf: $at, limit: 1000) { items { id updatedAt } } }',
        { o: orderBy, at: timestamp },
      );
      expect(page.items.find(({ id }) => id === 'quiet')?.updatedAt).toBe(timestamp);
      if (orderBy === 'createdAt') continue;
      const times = page.items.map(({ updatedAt }) => updatedAt);
      expect(times).toEqual([...times].sort((a, b) => (a < b ? -1 : 1) * (orderBy === 'updatedAt' ? 1 : -1)));
      expect(page.items.at(orderBy === 'updatedAt' ? -1 : 0)?.id).toBe('quiet');
    }
    const found = await ask<{ items: { id: string }[] }>(
      'query($f: String, $at: DateTime) { entities(filter: $f, asOf: $at) { items { id } } }',
      { f: `updated_at == timestamp("${timestamp}")`, at: timestamp },
    );
    expect(found.items).toEqual([{ id: 'quiet' }]);
  }
});
