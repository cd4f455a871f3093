// The package as published: built once for each test file that needs it, into a folder of its own.
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../platform/project-root.ts';

export interface BuiltClient extends AsyncDisposable {
  /** A folder in whose `node_modules` the package is installed. */
  readonly folder: string;
  /** The package's own folder. */
  readonly packageFolder: string;
}

/** Runs the package's build script and arranges the result like an installation. */
export async function buildClient(): Promise<BuiltClient> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-client-'));
  const packageFolder = path.join(folder, 'node_modules/@cairn/client');
  await mkdir(packageFolder, { recursive: true });
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(projectRoot, 'client/build.mjs'), path.join(packageFolder, 'dist')],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the client could not be built: ${stderr}`);
  await cp(path.join(projectRoot, 'client/package.json'), path.join(packageFolder, 'package.json'));
  return { folder, packageFolder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
