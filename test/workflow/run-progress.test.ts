// docs/reference/workflow.md#following-a-run, docs/reference/workflow.md#cancelling-a-run,
// docs/reference/workflow.md#retention: following runs, cancelling them, and deleting old ones.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { forget } from '../../subgraphs/workflow/runs/retention.store.ts';
import { lastCompleteStart } from '../../subgraphs/workflow/run-records/run-queue.store.ts';
import { noteResult } from '../../subgraphs/workflow/run-records/trigger-result.store.ts';
import { freshDatabase } from '../testkit/database.ts';
import type { TestServer } from '../testkit/server.ts';
import { eventually, settledRun, workflowServer } from './workflow-server.ts';

const CONFIG = (source: string): string => `workflow:
  triggers: [{name: pull, type: manual, action: {type: ingest, adapter: a}}]
  adapters: [{name: a, type: jsonl, entity_type: Sample, source: "${source}", map: {id: row.id}}]
`;
const start = async (server: TestServer): Promise<string> =>
  String((await server.rest('POST', '/api/v1/workflow/triggers/pull/run')).body.run_id);

/** A source that sends a line on command, and then ends. */
async function slowSource() {
  const waiting: http.ServerResponse[] = [];
  const server = http
    .createServer((_, res) => {
      res.writeHead(200);
      res.write('{"id":"s0"}\n');
      waiting.push(res);
    })
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked: () => waiting.length,
    end: () => {
      for (const res of waiting.splice(0)) res.end('{"id":"s1"}\n');
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}

interface Shown {
  readonly status: string;
  readonly recordsFetched: number;
}

/** The subscription's events, over server-sent events, as they arrive. */
async function* progress(server: TestServer, runId: string, key = server.key): AsyncGenerator<Shown> {
  const gone = new AbortController();
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    signal: gone.signal,
    headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({
      query: 'subscription($id: ID!) { runProgress(runId: $id) { status recordsFetched } }',
      variables: { id: runId },
    }),
  });
  let text = '';
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const data = /^data: (.+)$/m.exec(text.slice(0, end))?.[1];
        text = text.slice(end + 2);
        if (data === undefined) continue;
        const answer = JSON.parse(data) as {
          data?: { runProgress: Shown } | null;
          errors?: { message: string }[];
        };
        if (!answer.data) throw new Error(answer.errors?.[0]?.message);
        yield answer.data.runProgress;
      }
    }
  } finally {
    gone.abort();
  }
}

test('a run is followed from where it is until it has ended', async () => {
  await using source = await slowSource();
  await using server = await workflowServer(CONFIG(source.url));
  const runId = await start(server);
  await eventually(
    async () => source.asked(),
    (n) => n === 1,
  );
  const seen: Shown[] = [];
  for await (const shown of progress(server, runId)) {
    seen.push(shown);
    // earlier changes are reported before it ends
    if (shown.status === 'running' && shown.recordsFetched === 1) source.end();
  }
  expect(seen.at(-1)).toEqual({ status: 'success', recordsFetched: 2 });
  expect(seen.length).toBeGreaterThan(1);
  const ended: Shown[] = [];
  for await (const shown of progress(server, runId)) ended.push(shown);
  expect(ended).toEqual([{ status: 'success', recordsFetched: 2 }]);
  const none = await server.rest('POST', '/graphql', {
    headers: { accept: 'text/event-stream' },
    body: { query: 'subscription { runProgress(runId: "none") { status } }' },
  });
  expect(none.text).toContain('run not found: none');
});

test('the command line follows a run to its end, and its exit status says how that was', async () => {
  await using source = await slowSource();
  await using server = await workflowServer(CONFIG(source.url));
  const runId = await start(server);
  const child = spawn(process.execPath, ['cli/cairn.mjs', 'runs', 'follow', runId, '--json'], {
    cwd: projectRoot,
    env: { ...process.env, CAIRN_URL: server.url, CAIRN_KEY: server.key },
  });
  let [out, told] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk.toString();
    if (told.includes('running')) source.end();
  });
  expect((await once(child, 'close'))[0], told).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ run_id: runId, status: 'success', records_fetched: 2 });
  expect(told).toMatch(/running +fetched \d/);
  expect(told).toMatch(/success +fetched 2 +created 2/);
});

test('a cancelled run fails, its work stops, no event follows, and it cannot be cancelled twice', async () => {
  await using source = await slowSource();
  await using server = await workflowServer(CONFIG(source.url));
  const runId = await start(server);
  await eventually(
    async () => source.asked(),
    (n) => n === 1,
  );
  expect(
    await server.rest('POST', `/api/v1/workflow/runs/${runId}/cancel`, {
      key: await server.newKey({ role: 'viewer' }),
    }),
  ).toMatchObject({ status: 403 });
  expect(await server.rest('POST', `/api/v1/workflow/runs/${runId}/cancel`)).toMatchObject({
    status: 200,
    body: { run_id: runId, status: 'failed' },
  });
  const again = await settledRun(server, runId);
  expect(again).toMatchObject({ status: 'failed', errors: [{ type: 'Cancelled' }] });
  expect((await server.rest('GET', '/api/v1/workflow/triggers')).body.pull).toMatchObject({
    last_run: expect.any(String),
    last_result: 'failed',
    last_error: expect.stringMatching(/^cancelled by /),
  });
  source.end();
  expect(await server.rest('POST', `/api/v1/workflow/runs/${runId}/cancel`)).toMatchObject({
    status: 409,
    body: { error: 'conflict' },
  });
  expect(await server.rest('POST', '/api/v1/workflow/runs/none/cancel')).toMatchObject({ status: 404 });
  expect(await settledRun(server, runId)).toEqual(again);
});

test('of cancellations at once one ends the run, and the others are told how it has ended; they are no problem of its trigger', async () => {
  await using source = await slowSource();
  await using server = await workflowServer(CONFIG(source.url));
  for (let run = 1; run <= 3; run++) {
    const runId = await start(server);
    await eventually(
      async () => source.asked(),
      (n) => n === run,
    );
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => server.rest('POST', `/api/v1/workflow/runs/${runId}/cancel`)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    for (const { status, body } of answers)
      if (status === 409) expect(body.message).toBe('the run has already ended: failed');
  }
  const { pull } = (await server.rest('GET', '/api/v1/workflow/triggers')).body;
  expect(pull).toMatchObject({ status: 'idle', last_result: 'failed' });
  expect(pull).not.toHaveProperty('problem');
});

test('where runs keep failing, a cancellation is not told as what they fail with', async () => {
  await using database = await freshDatabase();
  const trigger = { name: 'pull', type: 'schedule', definition: {}, status: 'idle' } as const;
  for (let run = 1; run <= 3; run++) await noteResult(database.pool, trigger, 'failed', 'connection refused');
  await noteResult(database.pool, trigger, 'failed', 'cancelled by user:anna', false);
  const { rows } = await database.pool.query('SELECT failures, last_error FROM workflow.trigger');
  expect(rows).toEqual([{ failures: 3, last_error: 'connection refused' }]);
});

test('the last success of each trigger and adapter stays, however many partial successes came after it', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  const runs = [
    ['a0', 'a', 'success', 9],
    ['a1', 'a', 'success', 8],
    ['a2', 'a', 'partial_success', 7],
    ['a3', 'a', 'partial_success', 6],
    ['b1', 'b', 'success', 5],
    ['b2', 'b', 'failed', 4],
  ] as const;
  for (const [id, adapter, status, days] of runs)
    await pool.query(
      `INSERT INTO workflow.run (id, trigger_name, trigger_type, adapter, action, cause, status, actor, queued_at, started_at, finished_at)
       SELECT $1, 't', 'schedule', $2, '{}', '{}', $3, 'a', at, at, at FROM (SELECT clock_timestamp() - $4 * interval '1 day') x(at)`,
      [id, adapter, status, days],
    );
  const before = [await lastCompleteStart(pool, 't', 'a'), await lastCompleteStart(pool, 't', 'b')];
  expect(await forget(pool, 'runs', 3)).toBe(4);
  expect(
    (await pool.query<{ id: string }>('SELECT id FROM workflow.run ORDER BY id')).rows.map((row) => row.id),
  ).toEqual(['a1', 'b1']);
  expect([await lastCompleteStart(pool, 't', 'a'), await lastCompleteStart(pool, 't', 'b')]).toEqual(before);
});

test('records beyond the retention period are deleted; the last complete run and the last firing stay', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  const ago = (days: number): string => `clock_timestamp() - interval '${days} days'`;
  for (const [id, days] of [
    ['r1', 5],
    ['r2', 4],
    ['r3', 1],
  ] as const) {
    await pool.query(
      `INSERT INTO workflow.run (id, trigger_name, trigger_type, action, cause, status, actor, queued_at, finished_at) VALUES ($1, $2, 'manual', '{}', '{}', $3, 'a', ${ago(days)}, ${ago(days)})`,
      [id, 't', id === 'r3' ? 'failed' : 'success'],
    );
    await pool.query('INSERT INTO workflow.run_entity (run_id, entity_id) VALUES ($1, $2)', [id, 'e']);
    await pool.query(
      `INSERT INTO workflow.firing (trigger_name, firing_key, run_id, fired_at) VALUES ('t', $1, $1, ${ago(days + 10)})`,
      [id],
    );
  }
  await pool.query(
    `INSERT INTO workflow.run (id, action, cause, status, actor, queued_at) VALUES ('waits', '{}', '{}', 'queued', 'a', ${ago(9)})`,
  );
  expect(await forget(pool, 'runs', 3)).toBe(1);
  expect(
    (await pool.query<{ id: string }>('SELECT id FROM workflow.run ORDER BY id')).rows.map((row) => row.id),
  ).toEqual(['r2', 'r3', 'waits']);
  expect((await pool.query('SELECT 1 FROM workflow.run_entity')).rowCount).toBe(2);
  expect(await forget(pool, 'firings', 3)).toBe(2);
  expect((await pool.query<{ key: string }>('SELECT firing_key AS key FROM workflow.firing')).rows).toEqual([
    { key: 'r3' },
  ]);
  await pool.query(
    `INSERT INTO workflow.observation (trigger_name, kind, verdict, subject, at) SELECT 't', 'tick', 'fired', '{}', ${ago(3)} FROM generate_series(1, 2500)`,
  );
  expect(await forget(pool, 'observations', 2)).toBe(2500);
  for (const [digest, days] of [
    ['old', 400],
    ['young', 300],
  ] as const)
    await pool.query(
      `INSERT INTO workflow.delivery (trigger_name, digest, run_id, accepted_at) VALUES ('t', $1, 'r', ${ago(days)})`,
      [Buffer.from(digest)],
    );
  await forget(pool, 'deliveries', 14);
  expect(
    (await pool.query<{ digest: Buffer }>('SELECT digest FROM workflow.delivery')).rows.map((row) =>
      row.digest.toString(),
    ),
  ).toEqual(['young']); // a window may be a year
});
