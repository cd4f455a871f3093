// Loads JavaScript or TypeScript of a deployment's own: an adapter, a validator.
import { createHash } from 'node:crypto';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** TypeScript in a form that this Node runs: bundled with its own imports into a file of its own, made once for each content. */
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
  if (!output) throw new Error('nothing came of compiling it');
  const folder = path.join(os.tmpdir(), `cairn-modules-${process.getuid?.() ?? 0}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const target = path.join(folder, `${createHash('sha256').update(output.contents).digest('hex')}.mjs`);
  const aside = `${target}.${process.pid}`;
  await writeFile(aside, output.contents, { mode: 0o600 });
  await rename(aside, target);
  return target;
}

/** What the file exports as `default`; an edited file is another module. @throws whatever keeps it from being loaded */
export async function loadDefaultExport(file: string): Promise<unknown> {
  const { mtimeMs } = await stat(file);
  const url = pathToFileURL(/\.[cm]?ts$/.test(file) ? await compiled(file) : file);
  url.searchParams.set('at', String(mtimeMs));
  return ((await import(/* @vite-ignore */ url.href)) as { default?: unknown }).default;
}
