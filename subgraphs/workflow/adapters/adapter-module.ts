// An adapter that a deployment writes itself: a JavaScript or TypeScript file whose default export is this interface (contract 3).
import { createHash } from 'node:crypto';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AdapterFetchError, messageOf } from './adapter.ts';

/** What the file exports as `default`. */
export interface AdapterModule {
  /** The type of the entities, where the configuration does not name it. */
  readonly entityType?: string;
  /** Whether `fetch` can leave out what has not changed since a time. */
  readonly incremental?: boolean;
  /** The records, one by one. What it throws fails the run. `since` is ISO 8601, null for everything; `directory` is the module's. */
  fetch(pull: { readonly since: string | null; readonly directory: string; readonly options: Readonly<Record<string, unknown>>; readonly signal: AbortSignal }): AsyncIterable<unknown> | Iterable<unknown>;
  /** An entity's fields from a record, where the configuration has no `map`. What it throws fails that record. */
  transform?(record: unknown): Readonly<Record<string, unknown>>;
}

function isModule(value: unknown): value is AdapterModule {
  if (typeof value !== 'object' || value === null || !('fetch' in value) || typeof value.fetch !== 'function') return false;
  return !('transform' in value) || value.transform === undefined || typeof value.transform === 'function';
}

/** TypeScript in a form that this Node runs: bundled with its own imports into a file of its own, made once for each content. */
async function compiled(file: string): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles: [output] } = await build({
    entryPoints: [file], bundle: true, platform: 'node', format: 'esm', target: 'node20', sourcemap: 'inline', write: false, logLevel: 'silent',
    banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
  });
  if (!output) throw new Error('nothing came of compiling it');
  const folder = path.join(os.tmpdir(), `cairn-adapters-${process.getuid?.() ?? 0}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const target = path.join(folder, `${createHash('sha256').update(output.contents).digest('hex')}.mjs`);
  const aside = `${target}.${process.pid}`;
  await writeFile(aside, output.contents, { mode: 0o600 });
  await rename(aside, target);
  return target;
}

/** @throws AdapterFetchError where the file cannot be loaded or exports something else */
export async function loadAdapterModule(file: string): Promise<AdapterModule> {
  let exported: unknown;
  try {
    const { mtimeMs } = await stat(file);
    const url = pathToFileURL(/\.[cm]?ts$/.test(file) ? await compiled(file) : file);
    url.searchParams.set('at', String(mtimeMs)); // an edited file is another module
    exported = (await import(/* @vite-ignore */ url.href) as { default?: unknown }).default;
  } catch (error) {
    throw new AdapterFetchError(`the adapter's module could not be loaded: ${messageOf(error)}`, { cause: error });
  }
  if (!isModule(exported)) throw new AdapterFetchError('the adapter\'s module has no default export with a function `fetch`');
  return exported;
}
