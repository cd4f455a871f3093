// Runs a TypeScript entry on plain Node: bundles it into dist/, then imports it.
//
//     node scripts/run.mjs <entry.ts> [arguments]
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureInstalled } from './ensure-install.mjs';
import { buildProduct, isProductEntry } from './product.mjs';
import { put } from './put.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Bundles `entry` (a path below the project root) with its own imports; packages stay external. Entries of
 * the product are bundled together (product.mjs). Returns the absolute path of the bundle. Two processes may
 * build the same entry concurrently: each file is written atomically.
 */
export async function build(entry) {
  const source = path.resolve(root, entry);
  if (isProductEntry(path.relative(root, source))) return buildProduct(path.relative(root, source));
  const { build: bundle } = await import('esbuild');
  const inProject = path.relative(root, source).split(path.sep);
  if (inProject[0] === '..') throw new Error(`${entry} is not below the project root`);
  const outfile = path.join(root, 'dist', `${inProject.join('-').replace(/\.[cm]?[jt]s$/, '')}.mjs`);
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
  });
  for (const file of outputFiles) await put(file.path, file.contents);
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
