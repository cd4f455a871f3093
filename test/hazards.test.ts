// docs/hazards.md stays true: each hazard has a guard that is there, and a test that still has its title.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../platform/project-root.ts';

const docs = path.join(projectRoot, 'docs');
const rows = readFileSync(path.join(docs, 'hazards.md'), 'utf8').split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| hazard'))
  .map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
const filesIn = (cell: string): string[] => [...cell.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => path.resolve(docs, link));

test('there are hazards of every kind', () => { expect(rows.length).toBeGreaterThan(45); });

test.each(rows.map(([hazard = '', guard = '', proof = '']) => ({ hazard, guard, proof })))('$hazard: the guard is there, and the test has its title', ({ guard, proof }) => {
  expect(filesIn(guard)).not.toEqual([]);
  expect(filesIn(guard).filter((file) => !existsSync(file))).toEqual([]);
  const [file] = filesIn(proof);
  if (file === undefined) return expect(proof).toMatch(/^every /);
  const [, title = 'no title'] = /«([^»]+)»/.exec(proof) ?? [];
  expect(readFileSync(file, 'utf8').replaceAll('\\\'', '\'')).toContain(title);
});
