// docs/reference/workflow.md#following-runs, and lists of runs of one project.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { TestServer } from '../testkit/server.ts';
import { events } from './run-logs-testkit.ts';
import { settledRun, workflowServer } from './workflow-server.ts';

const CONFIG = `workflow:
  triggers:
    - {name: pull, type: manual, project: apollo, action: {type: ingest, adapter: a}}
    - {name: all, type: manual, action: {type: ingest, adapter: a}}
  adapters: [{name: a, type: jsonl, entity_type: Sample, source: /dev/null, map: {id: row.id}}]
`;
interface Change {
  readonly at: string;
  readonly run: { readonly runId: string; readonly status: string };
}
async function* changes(
  server: TestServer,
  variables: { trigger?: string; project?: string; after?: string },
  key = server.key,
): AsyncGenerator<Change, void, undefined> {
  const query = `subscription($trigger: ID, $project: String, $after: DateTime) {
    runChanges(trigger: $trigger, project: $project, after: $after) { at run { runId status } } }`;
  for await (const data of events<{ runChanges: Change }>(server, query, variables, key))
    yield data.runChanges;
}
const start = async (server: TestServer, trigger: string): Promise<string> =>
  String((await server.rest('POST', `/api/v1/workflow/triggers/${trigger}/run`)).body.run_id);

const hasEnded = ({ run }: Change): boolean => !['queued', 'running'].includes(run.status);

/** Reads until these runs have ended; `seen` is what has been read before. */
async function untilEnded(
  feed: AsyncGenerator<Change, void, undefined>,
  runIds: readonly string[],
  seen: Change[] = [],
): Promise<Change[]> {
  const isLast = (): boolean =>
    runIds.every((id) => seen.some((change) => change.run.runId === id && hasEnded(change)));
  while (!isLast()) {
    const { value } = await feed.next();
    if (value === undefined) break;
    seen.push(value);
  }
  await feed.return();
  return seen;
}

test('runs are told as they change, to who sees them, and from the last change on', async () => {
  await using server = await workflowServer(CONFIG);
  const gemini = await server.newKey({ role: 'project_lead', project: 'gemini' });
  const apollo = await server.newKey({ role: 'viewer', project: 'apollo' });
  const before = new Date().toISOString();
  const feed = changes(server, {});
  const first = feed.next(); // it follows
  const hidden = changes(server, { after: before }, gemini);
  const nothing = hidden.next();
  const own = changes(server, { after: before }, apollo);
  const firstOwn = own.next();
  const narrowed = changes(server, { project: 'apollo', after: before });
  const firstNarrowed = narrowed.next();
  await new Promise((done) => setTimeout(done, 1500));

  const all = await start(server, 'all');
  const pulled = await start(server, 'pull');
  await Promise.all([settledRun(server, all), settledRun(server, pulled)]);
  const one = await first;
  const seen = await untilEnded(feed, [all, pulled], [one.value as Change]);
  expect(new Set(seen.map(({ run }) => run.runId))).toEqual(new Set([all, pulled]));
  expect(seen.map(({ at }) => at)).toEqual(seen.map(({ at }) => at).sort());
  expect(((await firstOwn).value as Change).run.runId).toBe(pulled);
  expect(((await firstNarrowed).value as Change).run.runId).toBe(pulled);
  await Promise.all([own.return(), narrowed.return()]);
  expect(await Promise.race([nothing, new Promise((done) => setTimeout(done, 1000, 'nothing'))])).toBe(
    'nothing',
  );

  // what changed while nobody listened comes after the last change
  const last = seen.at(-1)?.at ?? '';
  const later = await start(server, 'all');
  await settledRun(server, later);
  const resumed = await untilEnded(changes(server, { after: last }), [later]);
  expect(new Set(resumed.map(({ run }) => run.runId))).toEqual(new Set([later]));
  expect(await untilEnded(changes(server, { trigger: 'all', after: before }), [later])).toHaveLength(2);
});

test('of many that change at once, in transactions that end in any order, none is left out', async () => {
  await using server = await workflowServer(CONFIG);
  const { pool } = server.database;
  const ids = Array.from({ length: 300 }, () => randomUUID());
  const insert = `INSERT INTO workflow.run (id, action, cause, status, actor, acts_projects, queued_at, finished_at)
    SELECT id, '{}', '{}', 'skipped', 'user:x', NULL, clock_timestamp(), clock_timestamp() FROM unnest($1::text[]) id`;
  const feed = changes(server, { after: new Date().toISOString() });
  const seen = new Set<string>();
  const reading = (async () => {
    for await (const { run } of feed) {
      seen.add(run.runId);
      if (seen.size === ids.length) return;
    }
  })();
  // some of them many in one transaction: more than a page
  const writing = Array.from({ length: 6 }, async (_, writer) => {
    for (let i = 0; i < 5; i++) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        await client.query(insert, [ids.slice(writer * 50 + i * 10, writer * 50 + i * 10 + 10)]);
        await client.query('SELECT pg_sleep($1)', [Math.random() / 20]);
        await client.query('COMMIT');
      } finally {
        client.release();
      }
    }
  });
  await Promise.all([...writing, reading]);
  expect(seen).toEqual(new Set(ids));
  const bulk = Array.from({ length: 450 }, () => randomUUID());
  const again = changes(server, { after: new Date().toISOString() });
  await pool.query(insert, [bulk]);
  const found = new Set<string>();
  for await (const { run } of again) {
    found.add(run.runId);
    if (found.size === bulk.length) break;
  }
  expect(found).toEqual(new Set(bulk));
});

test('lists of runs of a project have those alone, in GraphQL and REST, with their totals, below triggers too', async () => {
  await using server = await workflowServer(CONFIG);
  const [all, pulled] = [await start(server, 'all'), await start(server, 'pull')];
  await Promise.all([settledRun(server, all), settledRun(server, pulled)]);
  const { body } = await server.graphql(`{
    own: runs(project: "apollo") { total runs { runId } }
    none: runs(project: "gemini") { total runs { runId } }
    trigger(name: "all") { runs(project: "apollo") { total runs { runId } } }
    past: runs(project: "apollo", asOf: "${new Date().toISOString()}") { total runs { runId } }
  }`);
  const none = { total: 0, runs: [] };
  expect(body.data).toEqual({
    own: { total: 1, runs: [{ runId: pulled }] },
    none,
    trigger: { runs: none },
    past: { total: 1, runs: [{ runId: pulled }] },
  });
  const listed = async (path: string): Promise<readonly string[]> => {
    const answer = (await server.rest('GET', `/api/v1/workflow${path}`)).body as {
      runs: { run_id: string }[];
    };
    return answer.runs.map(({ run_id: id }) => id);
  };
  expect(await listed('/runs?project=apollo')).toEqual([pulled]);
  expect(await listed('/triggers/pull/runs?project=apollo')).toEqual([pulled]);
  expect(await listed('/triggers/pull/runs?project=gemini')).toEqual([]);
});
