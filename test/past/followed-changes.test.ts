// What follows changes from a time on: which times it takes, and what a replay of the past costs
// (docs/reference/workflow.md#following-runs, docs/reference/artifact.md#following-productions).
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { followChanges } from '../../platform/past/changes.ts';
import { asSuperuser, freshDatabase, testLog } from '../testkit/database.ts';
import { Notifier } from '../../platform/notifier.ts';
import { startServer } from '../testkit/server.ts';
import { events } from '../workflow/run-logs-testkit.ts';

const FIELDS = ['runChanges', 'productionChanges'] as const;

test('`after` is an instant with an offset', async () => {
  await using server = await startServer();
  const following = (field: string, after: string) =>
    events(server, `subscription($after: DateTime) { ${field}(after: $after) { at } }`, { after }).next();
  for (const field of FIELDS) {
    for (const after of ['x', 'yesterday', 'infinity', '-infinity', '2026-01-31', ''])
      await expect(following(field, after)).rejects.toThrow('after must be a point in time with an offset');
    await expect(following(field, 'a\u0000')).rejects.toThrow('must not contain U+0000');
    await expect(
      events(server, String.raw`subscription { ${field}(after: "\u0000") { at } }`, {}).next(),
    ).rejects.toThrow(/U\+0000|after must be a point in time/);
  }
});

test('`after` is refused where changes that came next may have been deleted', async () => {
  await using server = await startServer();
  const { rows } = await server.database.pool.query<{ name: string }>('SELECT current_database() AS name');
  for (const schema of ['workflow', 'artifact'])
    await asSuperuser(`UPDATE ${schema}.past_begins SET at = '2026-02-01T00:00:00Z'`, rows[0]?.name);
  await server.database.pool.query(
    `INSERT INTO workflow.run (id, action, cause, status, actor, queued_at, finished_at)
     VALUES ('a', '{}', '{}', 'skipped', 'user:x', clock_timestamp(), clock_timestamp())`,
  );
  for (const field of FIELDS)
    await expect(
      events(server, `subscription { ${field}(after: "2026-01-31T23:59:59.999999Z") { at } }`, {}).next(),
    ).rejects.toThrow('are known from 2026-02-01T00:00:00.000000Z on');
  const kept = events(
    server,
    'subscription { runChanges(after: "2026-02-01T00:00:00Z") { run { runId } } }',
    {},
  );
  expect((await kept.next()).value).toEqual({ runChanges: { run: { runId: 'a' } } });
  await kept.return();
});

test('replays pause where they find nothing, and few of an actor read at a time', async () => {
  await using database = await freshDatabase();
  const notifier = new Notifier({ listen: database.listen, channel: 'nothing', log: testLog });
  const stop = new AbortController();
  let [reads, reading, most] = [0, 0, 0];
  const page = async (after: string) => {
    most = Math.max(most, ++reading);
    reads++;
    await sleep(5);
    reading--;
    return { rows: [] as never[], upto: after, isEnd: false };
  };
  const replays = Array.from({ length: 12 }, () =>
    followChanges({
      after: '2026-01-01T00:00:00.000000Z',
      last: () => Promise.reject(new Error('a replay knows where it begins')),
      page,
      notifier,
      key: 'run',
      actor: 'user:ada',
      signal: stop.signal,
    }).next(),
  );
  await sleep(1000);
  stop.abort(new Error('gone'));
  expect(await Promise.all(replays)).toEqual(replays.map(() => ({ done: true, value: undefined })));
  expect(reads).toBeGreaterThan(12);
  expect(reads).toBeLessThanOrEqual(12 * 11); // each at most once in 100 ms
  expect(most).toBe(2);
});

test('lists are not notified of a log that grows', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  await pool.query(
    `INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, requested_by, requested_at)
     VALUES ('a', 'Stats', '{}', 'stats@1', 'running', 'a', '{"decision":"build"}', 'user:rita', clock_timestamp())`,
  );
  const client = await pool.connect();
  const told: string[] = [];
  client.on('notification', ({ channel }) => told.push(channel));
  await client.query('LISTEN artifact_change');
  await client.query('LISTEN artifact_progress');
  const set = (what: string) => client.query(`UPDATE artifact.production SET ${what} WHERE id = 'a'`);
  await set(`log = 'one'`);
  await set(`log = E'one\\ntwo'`);
  await expect.poll(() => told).toEqual(['artifact_progress', 'artifact_progress']);
  await set(`log = E'one\\ntwo\\nthree', runner = 'cwltool', started_at = clock_timestamp()`);
  await expect.poll(() => told.slice(2).sort()).toEqual(['artifact_change', 'artifact_progress']);
  await client.query('UNLISTEN *');
  client.release();
});
