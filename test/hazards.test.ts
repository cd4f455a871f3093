// docs/hazards.md is up to date: each hazard has an existing guard, a test with its title, and a removal.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../platform/project-root.ts';
import { hazards, placesOf, removals } from './guards.ts';

const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

test('there are hazards of every kind', () => {
  expect(hazards.length).toBeGreaterThan(75);
});

test.each(hazards)(
  '$hazard: the guard is there, the test has its title, and it is known how the one is taken from the other',
  ({ hazard, guards, test: proof, title }) => {
    expect(guards).not.toEqual([]);
    expect(guards.filter((file) => !existsSync(path.join(projectRoot, file)))).toEqual([]);
    expect(read(proof).replaceAll("\\'", "'")).toContain(title);
    const edited = removals
      .filter((removal) => removal.hazard === hazard)
      .flatMap(({ edits }) => edits.map(({ file }) => file));
    expect(guards.filter((file) => !edited.includes(file))).toEqual([]);
  },
);

test.each(removals)(
  '$hazard: what is taken out occurs once ($edits.0.without)',
  ({ hazard, edits, shows }) => {
    expect(hazards.map((one) => one.hazard)).toContain(hazard);
    expect(edits.map(({ file, without }) => [file, placesOf(read(file), without).length])).toEqual(
      edits.map(({ file }) => [file, 1]),
    );
    expect(shows).not.toBe('');
  },
);
