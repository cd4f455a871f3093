// Bundles the packages that the product imports into one CommonJS file, and gives the product's modules what they
// import from it (load-packages.mjs). Loading a thousand files of packages took half of a start.
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { placesOf } from './bill-of-materials.mjs';
import { outdir, root } from './product.mjs';
import { put } from './put.mjs';

const LOADER = fileURLToPath(new URL('./load-packages.mjs', import.meta.url));
const manifestFile = path.join(outdir, 'packages.json');

/**
 * Packages that the product imports where they are first needed stay files of their own, except those that share
 * objects with the bundled ones: a second copy of graphql takes no schema of the first.
 */
const SHARING = ['@apollo/gateway'];

const isPackage = (name) => /^(?:@[\w.-]+\/)?[\w.-]+(?:\/[\w./-]+)?$/.test(name) && !name.startsWith('.');

/** What Node finds in a module, whether it is of CommonJS or not. */
async function exportsOf(name) {
  const found = Object.keys(await import(name));
  return found.filter((key) => key !== 'module.exports').sort();
}

const digestOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * As Node has it from version 21 on: without one, pg asks by `Response` whether Cloudflare runs it, for which Node 20
 * loads all of its HTTP client.
 */
const NAVIGATOR = 'const navigator = globalThis.navigator ?? { userAgent: "Node.js" };';

/** The file with all these packages: a table of functions, each of which gives one package's exports. */
async function bundled(exported) {
  const names = Object.keys(exported);
  const table = names.map((name) => `${JSON.stringify(name)}: () => require("exports-of:${name}")`);
  const { outputFiles, metafile } = await build({
    stdin: { contents: `module.exports = {${table.join(',\n')}};`, resolveDir: root },
    absWorkingDir: root,
    outfile: path.join(outdir, 'packages.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    charset: 'ascii', // it is kept as one byte for each character
    // as Node wraps a module: the whole file is one expression, which is compiled as it is read
    banner: { js: `(function (module, exports, require, __filename, __dirname) {${NAVIGATOR}` },
    footer: { js: '})' },
    minifyWhitespace: true,
    legalComments: 'none',
    write: false,
    metafile: true,
    logLevel: 'error',
    logOverride: { 'import-is-undefined': 'error', 'empty-import-meta': 'error' },
    plugins: [
      {
        name: 'exports of packages',
        setup({ onResolve, onLoad }) {
          // as a module of ours would import them: esbuild tells those by their names
          onResolve({ filter: /^exports-of:/ }, ({ path: named }) => ({
            path: `${named.slice('exports-of:'.length)}.mjs`,
            namespace: 'exports',
          }));
          onLoad({ filter: /.*/, namespace: 'exports' }, ({ path: file }) => {
            const name = file.replace(/\.mjs$/, '');
            return {
              contents: `export { ${exported[name].join(', ')} } from ${JSON.stringify(name)};`,
              resolveDir: root,
            };
          });
        },
      },
    ],
  });
  return { text: outputFiles[0].text, contains: placesOf(Object.keys(metafile.inputs)) };
}

/** Packages that are slow to load, and of which few processes call anything: the first call loads them. */
const CALLED = ['string-width', 'undici'];

/** Of these only what is called, with or without `new`: what is read has to be there. */
async function callsOf(name) {
  const found = await import(name);
  return (await exportsOf(name)).filter((key) => typeof found[key] === 'function');
}

const calling = (name, exported) => `
import { packageNamed } from ${JSON.stringify(LOADER)};
const called = (key) => function (...args) {
  const found = packageNamed(${JSON.stringify(name)})[key];
  return new.target === undefined ? found(...args) : new found(...args);
};
${exported.map((key, i) => `const e${i} = /* @__PURE__ */ called(${JSON.stringify(key)});`).join('\n')}
export { ${exported.map((key, i) => `e${i} as ${key}`).join(', ')} };`;

/** A module of the product's bundle that stands for a package. */
const standIn = (name, exported) =>
  CALLED.includes(name) ? calling(name, exported) : importing(name, exported);

const importing = (name, exported) => `
import { packageNamed } from ${JSON.stringify(LOADER)};
const { ${exported.map((key, i) => `${JSON.stringify(key)}: e${i}`).join(', ')} } = packageNamed(${JSON.stringify(name)});
export { ${exported.map((key, i) => `e${i} as ${key}`).join(', ')} };`;

/**
 * The plugin that finds the packages, and `put`, which writes them once the product's modules are bundled and
 * returns the files.
 * @param installed identifies what is installed, and the bundler: the same packages are bundled once
 */
export async function openPackages(installed) {
  const before = await readFile(manifestFile, 'utf8').then(JSON.parse, () => undefined);
  const known = before?.installed === installed ? before.exported : {};
  const exported = {};
  const plugin = {
    name: 'packages',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) => {
        if (kind === 'entry-point' || path.isAbsolute(name)) return undefined;
        const isBundled = kind === 'import-statement' || SHARING.includes(name);
        if (!isPackage(name) || name.startsWith('node:') || !isBundled) return { path: name, external: true };
        return { path: name, namespace: 'package' };
      });
      onLoad({ filter: /.*/, namespace: 'package' }, async ({ path: name }) => {
        exported[name] = known[name] ?? (await (CALLED.includes(name) ? callsOf : exportsOf)(name));
        return { contents: standIn(name, exported[name]), resolveDir: root };
      });
    },
  };
  return {
    plugin,
    async put() {
      const sorted = Object.fromEntries(
        Object.keys(exported)
          .sort()
          .map((name) => [name, exported[name]]),
      );
      const isSame = JSON.stringify(before?.exported) === JSON.stringify(sorted);
      if (before?.installed === installed && isSame) return [path.join(outdir, before.file), manifestFile];
      const { text, contains } = await bundled(sorted);
      const file = `packages-${digestOf(text)}.cjs`;
      await put(path.join(outdir, file), text);
      await put(manifestFile, JSON.stringify({ installed, exported: sorted, file, contains }));
      for (const name of await readdir(outdir))
        if (name.startsWith('packages-') && !name.startsWith(file)) await rm(path.join(outdir, name));
      return [path.join(outdir, file), manifestFile];
    },
  };
}
