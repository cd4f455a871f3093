// Loads JavaScript or TypeScript modules of a deployment: adapters and validators.
import { createHash } from 'node:crypto';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Compiles TypeScript for this version of Node: bundles the file with its own imports into one file, which is
 * cached by content.
 */
async function compiled(file: string): Promise<string> {
  const { build } = await import('esbuild');
  const {
    outputFiles: [output],
  } = await build({
    entryPoints: [file],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    write: false,
    logLevel: 'silent',
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  });
  if (!output) throw new Error('compiling the module produced no output');
  const folder = path.join(os.tmpdir(), `cairn-modules-${process.getuid?.() ?? 0}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const target = path.join(folder, `${createHash('sha256').update(output.contents).digest('hex')}.mjs`);
  const aside = `${target}.${process.pid}`;
  await writeFile(aside, output.contents, { mode: 0o600 });
  await rename(aside, target);
  return target;
}

/** By what it is loaded: another text for an edited file, and for one of TypeScript whose imports were edited. */
async function addressOf(file: string): Promise<string> {
  const { mtimeMs } = await stat(file);
  const url = pathToFileURL(/\.[cm]?ts$/.test(file) ? await compiled(file) : file);
  url.searchParams.set('at', String(mtimeMs));
  return url.href;
}

/** What tells whether {@link loadDefaultExport} would load something else than before. */
export const moduleVersion = (file: string): Promise<string> =>
  addressOf(file).catch((error: unknown) => `${file}: ${String(error)}`); // whoever loads it says so

/**
 * Returns the file's `default` export. An edited file is loaded as a new module.
 * @throws any error that prevents loading
 */
export async function loadDefaultExport(file: string): Promise<unknown> {
  return ((await import(/* @vite-ignore */ await addressOf(file))) as { default?: unknown }).default;
}
