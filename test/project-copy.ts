// A copy of the project, to be changed and run.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../platform/project-root.ts';
import { type Edit, placesOf } from './guards.ts';

/** All tracked and untracked files that git does not ignore, and what an installation creates. */
export function copyProject(): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'cairn-copy-'));
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file !== '' && file !== 'node_modules'); // it may be a link itself
  for (const file of [...files, 'prisma/generated'])
    if (existsSync(path.join(projectRoot, file)))
      cpSync(path.join(projectRoot, file), path.join(copy, file), { recursive: true });
  symlinkSync(path.join(projectRoot, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/** Makes the edits; returns a function that reverts them. @throws Error if a text no longer occurs */
export function makeEdits(copy: string, edits: readonly Edit[]): () => void {
  const before = edits.map(({ file, without, becomes = '' }) => {
    const name = path.join(copy, file);
    const text = readFileSync(name, 'utf8');
    const [place] = placesOf(text, without); // whatever its formatting
    if (place === undefined) throw new Error(`${file} has no ${without}`);
    writeFileSync(name, text.slice(0, place.start) + becomes + text.slice(place.end));
    return { name, text };
  });
  return () => {
    for (const { name, text } of before.reverse()) writeFileSync(name, text);
  };
}
