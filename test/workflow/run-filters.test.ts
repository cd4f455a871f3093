// docs/reference/workflow.md#rest-endpoints: what runs are looked for by, in the list of all and in that of a trigger.
import { describe, expect, test } from 'vitest';
import { workflowRows } from '../../rest-compat/routes/workflow.routes.ts';
import { callerOf, viewer } from '../testkit/callers.ts';
import { serveRows } from '../testkit/serve-rows.ts';
import { workflowBench, type WorkflowBench } from './workflow-bench.ts';

const REQUEST = '0190a1f2-0000-4000-8000-000000000001';

async function seeded(): Promise<WorkflowBench> {
  const bench = await workflowBench();
  await bench.seed(
    { id: 'a', queuedAt: '2026-01-01T00:00:00Z', status: 'failed' },
    { id: 'b', queuedAt: '2026-01-02T00:00:00Z', status: 'failed', trigger: 'other' },
    { id: 'c', queuedAt: '2026-01-02T00:00:00.000001Z' },
    { id: 'd', queuedAt: '2026-01-03T00:00:00Z', status: 'failed', project: 'apollo' },
  );
  await bench.sql(
    `UPDATE workflow.run SET errors = '[{"type": "IngestError", "message": "record 7: 100% of \\"Größe\\" is out of range"}, "a text"]' WHERE id IN ('a', 'd')`,
  );
  await bench.sql(`UPDATE workflow.run SET errors = '[{"type": "Stopped"}]' WHERE id = 'b'`);
  await bench.sql(`UPDATE workflow.run SET caused_by = 'run:a' WHERE id IN ('b', 'c')`);
  await bench.sql(`UPDATE workflow.run SET request_id = $1 WHERE id = 'c'`, [REQUEST]);
  return bench;
}

const CASES: readonly (readonly [Record<string, string>, readonly string[]])[] = [
  [{ since: '2026-01-02T00:00:00Z' }, ['d', 'c', 'b']],
  [{ until: '2026-01-02T00:00:00Z' }, ['a']],
  [{ since: '2026-01-02T01:00:00+01:00', until: '2026-01-02T00:00:00.000001Z' }, ['b']],
  [{ causedBy: 'run:a' }, ['c', 'b']],
  [{ causedBy: 'run' }, []],
  [{ requestId: REQUEST }, ['c']],
  [{ requestId: 'no request' }, []],
  [{ error: 'GRÖSSE" IS' }, []], // ß has no upper case of its own
  [{ error: 'gröẞe' }, ['d', 'a']],
  [{ error: 'ingesterror: RECORD' }, ['d', 'a']],
  [{ error: '100%' }, ['d', 'a']],
  [{ error: '%' }, ['d', 'a']],
  [{ error: '1_0' }, []],
  [{ error: 'stopped' }, ['b']],
  [{ error: 'a text' }, []],
  [{ error: 'record 7', status: 'failed', project: 'apollo' }, ['d']],
  [{ error: 'record 7', causedBy: 'run:a' }, []],
];

describe('runs are narrowed by time, cause, request and error, and counted so', () => {
  test.each(CASES)('%j', async (filter, ids) => {
    await using bench = await seeded();
    const { status, ...texts } = filter;
    const args = [
      ...(status === undefined ? [] : [`status: ${status}`]),
      ...Object.entries(texts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    ].join(', ');
    for (const asOf of ['', ', asOf: "2126-01-01T00:00:00Z"']) {
      const { runs } = await bench.ask(`{ runs(${args}${asOf}) { total runs { runId } } }`);
      expect(runs).toEqual({ total: ids.length, runs: ids.map((runId) => ({ runId })) });
    }
    const { trigger } = await bench.ask(
      `{ trigger(name: "nightly") { runs(${args}) { total runs { runId } } } }`,
    );
    const own = ids.filter((id) => id !== 'b');
    expect(trigger.runs).toEqual({ total: own.length, runs: own.map((runId) => ({ runId })) });
  });
});

test('a cursor goes on among what is looked for, and a caller counts only what it sees', async () => {
  await using bench = await seeded();
  const page = (cursor: string | null) =>
    bench.ask(
      'query ($cursor: String) { runs(error: "record", limit: 1, cursor: $cursor) { total nextCursor runs { runId } } }',
      { cursor },
    );
  const first = await page(null);
  expect(first.runs).toMatchObject({ total: 2, runs: [{ runId: 'd' }] });
  const second = await page(String(first.runs.nextCursor));
  expect(second.runs).toEqual({ total: 2, nextCursor: null, runs: [{ runId: 'a' }] });
  const seen = await bench.ask(
    '{ runs(error: "record") { total } }',
    {},
    callerOf('user:olga', ['viewer'], ['apollo']),
  );
  expect(seen.runs.total).toBe(1);
});

test('errors are looked for as they were then', async () => {
  await using bench = await seeded();
  const then = new Date().toISOString();
  await new Promise((done) => {
    setTimeout(done, 5);
  });
  await bench.sql(`UPDATE workflow.run SET errors = '[]' WHERE id = 'a'`);
  const ask = (at: string) => bench.ask(`{ runs(error: "record"${at}) { total runs { runId } } }`);
  expect((await ask('')).runs).toEqual({ total: 1, runs: [{ runId: 'd' }] });
  expect((await ask(`, asOf: "${then}"`)).runs).toEqual({ total: 2, runs: [{ runId: 'd' }, { runId: 'a' }] });
});

test('REST has the same parameters, and refuses times that are none', async () => {
  await using bench = await seeded();
  await using rest = await serveRows(bench.component, workflowRows, viewer);
  const idsOf = async (target: string): Promise<unknown> => {
    const { body } = await rest.get(target);
    return (body as { runs: { run_id: string }[] }).runs.map(({ run_id: id }) => id);
  };
  expect(await idsOf('/runs?caused_by=run:a&since=2026-01-02T00:00:00.000001Z')).toEqual(['c']);
  expect(await idsOf(`/runs?request_id=${REQUEST}`)).toEqual(['c']);
  expect(await idsOf('/triggers/nightly/runs?error=RECORD&until=2026-01-02T00:00:00Z')).toEqual(['a']);
  for (const refused of ['error=n%00ne', 'caused_by=n%00ne', 'since=yesterday', 'until=yesterday'])
    expect([refused, (await rest.get(`/runs?${refused}`)).status]).toEqual([refused, 400]);
});
