// CONTRIBUTING.md, "Add a field of Entity": five files. `npm run prove-entity-field` makes the change in a copy, and
// runs it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { EDITS, MIGRATION } from './five-files.ts';

const textOf = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

test('a stored, filterable field of Entity that REST shows is five files, which CONTRIBUTING.md names', () => {
  const files = new Set([...EDITS, MIGRATION].map(({ file }) => file));
  expect(files.size).toBe(5);
  const recipe = textOf('CONTRIBUTING.md')
    .split('## ')
    .find((one) => one.startsWith('Add a field of Entity'));
  for (const { file } of EDITS) expect(recipe).toContain(`(${file})`);
  for (const { file, without } of EDITS)
    expect([without, textOf(file).split(without).length]).toEqual([without, 2]);
});
