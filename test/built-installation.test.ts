// What `npm run build` makes, installed where nobody may write and run by another user: it needs Node, and nothing of
// this project's folder. With CAIRN_PROVE_PACKAGE, what `npm pack` makes of it, installed without a network.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../platform/project-root.ts';
import { canRun, GREET, GREETING } from './artifact/production-testkit.ts';
import { base64 } from './artifact/registration-testkit.ts';
import { type ServerProcess, startProcess } from './testkit/server-process.ts';

/** `nobody` and its group; a test that does not run as root keeps its own account. */
const OTHER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** As a service that may listen on port 443 is started, with a capability that is passed on to all it starts. */
const WITH_A_CAPABILITY =
  OTHER.uid === undefined
    ? []
    : [
        'setpriv',
        ...[`--reuid=${OTHER.uid}`, `--regid=${OTHER.gid}`, '--clear-groups', '--no-new-privs'],
        ...['--inh-caps=+net_bind_service', '--ambient-caps=+net_bind_service', '--'],
      ];

const packed = process.env['CAIRN_PROVE_PACKAGE'] !== undefined;

interface Bill {
  readonly name: string;
  readonly version: string;
  readonly metadata: { readonly component: { readonly purl: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly hashes: readonly unknown[];
  }[];
}

let directory: string;
let built: string;
let installed: string;
let home: string;
let server: ServerProcess;
let startedAt: number;

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Packs the folder and installs the package in an empty one; returns where it is then. */
function installPackage(folder: string): string {
  const empty = path.join(directory, 'empty');
  mkdirSync(empty);
  execFileSync('npm', ['pack', '--offline', '--pack-destination', empty], { cwd: folder, stdio: 'pipe' });
  const [archive = ''] = readdirSync(empty);
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], {
    cwd: empty,
    stdio: 'pipe',
  });
  return path.join(empty, 'node_modules', '@cairn', 'server');
}

const cairn = (...args: string[]) =>
  spawnSync(process.execPath, [path.join(installed, 'cli/cairn.mjs'), ...args], {
    cwd: home,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home, CAIRN_URL: server.url, CAIRN_KEY: server.key },
    ...OTHER,
  });

beforeAll(async () => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-installation-')); // programs are run there
  chmodSync(directory, 0o755);
  built = path.join(directory, 'cairn');
  home = path.join(directory, 'home');
  mkdirSync(home);
  execFileSync(process.execPath, ['scripts/build.mjs', built], { cwd: projectRoot, stdio: 'pipe' });
  installed = packed ? installPackage(built) : built;
  execFileSync('chmod', ['-R', 'a-w,a+rX', installed]);
  // a module of TypeScript is bundled when it is loaded
  writeFileSync(
    path.join(home, 'names.ts'),
    `export default {
      validate: ({ data }: { data: { name?: string } }): { message: string }[] =>
        (data.name?.length ?? 3) < 3 ? [{ message: 'the name is too short' }] : [],
    };`,
  );
  writeFileSync(
    path.join(home, 'gateway.yaml'),
    'server: {workers: 2}\nmetadata: {validators: [{module: names.ts}]}\nartifact: {runner: {type: cwltool, sandbox: required}}\n',
  );
  if (OTHER.uid !== undefined) {
    chownSync(home, OTHER.uid, OTHER.gid);
  }
  startedAt = Date.now();
  server = await startProcess({
    dataDir: path.join(home, 'data'),
    program: path.join(installed, 'cli/cairn.mjs'),
    cwd: home,
    env: { HOME: home, CAIRN_CONFIG: path.join(home, 'gateway.yaml') },
    through: WITH_A_CAPABILITY,
  });
}, 600_000); // npm packs 150 MB with one thread, and installs them

afterAll(async () => {
  await server.end('SIGKILL');
  execFileSync('chmod', ['-R', 'u+w', directory]);
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

const get = (target: string, accept: string) =>
  fetch(server.url + target, { headers: { accept, 'x-api-key': server.key } });

test('brings the schemas that its starts need: none is made again', () => {
  expect(readdirSync(path.join(installed, 'dist/schemas')).length).toBeGreaterThan(4);
  expect(server.log()).not.toContain('could not be kept'); // it may write none
});

test('is small, and has neither sources nor what only tests need', () => {
  const files = filesOf(installed);
  const own = files.filter((file) => !file.includes('node_modules'));
  expect(own.filter((file) => /\.tsx?$|\.test\./.test(file))).toEqual([]);
  expect(files.filter((file) => /node_modules\/(vitest|eslint|typescript)\//.test(file))).toEqual([]);
  // npm packs no symbolic links (those in `.bin` it makes when it installs), and none can be made where nothing can be written
  const entries = readdirSync(built, { recursive: true, withFileTypes: true });
  expect(entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)).toEqual([]);
  expect(files.filter((file) => file.endsWith('pg-symlinks.json'))).toEqual([]);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeLessThan(350e6);
});

test.skipIf(!packed)('is whole as a package (CAIRN_PROVE_PACKAGE)', () => {
  // files that npm takes along from no package, and what a package of esbuild does when it is installed
  const left = /(?:^|\/)\.(?:npmignore|gitignore)$|node_modules\/.*\/CHANGELOG\.md$/i;
  const there = (folder: string): string[] =>
    filesOf(folder)
      .map((file) => path.relative(folder, file))
      .filter((file) => !left.test(file))
      .sort();
  expect(there(installed)).toEqual(there(built));
});

test('names in its bill of materials each package that it contains, in bundles as well', () => {
  const read = (file: string): Bill => JSON.parse(readFileSync(path.join(installed, file), 'utf8')) as Bill;
  const { metadata, components } = read('sbom.cdx.json');
  expect(metadata.component.purl).toBe(`pkg:npm/%40cairn/server@${read('package.json').version}`);
  const named = components.map(({ name, version }) => `${name} ${version}`);
  const inFolders = filesOf(path.join(installed, 'node_modules'))
    .filter((file) => /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file))
    .map((file) => {
      const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as Bill;
      return `${name} ${version}`;
    });
  expect(inFolders.filter((one) => !named.includes(one))).toEqual([]);
  const names = components.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['pg', 'graphql', 'zod', 'react-aria-components', 'graphiql']),
  );
  expect(names.filter((name) => ['vitest', 'eslint', 'typescript', 'prisma'].includes(name))).toEqual([]);
  expect(components.filter(({ hashes }) => hashes.length === 0)).toEqual([]);
});

test('says at its start how its own command is given, from any folder', async () => {
  const child = spawn(process.execPath, [path.join(installed, 'cli/cairn.mjs'), 'start'], {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      CAIRN_PORT: '0',
      CAIRN_DATA_DIR: path.join(home, 'second'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...OTHER,
  });
  const ended = once(child, 'exit');
  let said = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += String(text);
    if (said.includes('Press Ctrl-C')) break;
  }
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  expect(said).not.toMatch(/npx|npm run/); // the registry has another package of that name
  const [, help = ''] = /^ {2}(node .* --help) /m.exec(said) ?? [];
  expect(execFileSync('sh', ['-c', help], { cwd: home, encoding: 'utf8', ...OTHER })).toContain(
    'Usage: cairn',
  );
  expect(said).toContain(`${help.replace(/ --help$/, '')} open prints a new link`);
});

test.each(['/graphql', '/console', '/api/v1/docs'])('shows %s with all that it loads', async (page) => {
  const shown = await get(page, 'text/html');
  expect(shown.status).toBe(200);
  const html = await shown.text();
  const loaded = [...html.matchAll(/(?:src|href)="([^"#]+\.(?:js|css))"/g)].map(([, file = '']) => file);
  expect(loaded.length).toBeGreaterThan(1);
  if (page === '/console') expect(html).toContain('data-built="true" data-command="cairn"');
  for (const file of loaded) {
    const { pathname } = new URL(file, shown.url);
    expect([pathname, (await get(pathname, '*/*')).status]).toEqual([pathname, 200]);
  }
});

test('stores, validates by a module of TypeScript, and exports in every format', async () => {
  const schema = path.join(home, 'schema.json');
  writeFileSync(
    schema,
    '{"name": "Sample", "version": "1", "fields": [{"name": "name", "field_type": "string"}]}',
  );
  expect(cairn('schemas', 'register', schema)).toMatchObject({ status: 0 });
  writeFileSync(path.join(home, 'rows.csv'), 'id,name\none,liver\ntwo,x\n');
  const ingested = cairn('ingest', path.join(home, 'rows.csv'), '--type', 'Sample', '--id', 'id');
  expect(ingested.stdout + ingested.stderr).toContain('the name is too short');
  for (const format of ['csv', 'ndjson', 'arrow', 'parquet', 'xlsx']) {
    const exported = await get(`/api/v1/metadata/export/Sample.${format}`, '*/*');
    expect([format, exported.status]).toEqual([format, 200]);
    expect((await exported.arrayBuffer()).byteLength).toBeGreaterThan(10);
  }
});

const post = async (target: string, body: unknown): Promise<{ status: number; text: string }> => {
  const answer = await fetch(server.url + target, {
    method: 'POST',
    headers: { 'x-api-key': server.key, 'content-type': 'application/json', prefer: 'wait=60' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
};

test.skipIf(!canRun)(
  'runs tools in the sandbox, which it must, although it has the capability for ports below 1024',
  async () => {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    expect(/^CapAmb:\t0*400$/m.test(status)).toBe(OTHER.uid !== undefined);
    expect(await post('/api/v1/metadata/schemas', GREETING)).toMatchObject({ status: 200 });
    const rule = {
      name: 'greet',
      execute: { cwl_content: base64(GREET) },
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    };
    const registered = await post('/api/v1/artifact/rules', rule);
    expect(registered, registered.text).toMatchObject({ status: 201 });
    const produced = await post('/api/v1/artifact/produce', {
      entity_type: 'Greeting',
      criteria: { sample: 'liver' },
    });
    expect(produced, produced.text).toMatchObject({
      status: 200,
      text: expect.stringContaining('"sample":"liver"'),
    });
  },
);

test('stops as supervisors stop it, and has written nothing into its folder', async () => {
  expect(await server.end('SIGTERM')).toBe(0);
  expect(filesOf(installed).filter((file) => statSync(file).mtimeMs > startedAt)).toEqual([]);
});
