// docs/reference/workflow.md#run-log-entry, docs/reference/workflow.md#who-sees-a-run,
// docs/reference/workflow.md#rest-endpoints.
import { expect, test } from 'vitest';
import { workflowRows } from '../../rest-compat/routes/workflow.routes.ts';
import { callerOf, viewer } from '../testkit/callers.ts';
import { serveRows } from '../testkit/serve-rows.ts';
import { workflowBench, type WorkflowBench } from './workflow-bench.ts';

const PAGE = `query Page($trigger: ID, $status: RunStatus, $limit: Int! = 100, $offset: Int! = 0, $cursor: String) {
  runs(trigger: $trigger, status: $status, limit: $limit, offset: $offset, cursor: $cursor) { total nextCursor runs { runId } }
}`;
const idsOf = (page: { runs: { runId: string }[] }): string[] => page.runs.map((run) => run.runId);

async function walk(bench: WorkflowBench, limit: number, between?: () => Promise<void>): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = null; ;) {
    const { runs } = await bench.ask(PAGE, { limit, cursor });
    ids.push(...idsOf(runs));
    cursor = runs.nextCursor;
    if (cursor === null) return ids;
    await between?.();
  }
}

test('the log is newest first, and of runs queued in the same microsecond the later id comes first', async () => {
  await using bench = await workflowBench();
  await bench.seed(
    { id: 'a', queuedAt: '2026-01-31T09:30:00.000002Z' },
    { id: 'b', queuedAt: '2026-01-31T09:30:00.000001Z' },
    { id: 'c', queuedAt: '2026-01-31T09:30:00.000002Z' },
  );
  expect(idsOf((await bench.ask(PAGE)).runs)).toEqual(['c', 'a', 'b']);
});

test('following cursors gives every run once, also while new runs come in', async () => {
  await using bench = await workflowBench();
  const old = Array.from({ length: 11 }, (_, i) => ({
    id: `r${i}`,
    queuedAt: `2026-01-31T09:30:00.00000${i % 3}Z`,
  }));
  await bench.seed(...old);
  let n = 0;
  const ids = await walk(bench, 3, () => bench.seed({ id: `new${n++}`, queuedAt: '2026-02-01T00:00:00Z' }));
  expect([...ids].sort()).toEqual(old.map((run) => run.id).sort());
});

test('an offset beside a cursor skips nothing', async () => {
  await using bench = await workflowBench();
  await bench.seed({ id: 'a' }, { id: 'b' }, { id: 'c' });
  const { nextCursor: cursor } = (await bench.ask(PAGE, { limit: 1 })).runs;
  expect(idsOf((await bench.ask(PAGE, { limit: 1, offset: 1, cursor })).runs)).toEqual(['b']);
});

test('a page that ends with the last run has no next cursor', async () => {
  await using bench = await workflowBench();
  await bench.seed({ id: 'a' }, { id: 'b' });
  expect((await bench.ask(PAGE, { limit: 2 })).runs).toMatchObject({ total: 2, nextCursor: null });
});

test('trigger, status and offset narrow the page; the total counts all pages', async () => {
  await using bench = await workflowBench();
  await bench.seed(
    { id: 'a' },
    { id: 'b', status: 'failed' },
    { id: 'c', status: 'failed', trigger: 'by-hand' },
    { id: 'd', status: 'failed', queuedAt: '2026-02-01T00:00:00Z' },
    { id: 'e', trigger: null },
  );
  const { runs } = await bench.ask(PAGE, { trigger: 'nightly', status: 'failed', limit: 1, offset: 1 });
  expect(runs).toEqual({ total: 2, nextCursor: null, runs: [{ runId: 'b' }] });
  expect((await bench.ask(PAGE, { status: 'failed' })).runs.total).toBe(3);
  expect((await bench.ask(PAGE, { trigger: 'unheard-of' })).runs).toEqual({
    total: 0,
    nextCursor: null,
    runs: [],
  });
});

const REFUSED = [
  { limit: 0 },
  { limit: 1001 },
  { limit: -1 },
  { offset: -1 },
  { limit: 1e12 },
  { limit: 1.5 },
  { status: 'done' },
  { cursor: '' },
  { cursor: 'nonsense' },
  { cursor: Buffer.from('["2026-02-31T00:00:00.000000Z","x"]').toString('base64url') },
  { cursor: Buffer.from('["2026-02-01T00:00:00.000000Z","x\\u0000"]').toString('base64url') },
  { cursor: Buffer.from('["x"]').toString('base64url') },
];

test('invalid limits, states and cursors are refused as invalid_request', async () => {
  await using bench = await workflowBench();
  for (const variables of REFUSED)
    await expect(bench.ask(PAGE, variables), JSON.stringify(variables)).rejects.toThrow(/^INVALID_REQUEST: /);
});

test("another project's run does not exist: not by id, not in the log, not in its total, not by its entities", async () => {
  await using bench = await workflowBench();
  await bench.seed(
    { id: 'of-all', entities: ['e1'] },
    { id: 'of-both', actsIn: ['p1', 'p2'], entities: ['e1'] },
    { id: 'shared', actsIn: [], entities: ['e1'] },
    { id: 'ours', project: 'p1', entities: ['e1'] },
    { id: 'theirs', project: 'p2', entities: ['e1'] },
  );
  const scoped = callerOf('user:sam', ['analyst'], ['p1']);
  const {
    runs,
    run,
    trigger,
    _entities: entities,
  } = await bench.ask(
    `{ runs { total runs { runId } } run(runId: "theirs") { runId } trigger(name: "nightly") { runs { total runs { runId } } }
       _entities(representations: [{__typename: "Entity", id: "e1"}]) { ... on Entity { runs { runId } } } }`,
    {},
    scoped,
  );
  expect(run).toBeNull();
  for (const page of [runs, trigger.runs])
    expect(page).toEqual({ total: 2, runs: [{ runId: 'shared' }, { runId: 'ours' }] });
  expect(entities[0].runs).toEqual([{ runId: 'shared' }, { runId: 'ours' }]);
  expect((await bench.ask('{ runs { total } }')).runs.total).toBe(5);
  expect(
    (await bench.ask('{ runs { total } }', {}, callerOf('user:both', ['analyst'], ['p2', 'p3', 'p1']))).runs
      .total,
  ).toBe(4);
});

test('entities know the runs that wrote them, and runs their entities, each list in one statement', async () => {
  await using bench = await workflowBench();
  await bench.seed(
    { id: 'r1', entities: ['e1', 'e2'] },
    { id: 'r2', queuedAt: '2026-02-01T00:00:00Z', entities: ['e2', 'e3'] },
  );
  const { _entities: entities } = await bench.ask(
    'query Of($of: [_Any!]!) { _entities(representations: $of) { ... on Entity { id runs { runId entities(limit: 1) { id } } newest: runs(limit: 1) { runId } } } }',
    { of: ['e1', 'e2', 'e3', 'e4'].map((id) => ({ __typename: 'Entity', id })) },
  );
  const r1 = { runId: 'r1', entities: [{ id: 'e1' }] };
  const r2 = { runId: 'r2', entities: [{ id: 'e2' }] };
  expect(entities).toEqual([
    { id: 'e1', runs: [r1], newest: [{ runId: 'r1' }] },
    { id: 'e2', runs: [r2, r1], newest: [{ runId: 'r2' }] },
    { id: 'e3', runs: [r2], newest: [{ runId: 'r2' }] },
    { id: 'e4', runs: [], newest: [] },
  ]);
  // runs of four entities twice, with two limits; entities of all their runs
  expect(bench.statements).toHaveLength(3);
});

test('runs of an entity, entities of a run and an evaluation that are cut say so, and go on by offset', async () => {
  await using bench = await workflowBench();
  await bench.seed(
    { id: 'r1', entities: ['e1', 'e2', 'e3'] },
    { id: 'r2', queuedAt: '2026-02-01T00:00:00Z', entities: ['e1'] },
  );
  const ofEntity =
    'query($l: Int!, $o: Int!) { _entities(representations: [{__typename: "Entity", id: "e1"}]) { ... on Entity { runs(limit: $l, offset: $o) { runId } } } }';
  const ofRun = 'query($l: Int!, $o: Int!) { run(runId: "r1") { entities(limit: $l, offset: $o) { id } } }';
  expect(await bench.warnings(ofEntity, { l: 1, o: 0 })).toEqual([
    'runs of an entity is cut at 1: use offset to get the rest',
  ]);
  expect((await bench.ask(ofEntity, { l: 1, o: 1 }))._entities).toEqual([{ runs: [{ runId: 'r1' }] }]);
  expect(await bench.warnings(ofRun, { l: 2, o: 0 })).toEqual([
    'entities of a run is cut at 2: use offset to get the rest',
  ]);
  expect((await bench.ask(ofRun, { l: 2, o: 0 })).run.entities).toEqual([{ id: 'e1' }, { id: 'e2' }]);
  for (const [source, o] of [
    [ofEntity, 1],
    [ofRun, 2],
  ] as const)
    expect(await bench.warnings(source, { l: 1, o })).toBeUndefined();
  const evaluation = (limit: number) =>
    `{ evaluateTrigger(name: "nightly", since: "2026-01-01T00:00:00Z", asOf: "2026-01-03T12:00:00Z", limit: ${limit}) { wouldFire } }`;
  const { wouldFire } = (await bench.ask(evaluation(100))).evaluateTrigger;
  expect(await bench.warnings(evaluation(wouldFire))).toBeUndefined();
  expect(await bench.warnings(evaluation(wouldFire - 1))).toEqual([
    `the evaluation is cut at ${wouldFire - 1}: use since and asOf to narrow the window`,
  ]);
});

test('a run shows its whole log entry, and its trigger while that is configured', async () => {
  await using bench = await workflowBench();
  await bench.sql(`INSERT INTO workflow.run VALUES ('r', 'nightly', 'schedule', 'samples', '{"type":"ingest"}', '{"tick":"t"}', 'partial_success',
    '2026-01-31T09:30:00.1Z', '2026-01-31T09:30:01Z', '2026-01-31T09:30:02.000009Z', 5, 1, 2, 1, 1,
    '[{"record":4,"message":"bad"}]', '[{"entity_id":"e9","reason":"artifact_timeout"}]', '[{"entity_id":"e1","entity_type":"Sample"}]', 'service:workflow', 'p1')`);
  await bench.seed({ id: 'old', trigger: 'removed' });
  const { run, old } =
    await bench.ask(`{ run(runId: "r") { runId triggerName triggerType adapter action cause status queuedAt startedAt finishedAt
    recordsFetched recordsCreated recordsUpdated recordsSkipped recordsFailed errors unresolved { entityId reason } produced actor project trigger { name } }
    old: run(runId: "old") { triggerName trigger { name } } }`);
  expect(run).toEqual({
    runId: 'r',
    triggerName: 'nightly',
    triggerType: 'schedule',
    adapter: 'samples',
    action: { type: 'ingest' },
    cause: { tick: 't' },
    status: 'partial_success',
    queuedAt: '2026-01-31T09:30:00.100000Z',
    startedAt: '2026-01-31T09:30:01.000000Z',
    finishedAt: '2026-01-31T09:30:02.000009Z',
    recordsFetched: 5,
    recordsCreated: 1,
    recordsUpdated: 2,
    recordsSkipped: 1,
    recordsFailed: 1,
    errors: [{ record: 4, message: 'bad' }],
    unresolved: [{ entityId: 'e9', reason: 'artifact_timeout' }],
    produced: [{ entity_id: 'e1', entity_type: 'Sample' }],
    actor: 'service:workflow',
    project: 'p1',
    trigger: { name: 'nightly' },
  });
  expect(old).toEqual({ triggerName: 'removed', trigger: null });
});

test("reading runs needs the viewer's role", async () => {
  await using bench = await workflowBench();
  await expect(bench.ask('{ runs { total } }', {}, callerOf('user:nobody', []))).rejects.toThrow(
    /^INSUFFICIENT_ROLE: role viewer is required to read triggers and runs/,
  );
});

test("GET /runs, /triggers/{name}/runs and /runs/{run_id} answer in the specification's spelling", async () => {
  await using bench = await workflowBench();
  await using rest = await serveRows(bench.component, workflowRows, viewer);
  await bench.seed({ id: 'r1' }, { id: 'r2', trigger: 'by-hand' });
  const entry = {
    run_id: 'r1',
    trigger_name: 'nightly',
    trigger_type: 'schedule',
    adapter: null,
    status: 'success',
    queued_at: '2026-01-31T09:30:00.123456Z',
    started_at: null,
    finished_at: null,
    records_fetched: 0,
    records_created: 0,
    records_updated: 0,
    records_skipped: 0,
    records_failed: 0,
    errors: [],
  };
  expect(await rest.get('/triggers/nightly/runs')).toEqual({
    status: 200,
    body: { runs: [entry], total: 1, next_cursor: null },
  });
  expect(await rest.get('/runs?trigger=nightly&status=success')).toEqual({
    status: 200,
    body: { runs: [entry], total: 1, next_cursor: null },
  });
  expect(await rest.get('/runs/r1')).toEqual({
    status: 200,
    body: {
      ...entry,
      action: { type: 'ingest', adapter: 'samples' },
      cause: { tick: '2026-01-31T03:00:00Z' },
      unresolved: [],
    },
  });
  const first = await rest.get('/runs?limit=1');
  expect(first).toMatchObject({
    status: 200,
    body: { total: 2, next_cursor: expect.any(String), runs: [{ run_id: 'r2' }] },
  });
  const { next_cursor: cursor } = first.body as { next_cursor: string };
  expect(await rest.get(`/runs?limit=1&cursor=${cursor}`)).toMatchObject({
    body: { next_cursor: null, runs: [{ run_id: 'r1' }] },
  });
});

test('GET /runs with parameters that are none is 400 invalid_request, what does not exist 404 not_found', async () => {
  await using bench = await workflowBench();
  await using rest = await serveRows(bench.component, workflowRows, viewer);
  for (const search of [
    'limit=0',
    'limit=1001',
    'limit=ten',
    'offset=-1',
    'status=done',
    'cursor=x',
    'limit=1&limit=2',
  ]) {
    expect(await rest.get(`/runs?${search}`), search).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', request_id: viewer.requestId },
    });
  }
  for (const path of ['/runs/none', '/runs/n%00ne', '/triggers/none/runs', '/triggers/none']) {
    expect(await rest.get(path), path).toMatchObject({ status: 404, body: { error: 'not_found' } });
  }
});
