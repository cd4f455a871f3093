// Builds the package @cairn/cli: the command line and the packages that it imports, as modules that need nothing else.
// node build.mjs
import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '..', '..');
const PACKAGED_ROOT = path.join(here, 'packaged-root.mjs');

/** In the package, the project's own files are those of the package. */
const packagedRoot = {
  name: 'packaged-root',
  setup({ onResolve }) {
    onResolve({ filter: /\/project-root\.ts$/ }, () => ({ path: PACKAGED_ROOT }));
  },
};

await rm(path.join(here, 'dist'), { recursive: true, force: true });
await bundle({
  entryPoints: [path.join(here, 'cairn.mjs')],
  outdir: path.join(here, 'dist'),
  bundle: true,
  splitting: true, // readers of tables are loaded when a table is read
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minify: true,
  keepNames: true, // errors are told by their names
  outExtension: { '.js': '.mjs' },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  plugins: [packagedRoot],
  logLevel: 'error',
});
for (const file of ['LICENSE', 'NOTICE']) await copyFile(path.join(root, file), path.join(here, file));
