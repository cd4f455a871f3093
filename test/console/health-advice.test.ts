// What the console says to do about everything that the health report may tell.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { healthAdvice, problemAdvice } from '../../console/parts/health-advice.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { PROBLEM_CODES } from '../../router/health/problems.ts';

test('every detail of a component that the reference lists has its meaning and what to do', () => {
  const text = readFileSync(path.join(projectRoot, 'docs/reference/gateway.md'), 'utf8');
  const [, table = ''] = /\| Probe of a component [\s\S]*?\n([\s\S]*?)\n\n/.exec(text) ?? [];
  const details = table
    .split('\n')
    .flatMap((row) => [...(row.split('|').at(-2) ?? '').matchAll(/`([a-z_<>]+)`/g)])
    .map(([, detail = '']) => detail.replace('<status>', '503'));
  expect(details.length).toBeGreaterThan(9);
  expect(details.filter((detail) => healthAdvice(detail) === undefined)).toEqual([]);
  expect([healthAdvice(null), healthAdvice('of a later version')]).toEqual([undefined, undefined]);
});

test('every problem beside the components has its meaning, not only its code', () => {
  expect(PROBLEM_CODES.length).toBeGreaterThan(1);
  for (const code of PROBLEM_CODES) expect(problemAdvice(code).meaning).not.toBe(code);
  expect(problemAdvice('of a later version').meaning).toBe('of a later version');
});
