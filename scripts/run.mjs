// Runs a TypeScript entry on plain Node: bundles it into dist/, then imports it.
//
//     node scripts/run.mjs <entry.ts> [arguments]
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureInstalled } from './ensure-install.mjs';
import { buildProduct, INSTALLED, isProductEntry } from './product.mjs';
import { put } from './put.mjs';
import { areSame, identityOf, takingIdentities } from './stamps.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Of this file, and of the bundler: what else a bundle depends on. */
const MAKERS = [path.join('scripts', 'run.mjs'), INSTALLED];

/**
 * Bundles `entry` (a path below the project root) with its own imports, unless that was done and none of them has
 * changed; packages stay external. Entries of the product are bundled together (product.mjs). Returns the absolute
 * path of the bundle. Two processes may build the same entry concurrently: each file is written atomically.
 */
export async function build(entry) {
  const source = path.resolve(root, entry);
  if (isProductEntry(path.relative(root, source))) return buildProduct(path.relative(root, source));
  const inProject = path.relative(root, source).split(path.sep);
  if (inProject[0] === '..') throw new Error(`${entry} is not below the project root`);
  const outfile = path.join(root, 'dist', `${inProject.join('-').replace(/\.[cm]?[jt]s$/, '')}.mjs`);
  const stampFile = `${outfile}.made-from.json`;
  const made = await readFile(stampFile, 'utf8').then(JSON.parse, () => undefined);
  if (made !== undefined && areSame(made) && identityOf(path.relative(root, outfile)) !== 'absent')
    return outfile;
  const { build: bundle } = await import('esbuild');
  const identities = Object.fromEntries(MAKERS.map((file) => [file, identityOf(file)]));
  const { outputFiles } = await bundle({
    entryPoints: [source],
    outfile,
    absWorkingDir: root,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    write: false,
    logLevel: 'error',
    plugins: [takingIdentities(identities)],
  });
  for (const file of outputFiles) await put(file.path, file.contents);
  await put(stampFile, JSON.stringify(identities));
  return outfile;
}

/** Builds `entry` and runs it in this process with `args` as its arguments. */
export async function run(entry, args) {
  const outfile = await build(entry);
  process.setSourceMapsEnabled(true);
  process.argv = [process.execPath, outfile, ...args];
  return import(pathToFileURL(outfile).href);
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [entry, ...args] = process.argv.slice(2);
  if (entry === undefined) {
    console.error('usage: node scripts/run.mjs <entry.ts> [arguments]');
    process.exit(2);
  }
  ensureInstalled();
  await run(path.resolve(entry), args);
}
