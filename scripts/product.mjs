// Bundles all entry modules of the product together, so that code that two of them share is one module when
// both are loaded.
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const outdir = path.join(root, 'dist', 'cairn');
const stampFile = path.join(outdir, 'made-from.json');

/** Modules that are imported, forked or run as a thread by name. */
const ENTRIES = [
  'cli/main.ts',
  'router/main.ts',
  'router/main/workers/primary.ts',
  'router/main/workers/worker.ts',
  'router/execution/introspection-thread.ts',
  'router/execution/planning-thread.ts',
  'router/users/administration.ts',
  'subgraphs/metadata/main.ts',
  'subgraphs/workflow/main.ts',
  'subgraphs/artifact/main.ts',
  'subgraphs/artifact/cwl-source/validate-thread.ts',
];

/** Whether `entry`, a path below the project root, is one of the product's. */
export const isProductEntry = (entry) => ENTRIES.includes(entry.replaceAll('\\', '/'));

const outputOf = (entry) => path.join(outdir, entry.replace(/\.ts$/, '.mjs'));

/** Identifies a file's content by its modification time and size. */
async function identityOf(file) {
  const found = await stat(path.join(root, file)).catch(() => undefined);
  return found === undefined ? 'absent' : `${found.mtimeMs} ${found.size}`;
}

/** Whether the bundles exist and were built from the current files. */
async function isCurrent() {
  const stamp = await readFile(stampFile, 'utf8').then(JSON.parse, () => undefined);
  if (stamp === undefined || stamp.entries.join() !== ENTRIES.join()) return false;
  const [inputs, outputs] = await Promise.all([
    Promise.all(
      Object.entries(stamp.inputs).map(async ([file, identity]) => (await identityOf(file)) === identity),
    ),
    Promise.all(stamp.outputs.map(async (file) => (await identityOf(file)) !== 'absent')),
  ]);
  return [...inputs, ...outputs].every(Boolean);
}

/** Writes a file atomically, also while other processes build. */
export async function put(file, contents) {
  await mkdir(path.dirname(file), { recursive: true });
  const aside = `${file}.${process.pid}-${Date.now()}`;
  await writeFile(aside, contents);
  await rename(aside, file);
}

async function bundle() {
  const { build } = await import('esbuild');
  const self = path.relative(root, fileURLToPath(import.meta.url));
  // Stat before esbuild reads: a file that changes meanwhile is bundled again next time.
  const started = { [self]: await identityOf(self) };
  const { outputFiles, metafile } = await build({
    entryPoints: ENTRIES,
    outdir,
    outbase: root,
    absWorkingDir: root,
    bundle: true,
    // Shared code becomes separate chunks: each class exists once, and `instanceof` works across entries.
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: true,
    write: false,
    metafile: true,
    logLevel: 'error',
    plugins: [
      {
        name: 'identities',
        setup: ({ onLoad }) =>
          onLoad({ filter: /.*/, namespace: 'file' }, async ({ path: file }) => {
            const relative = path.relative(root, file);
            started[relative] = await identityOf(relative);
            return undefined; // esbuild loads it
          }),
      },
    ],
  });
  for (const file of outputFiles) await put(file.path, file.contents);
  const inputs = Object.fromEntries(
    [self, ...Object.keys(metafile.inputs)].map((file) => [file, started[path.normalize(file)]]),
  );
  const outputs = outputFiles.map((file) => path.relative(root, file.path));
  await put(stampFile, JSON.stringify({ entries: ENTRIES, inputs, outputs }));
}

/**
 * Bundles the product where one of its files has changed. Returns the absolute path of the bundle of `entry`.
 */
export async function buildProduct(entry) {
  if (!(await isCurrent())) await bundle();
  return outputOf(entry);
}
