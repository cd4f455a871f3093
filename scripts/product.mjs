// The bundles of the product: where they are, whether they are current, and how they become so.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { areSame, identityOf } from './stamps.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
export const outdir = path.join(root, 'dist', 'cairn');
export const stampFile = path.join(outdir, 'made-from.json');

/** Changes with the packages that are installed. */
export const INSTALLED = path.join('node_modules', '.package-lock.json');

/**
 * Modules that are imported, forked or run as a thread by name. All are bundled together, so that code that two
 * of them share is one module when both are loaded.
 */
export const ENTRIES = [
  'cli/main.ts',
  'platform/tables/table-thread.ts',
  'router/main.ts',
  'router/main/workers/primary.ts',
  'router/main/workers/worker.ts',
  'router/execution/introspection-thread.ts',
  'router/execution/planning-thread.ts',
  'router/users/administration.ts',
  'standalone/metadata.ts',
  'standalone/workflow.ts',
  'standalone/artifact.ts',
  'standalone/archives.ts',
  'standalone/backups.ts',
  'standalone/check-archive.ts',
  'standalone/wal-archive.ts',
  'subgraphs/artifact/cwl-source/validate-thread.ts',
  'subgraphs/artifact/staleness/meaning-thread.ts',
  'subgraphs/artifact/uploads/hash-thread.ts',
];

/** Whether `entry`, a path below the project root, is one of the product's. */
export const isProductEntry = (entry) => ENTRIES.includes(entry.replaceAll('\\', '/'));

const outputOf = (entry) => path.join(outdir, entry.replace(/\.ts$/, '.mjs'));

/** Whether the bundles exist and were built from the current files. */
async function isCurrent() {
  const stamp = await readFile(stampFile, 'utf8').then(JSON.parse, () => undefined);
  if (stamp === undefined || stamp.entries.join() !== ENTRIES.join()) return false;
  return areSame(stamp.inputs) && stamp.outputs.every((file) => identityOf(file) !== 'absent');
}

/**
 * Bundles the product where one of its files, or an installed package, has changed. Returns the absolute path of
 * the bundle of `entry`. For the router, likewise the console that it serves.
 */
export async function buildProduct(entry) {
  if (!(await isCurrent())) {
    const bundler = path.join(root, 'scripts', 'bundle-product.mjs');
    const { status, error } = spawnSync(process.execPath, [bundler], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error('the product could not be bundled', { cause: error });
  }
  if (entry.startsWith('router/')) await (await import('./console.mjs')).buildConsole();
  return outputOf(entry);
}
