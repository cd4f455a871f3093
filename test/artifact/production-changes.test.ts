// docs/reference/artifact.md#following-productions, and lists of productions and rules of one project.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { callerOf } from '../testkit/callers.ts';
import { events } from '../workflow/run-logs-testkit.ts';
import { artifactBench } from './artifact-bench.ts';

/** As another process works it: none of this one takes it. */
const insert = async (
  { database: { pool } }: TestServer,
  id: string,
  criteria: object = {},
): Promise<void> => {
  await pool.query(
    `INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, requested_by, requested_at)
     VALUES ($1, 'Stats', $2, 'stats@1', 'running', $1, '{"decision":"build"}', 'user:rita', clock_timestamp())`,
    [id, criteria],
  );
};
const set = async ({ database: { pool } }: TestServer, id: string, what: string): Promise<void> => {
  await pool.query(`UPDATE artifact.production SET ${what} WHERE id = $1`, [id]);
};

interface Change {
  readonly at: string;
  readonly production: { readonly id: string; readonly status: string };
}
async function* changes(
  server: TestServer,
  variables: { project?: string; entityType?: string; after?: string },
  key = server.key,
): AsyncGenerator<Change, void, undefined> {
  const query = `subscription($entityType: String, $project: String, $after: DateTime) {
    productionChanges(entityType: $entityType, project: $project, after: $after) { at production { id status } } }`;
  for await (const data of events<{ productionChanges: Change }>(server, query, variables, key))
    yield data.productionChanges;
}
const shown = ({ value }: IteratorResult<Change, void>): string =>
  value ? `${value.production.id} ${value.production.status}` : 'ended';

test('productions are told as they change, but not as their logs grow, and only to who sees them', async () => {
  await using server = await startServer();
  const scoped = await server.newKey({ role: 'viewer', project: 'p1' });
  const after = new Date().toISOString();
  const feed = changes(server, { after });
  const own = changes(server, { after }, scoped);
  const narrowed = changes(server, { after, project: 'p2' });
  const other = changes(server, { after, entityType: 'Other' }).next();
  await insert(server, 'a');
  expect(shown(await feed.next())).toBe('a running');
  expect(shown(await own.next())).toBe('a running');
  await insert(server, 'theirs', { project: 'p2' });
  expect(shown(await feed.next())).toBe('theirs running');
  expect(shown(await narrowed.next())).toBe('theirs running');
  await set(server, 'a', `log = 'so far'`);
  await sleep(400);
  await set(server, 'theirs', `status = 'cancelled', finished_at = clock_timestamp()`);
  const cancelled = await feed.next();
  expect(shown(cancelled)).toBe('theirs cancelled');
  await set(server, 'a', `runner = 'cwltool', started_at = clock_timestamp()`);
  expect(shown(await own.next())).toBe('a running'); // nothing of the other in between
  const resumed = changes(server, { after: cancelled.value ? cancelled.value.at : after });
  expect(shown(await resumed.next())).toBe('a running');
  expect(await Promise.race([other, sleep(300, 'nothing')])).toBe('nothing');
});

test('one production is followed with its log until it has ended', async () => {
  await using server = await startServer();
  await insert(server, 'a', { project: 'p2' });
  const query = 'subscription($id: ID!) { productionProgress(id: $id) { status log } }';
  type Shown = { productionProgress: { status: string; log: string | null } };
  const follow = (key = server.key, id = 'a') => events<Shown>(server, query, { id }, key);
  const feed = follow();
  const next = async () => (await feed.next()).value?.productionProgress;
  expect(await next()).toEqual({ status: 'running', log: null });
  await set(server, 'a', `log = 'one'`);
  expect(await next()).toEqual({ status: 'running', log: 'one' });
  await set(server, 'a', `log = 'one\ntwo'`);
  expect(await next()).toEqual({ status: 'running', log: 'one\ntwo' });
  await set(server, 'a', `status = 'failed', finished_at = clock_timestamp()`);
  expect(await next()).toEqual({ status: 'failed', log: 'one\ntwo' });
  expect((await feed.next()).done).toBe(true);
  const scoped = await server.newKey({ role: 'viewer', project: 'p1' });
  await expect(follow(scoped).next()).rejects.toThrow('production not found: a');
  await expect(follow(server.key, 'none').next()).rejects.toThrow('production not found: none');
});

test('lists of a project have the productions that name it, however deep in their plans, and the rules that may make something of it', async () => {
  await using bench = await artifactBench();
  await bench.seedProductions(
    { id: 'shared' },
    { id: 'asked', criteria: { project: 'p2' }, requestedAt: '2026-01-31T09:30:00Z' },
    { id: 'uses', requestedAt: '2026-01-31T09:31:00Z' },
    { id: 'both', requestedAt: '2026-01-31T09:32:00Z' },
  );
  const deep = { requires: [{ projects: [], requires: [{ projects: ['p2'] }] }] };
  await bench.sql(`UPDATE artifact.production SET plan = $1 WHERE id = 'uses'`, [deep]);
  await bench.sql(`UPDATE artifact.production SET plan = '{"projects": ["p1", "p2"]}' WHERE id = 'both'`);
  const page = (more: string, caller = callerOf('user:ann', ['viewer'])) =>
    bench.ask(`{ productions(project: "p2" ${more}) { total nextCursor productions { id } } }`, {}, caller);
  const ids = (...named: string[]) => named.map((id) => ({ id }));
  expect(await page('')).toMatchObject({
    productions: { total: 3, productions: ids('both', 'uses', 'asked') },
  });
  const { productions: first } = await page('limit: 2');
  expect(first).toMatchObject({ total: 3, productions: ids('both', 'uses') });
  expect(await page(`limit: 2, cursor: "${first.nextCursor}"`)).toMatchObject({
    productions: { nextCursor: null, productions: ids('asked') },
  });
  expect(await page('', callerOf('user:sam', ['viewer'], ['p2']))).toMatchObject({
    productions: { total: 2, productions: ids('uses', 'asked') },
  });
  expect(await page('', callerOf('user:sam', ['viewer'], ['p1']))).toMatchObject({
    productions: { total: 0, productions: [] },
  });
  const then = new Date().toISOString();
  await bench.sql(`UPDATE artifact.production SET plan = '{}' WHERE id = 'both'`);
  expect(await page('')).toMatchObject({ productions: { total: 2, productions: ids('uses', 'asked') } });
  expect(await page(`asOf: "${then}"`)).toMatchObject({
    productions: { total: 3, productions: ids('both', 'uses', 'asked') },
  });

  const produces = (project?: string) => ({
    produces: [
      { entity_type: 'Stats', match: { sample: '{s}', ...(project === undefined ? {} : { project }) } },
    ],
    execute: { cwl_url: 'https://example.org/stats.cwl' },
  });
  await bench.seedRules(
    { name: 'any', definition: produces() },
    { name: 'bound', definition: produces('{project}') },
    { name: 'own', definition: produces('p2') },
    { name: 'theirs', definition: produces('p1') },
  );
  const { rules } = await bench.ask('{ rules(project: "p2") { total rules { name } } }');
  expect(rules).toEqual({ total: 3, rules: [{ name: 'any' }, { name: 'bound' }, { name: 'own' }] });
});
