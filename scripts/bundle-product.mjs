// Bundles the product: its own modules, and the packages that they import. A process of its own, started where a
// bundle is not current (product.mjs), so that none that serves keeps the bundler's memory.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { openPackages } from './bundle-packages.mjs';
import { ENTRIES, INSTALLED, outdir, root, stampFile } from './product.mjs';
import { put } from './put.mjs';
import { identityOf, takingIdentities } from './stamps.mjs';

/** Files outside of the modules that a bundle depends on. */
const MAKERS = ['bundle-product.mjs', 'bundle-packages.mjs', 'product.mjs', 'stamps.mjs'].map((name) =>
  path.relative(root, path.join(path.dirname(fileURLToPath(import.meta.url)), name)),
);

async function bundle() {
  const started = Object.fromEntries([...MAKERS, INSTALLED].map((file) => [file, identityOf(file)]));
  const packages = await openPackages([...MAKERS, INSTALLED].map((file) => started[file]).join());
  const { outputFiles, metafile } = await build({
    entryPoints: ENTRIES,
    outdir,
    outbase: root,
    absWorkingDir: root,
    bundle: true,
    // Shared code becomes separate chunks: each class exists once, and `instanceof` works across entries.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: true,
    sourcesContent: false, // the sources are beside it
    write: false,
    metafile: true,
    logLevel: 'error',
    plugins: [packages.plugin, takingIdentities(started)],
  });
  const packageFiles = await packages.put();
  for (const file of outputFiles) await put(file.path, file.contents);
  const files = [...MAKERS, INSTALLED, ...Object.keys(metafile.inputs).map((file) => path.normalize(file))];
  const inputs = Object.fromEntries(
    files.flatMap((file) => (started[file] === undefined ? [] : [[file, started[file]]])),
  );
  const outputs = [...packageFiles, ...outputFiles.map((file) => file.path)];
  await put(
    stampFile,
    JSON.stringify({ entries: ENTRIES, inputs, outputs: outputs.map((file) => path.relative(root, file)) }),
  );
}

await bundle();
