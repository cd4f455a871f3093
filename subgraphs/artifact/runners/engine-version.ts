// The version of a workflow engine on this machine: starting one only to ask takes a second of processor time.
import { execFile } from 'node:child_process';
import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { findProgram, ownPath } from './programs.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 30_000;

/** By the file that is run, as it stands: an installation of another version writes it anew. */
const versions = new Map<string, Promise<string | null>>();

/** The file that a command runs, and how it stands; null where there is none. */
export async function engineFile(command: string): Promise<{ file: string; written: Stats } | null> {
  const file = await findProgram(command, ownPath());
  const written = file === null ? null : await stat(file).catch(() => null); // gone meanwhile, or never there
  return file === null || written === null ? null : { file, written };
}

/** What `command --version` ends with; null where it cannot be run. */
export async function engineVersion(command: string): Promise<string | null> {
  const found = await engineFile(command);
  if (found === null) return null;
  const { file, written } = found;
  const { ino, mtimeMs, size } = written;
  const key = [await realpath(file), ino, mtimeMs, size].join(' ');
  const version = versions.get(key) ?? askVersion(file);
  versions.set(key, version);
  // a failure may pass: it is asked again
  if ((await version) === null) versions.delete(key);
  return version;
}

const askVersion = (file: string): Promise<string | null> =>
  run(file, ['--version'], { timeout: TIMEOUT_MS }).then(
    ({ stdout }) => stdout.trim().split(/\s+/).at(-1) ?? '',
    () => null,
  );
