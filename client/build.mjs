// Builds the package: one ES module for Node and browsers, its source map, its declarations. node build.mjs
// [folder]
import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const BANNER = '/* eslint-disable -- built from src by build.mjs */';

/** Writes index.js, index.js.map and the declarations into a folder, which is emptied first. */
export async function build(outdir = path.join(here, 'dist')) {
  await rm(outdir, { recursive: true, force: true });
  await bundle({
    entryPoints: [path.join(here, 'src/index.ts')],
    outfile: path.join(outdir, 'index.js'),
    tsconfig: path.join(here, 'tsconfig.json'),
    bundle: true,
    platform: 'neutral', // no module of Node: the bundle would fail
    format: 'esm',
    target: 'es2022',
    sourcemap: true,
    banner: { js: BANNER },
    logLevel: 'error',
  });
  const tsc = path.join(
    path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  const { status } = spawnSync(process.execPath, [tsc, '-p', here, '--outDir', outdir], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the declarations could not be built');
  for (const file of await readdir(outdir, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue;
    const declarations = await readFile(path.join(outdir, file), 'utf8');
    await writeFile(
      path.join(outdir, file),
      `${BANNER}\n${declarations.replace(/((?:from|import\()\s*'\.[^']*)\.ts'/g, "$1.js'")}`,
    );
  }
  return path.join(outdir, 'index.js');
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  await build(process.argv[2]);
