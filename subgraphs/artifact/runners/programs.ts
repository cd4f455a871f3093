// Programs that the sandbox must contain beside the system's own: our Node.js, and a cwltool in another
// place.
import { constants, existsSync, readFileSync, realpathSync } from 'node:fs';
import { access, mkdir, readFile, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { isOfSystem } from './sandbox.ts';

/** The executable with a name in the first directory that has one. */
export async function findProgram(command: string, directories: readonly string[]): Promise<string | null> {
  if (path.isAbsolute(command)) return command;
  for (const directory of directories)
    if (
      await access(path.join(directory, command), constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path.join(directory, command);
  return null;
}

/** Directories of our PATH. */
export const ownPath = (): string[] =>
  (process.env['PATH'] ?? '').split(':').filter((place) => path.isAbsolute(place));

/** Directories of the libraries that this process has loaded from outside the system's. */
function libraries(): readonly string[] {
  if (!existsSync('/proc/self/maps')) return [];
  const mapped = readFileSync('/proc/self/maps', 'utf8').matchAll(/ (\/\S+\/lib[^/\s]*\.so[^/\s]*)$/gm);
  return [...new Set([...mapped].map(([, file = '']) => path.dirname(file)))];
}

let node: { readonly file: string; readonly readable: readonly string[] } | undefined;

/** Our Node.js, through any links, with what it needs beside the system's libraries. */
export function ownNode(): { readonly file: string; readonly readable: readonly string[] } {
  const file = realpathSync(process.execPath);
  return (node ??= { file, readable: [file, ...libraries()].filter((place) => !isOfSystem(place)) });
}

/** Creates links to our Node.js in a directory, with both of its names, for JavaScript of workflows. */
export async function linkNode(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const name of ['node', 'nodejs']) await symlink(ownNode().file, path.join(directory, name));
}

/**
 * The directories that a program outside the system's places needs: its own; for a Python environment also
 * that of its Python.
 */
export async function surroundingsOf(program: string): Promise<readonly string[]> {
  if (isOfSystem(program)) return [];
  const real = await realpath(program).catch(() => program);
  const found = new Set([path.dirname(program), path.dirname(real)]);
  for (const directory of [...found]) {
    const environment = path.dirname(directory);
    // not an environment
    const settings = await readFile(path.join(environment, 'pyvenv.cfg'), 'utf8').catch(() => null);
    if (settings === null) continue;
    found.add(environment);
    const [, home] = /^home\s*=\s*(.+?)\s*$/m.exec(settings) ?? [];
    if (home !== undefined && path.isAbsolute(home))
      found.add(path.dirname(await realpath(home).catch(() => home)));
  }
  return [...found].filter((place) => !isOfSystem(`${place}/`));
}
