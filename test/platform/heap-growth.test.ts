import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';

test('what nobody uses any more is collected before the heap is several times what is in use', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', 'scripts/run.mjs', 'test/platform/heap-churn.ts'],
    { cwd: projectRoot },
  );
  const { times, parts } = JSON.parse(stdout) as { times: number; parts: number };
  expect(parts).toBe(700_000);
  expect(times).toBeLessThan(3.5);
});
