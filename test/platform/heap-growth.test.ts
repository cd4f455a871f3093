import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';

async function printed(file: string, ...flags: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, 'scripts/run.mjs', file], {
    cwd: projectRoot,
  });
  return JSON.parse(stdout) as Record<string, unknown>; // what these programs write
}

test('what nobody uses any more is collected before the heap is several times what is in use', async () => {
  const { times, parts } = await printed('test/platform/heap-churn.ts', '--expose-gc');
  expect(parts).toBe(700_000);
  expect(times).toBeLessThan(3.5);
});

test('a process at rest gives back the room of its start, and takes code that was compiled before', async () => {
  const { refused, taken, started, least } = await printed('test/platform/heap-at-rest.ts');
  expect(started).toBeGreaterThan(4e6);
  expect(least).toBeLessThanOrEqual(Number(started) / 4);
  expect({ refused, taken }).toEqual({ refused: true, taken: true });
});
