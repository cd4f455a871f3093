// docs/reference/workflow.md#differences-of-runs: the patch makes the document of one run that of another.
import { expect, test } from 'vitest';
import { runDiffRows } from '../../rest-compat/routes/differences.routes.ts';
import { workflowRows } from '../../rest-compat/routes/workflow.routes.ts';
import { applyPatch, type PatchOperation } from '../testkit/apply-patch.ts';
import { callerOf } from '../testkit/callers.ts';
import { serveRows } from '../testkit/serve-rows.ts';
import { workflowBench } from './workflow-bench.ts';

const SECRET = 'sha256:of-what-was-delivered';

test('a patch of runs changes what the caller sees of the first to what they see of the second', async () => {
  await using bench = await workflowBench();
  await bench.seed(
    { id: 'a', trigger: 'nightly', actsIn: ['p1'] },
    { id: 'b', trigger: null, status: 'failed', actsIn: ['p1'] },
    { id: 'theirs', actsIn: ['p2'] },
  );
  await bench.sql(
    `UPDATE workflow.run SET cause = $1, errors = '[{"type": "x", "message": "no such column"}]', records_failed = 2 WHERE id = 'b'`,
    [{ 'a/b~c': 1, delivery: { id: 'd', digest: SECRET } }],
  );
  const caller = callerOf('user:sam', ['viewer'], ['p1']);
  await using rest = await serveRows(bench.component, [...workflowRows, ...runDiffRows], caller);
  for (const [from, to] of [
    ['a', 'b'],
    ['b', 'a'],
    ['a', 'a'],
  ] as const) {
    const [before, after, told] = await Promise.all(
      [`/runs/${from}`, `/runs/${to}`, `/runs/${from}/diff?to=${to}`].map((path) => rest.get(path)),
    );
    expect([before, after, told]).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }]);
    const { json_patch: patch } = told?.body as { json_patch: readonly PatchOperation[] };
    expect(applyPatch(before?.body, patch)).toEqual(after?.body);
    expect(patch.length > 0).toBe(from !== to);
    expect(JSON.stringify([before, after, told])).not.toContain(SECRET);
  }
  expect(await rest.get('/runs/a/diff?to=theirs')).toMatchObject({ status: 404 });
});
