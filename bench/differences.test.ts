import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('too few entities for the changes are refused, with how many it takes', () => {
  for (const [entities, changes] of [
    ['99999', '1000'],
    ['many', '1'],
    ['100', '0'],
  ] as const) {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['scripts/run.mjs', 'bench/differences.ts', entities, changes],
      { encoding: 'utf8', timeout: 120_000 },
    );
    expect([status, stderr]).toEqual([2, expect.stringContaining('at least 100 × changes')]);
  }
});
