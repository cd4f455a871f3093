// Whatever the health report may say, the console says what it means and what to do (docs/reference/gateway.md#health-report).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { healthAdvice } from '../../console/parts/health-advice.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { PROBLEM_CODES } from '../../router/health/problems.ts';

test('there is advice for every detail of the reference, and for every other problem', () => {
  const reference = readFileSync(path.join(projectRoot, 'docs/reference/gateway.md'), 'utf8');
  const [, section = ''] = reference.split('| Probe of a component | Status | `detail` |');
  const rows = section.slice(0, section.indexOf('\n\n')).split('\n');
  const details = rows
    .flatMap((row) =>
      [...(row.split('|')[3] ?? '').matchAll(/`([\w<>]+)`/g)].map(([, detail = '']) => detail),
    )
    .map((detail) => detail.replace('<status>', '503'));
  expect(details.length).toBeGreaterThan(9);
  for (const detail of [...details, ...PROBLEM_CODES]) expect(healthAdvice(detail), detail).toBeDefined();
});
