// Parses docs/hazards.md and the removals of its guards (test/guards.yaml), for the test of the page and for
// `npm run prove-guards`.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../platform/project-root.ts';

/** One change of the source, identified by a text that occurs once in its file. */
export interface Edit {
  readonly file: string;
  readonly without: string;
  /** The replacement; nothing unless given. */
  readonly becomes?: string;
}

/** How a guard is removed, and what the failure of its test then contains. */
export interface Removal {
  readonly hazard: string;
  readonly edits: readonly Edit[];
  /** The test, if this guard of a row has another one than the row's. */
  readonly test?: string;
  readonly title?: string;
  readonly shows: string;
}

export interface Hazard {
  readonly hazard: string;
  /** The guard's files, and the test's file, relative to the project root. */
  readonly guards: readonly string[];
  readonly test: string;
  /** The test's title or a part of it. */
  readonly title: string;
}

const filesIn = (cell: string): string[] =>
  [...cell.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, link = '']) => link);

export const hazards: readonly Hazard[] = readFileSync(path.join(projectRoot, 'docs', 'hazards.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| hazard'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .map(([hazard = '', guard = '', proof = '']) => ({
    hazard,
    guards: filesIn(guard),
    test: filesIn(proof)[0] ?? 'no test',
    title: /«([^»]+)»/.exec(proof)?.[1] ?? 'no title',
  }));

export const removals = parse(
  readFileSync(path.join(projectRoot, 'test', 'guards.yaml'), 'utf8'),
) as readonly Removal[]; // The page's test checks each.

/** The significant characters and their positions: layout is ignored, and so is a comma before a bracket. */
function significant(text: string): { readonly characters: string; readonly at: readonly number[] } {
  let characters = '';
  const at: number[] = [];
  for (const { 0: character, index } of text.matchAll(/[^\s,]|,(?!\s*[)\]}])/g)) {
    characters += character;
    at.push(index);
  }
  return { characters, at };
}

/** Every occurrence of a text in a source, whatever its formatting. */
export function placesOf(source: string, piece: string): { readonly start: number; readonly end: number }[] {
  const { characters, at } = significant(source);
  const sought = significant(piece).characters;
  const places = [];
  for (let from = characters.indexOf(sought); from >= 0; from = characters.indexOf(sought, from + 1))
    places.push({ start: at[from] ?? 0, end: (at[from + sought.length - 1] ?? 0) + 1 });
  return places;
}
