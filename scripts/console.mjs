// Bundles the console for browsers into dist/console: hashed names, one file for each view, compressed in advance.
//
//     node scripts/console.mjs [--fresh]       (fresh: also what has not changed, and without what was there)
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { put } from './put.mjs';
import { areSame, identityOf, takingIdentities } from './stamps.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const outdir = path.join(root, 'dist', 'console');
const manifestFile = path.join(outdir, 'manifest.json');
const stampFile = path.join(outdir, 'made-from.json');

/** The application; what chooses light or dark before anything is drawn; and what reads PDFs, in a worker of its own. */
const ENTRIES = {
  main: 'console/main.tsx',
  scheme: 'console/scheme.ts',
  'pdf-worker': 'node_modules/pdfjs-dist/legacy/build/pdf.worker.min.mjs',
};

async function isCurrent() {
  const made = await readFile(stampFile, 'utf8').then(JSON.parse, () => undefined);
  return made !== undefined && areSame(made);
}

const compressed = async (contents) => ({
  gz: await promisify(gzip)(contents, { level: 9 }),
  br: await promisify(brotliCompress)(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
});

/** The chunks that `file` imports statically, which load with it. */
function withImports(outputs, file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { path: other, kind } of outputs[file].imports)
    if (kind === 'import-statement') withImports(outputs, other, seen);
  return seen;
}

/** The names of its views, as the table of app.tsx has them: for any other address there is a page and 404. */
async function viewNames() {
  const text = await readFile(path.join(root, 'console', 'app.tsx'), 'utf8');
  return [...text.matchAll(/^ {2}(?:'([^']*)'|(\w+)): \{ title: /gm)].map(
    ([, quoted, plain]) => quoted ?? plain,
  );
}

async function bundle() {
  const { build } = await import('esbuild');
  const self = path.relative(root, fileURLToPath(import.meta.url));
  const inputs = { [self]: identityOf(self) };
  const { outputFiles, metafile } = await build({
    entryPoints: ENTRIES,
    outdir,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    legalComments: 'none', // NOTICE names every package with its licence
    write: false,
    metafile: true,
    tsconfig: path.join(root, 'console', 'tsconfig.json'),
    plugins: [takingIdentities(inputs)],
    logLevel: 'error',
  });
  const nameOf = (file) => path.basename(file);
  // by its name: where node_modules is a link, esbuild tells what it leads to
  const entry = (name) =>
    Object.entries(metafile.outputs).find(
      ([file, { entryPoint }]) =>
        entryPoint !== undefined && nameOf(file).slice(0, -'-12345678.js'.length) === name,
    );
  const [main, { cssBundle }] = entry('main');
  const files = {};
  for (const { path: file, contents } of outputFiles) {
    const { gz, br } = await compressed(contents);
    await Promise.all([put(file, contents), put(`${file}.gz`, gz), put(`${file}.br`, br)]);
    files[nameOf(file)] = { bytes: contents.length, gzip: gz.length, brotli: br.length };
  }
  const made = {
    main: nameOf(main),
    scheme: nameOf(entry('scheme')[0]),
    pdfWorker: nameOf(entry('pdf-worker')[0]),
    style: nameOf(cssBundle),
    preload: [...withImports(metafile.outputs, main)].map(nameOf).filter((name) => name !== nameOf(main)),
    views: await viewNames(),
    files,
  };
  await put(manifestFile, JSON.stringify(made));
  await removeOthers(files);
  await put(stampFile, JSON.stringify(inputs));
}

/** Removes what earlier builds left. A file that another process is writing has an ending of its own. */
async function removeOthers(files) {
  for (const name of await readdir(outdir)) {
    const [, asset] = /^(.+-[A-Z0-9]{8}\.(?:js|css))(?:\.gz|\.br)?$/.exec(name) ?? [];
    if (asset !== undefined && !Object.hasOwn(files, asset))
      await rm(path.join(outdir, name), { force: true });
  }
}

/** Bundles the console where one of its files has changed. */
export async function buildConsole() {
  if (!(await isCurrent())) await bundle();
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--fresh')) await rm(outdir, { recursive: true, force: true });
  await buildConsole();
}
