// The package as published, in a folder of each test file's own. Built once for the content that it is built from.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../platform/project-root.ts';

const client = path.join(projectRoot, 'client');
const built = path.join(projectRoot, 'dist/client-of-tests');

export interface BuiltClient extends AsyncDisposable {
  /** A folder in whose `node_modules` the package is installed. */
  readonly folder: string;
  /** The package's own folder. */
  readonly packageFolder: string;
}

/** Of all that the build script reads, of itself, and of the versions of the packages that it uses. */
async function digest(): Promise<string> {
  const sources = await readdir(path.join(client, 'src'), { recursive: true, withFileTypes: true });
  const files = [
    path.join(projectRoot, 'package-lock.json'),
    ...['build.mjs', 'tsconfig.json'].map((name) => path.join(client, name)),
    ...sources.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name)),
  ].sort();
  const hash = createHash('sha256').update(JSON.stringify(files));
  for (const file of files) hash.update(JSON.stringify(await readFile(file, 'utf8')));
  return hash.digest('hex');
}

/** Runs the package's build script, unless it has run for the same content. Returns the folder of its output. */
async function output(): Promise<string> {
  const made = path.join(built, await digest());
  if (existsSync(made)) return made;
  await mkdir(built, { recursive: true });
  const aside = await mkdtemp(path.join(built, 'new-'));
  const { status, stderr } = spawnSync(process.execPath, [path.join(client, 'build.mjs'), aside], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the client could not be built: ${stderr}`);
  await rename(aside, made).catch(async (error: unknown) => {
    await rm(aside, { recursive: true, force: true });
    if (!existsSync(made)) throw error; // another process was first
  });
  return made;
}

/** The package's build arranged like an installation. */
export async function buildClient(): Promise<BuiltClient> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-client-'));
  const packageFolder = path.join(folder, 'node_modules/@cairn/client');
  await cp(await output(), path.join(packageFolder, 'dist'), { recursive: true });
  await cp(path.join(client, 'package.json'), path.join(packageFolder, 'package.json'));
  return { folder, packageFolder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
