// The packages @cairn/cli and @cairn/client: what `npm pack` makes of them is installed in an empty folder without a
// network, and works there without any other package.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { startServer, type TestServer } from '../testkit/server.ts';

const exec = promisify(execFile);
let folder: string;
let server: TestServer;

const cairn = async (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
  const env = { PATH: process.env['PATH'], HOME: folder, CAIRN_URL: server.url, CAIRN_KEY: server.key };
  return exec(path.join(folder, 'node_modules', '.bin', 'cairn'), args, { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (fault: unknown) => fault as { code: number; stdout: string; stderr: string }, // as execFile rejects
  );
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-cli-package-'));
  const archives = await mkdtemp(path.join(os.tmpdir(), 'cairn-archives-'));
  for (const source of ['cli/package', 'client'])
    await exec('npm', ['pack', '--offline', '--pack-destination', archives], {
      cwd: path.join(projectRoot, source),
    });
  const packed = (await readdir(archives)).sort();
  expect(packed).toEqual([
    expect.stringMatching(/^cairn-cli-.*\.tgz$/),
    expect.stringMatching(/^cairn-client-.*\.tgz$/),
  ]);
  const files = packed.map((name) => path.join(archives, name));
  for (const file of files) expect((await stat(file)).size).toBeLessThan(2_000_000);
  await exec('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], { cwd: folder });
  await rm(archives, { recursive: true });
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test('an installation has these packages only, with the licences of what they contain', async () => {
  const installed = path.join(folder, 'node_modules');
  expect((await readdir(installed)).filter((name) => !name.startsWith('.'))).toEqual(['@cairn']);
  expect(await readdir(path.join(installed, '@cairn'))).toEqual(['cli', 'client']);
  expect((await readdir(path.join(installed, '@cairn', 'cli'))).sort()).toEqual([
    'LICENSE',
    'NOTICE',
    'dist',
    'package.json',
  ]);
  expect(await readdir(path.join(installed, '@cairn', 'client'))).toContain('LICENSE');
  expect(await cairn('--version')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});

test('the client library is imported by a program there', async () => {
  await writeFile(
    path.join(folder, 'program.mjs'),
    `import { createClient } from '@cairn/client';
const client = createClient({ url: process.env.CAIRN_URL, apiKey: process.env.CAIRN_KEY });
await client.schemas.create({ name: 'Installed', version: '1', fields: [{ name: 'n', fieldType: 'int' }] });
await client.create('Installed', { n: 7 }, { id: 'i1' });
console.log(JSON.stringify((await client.get('Installed', 'i1')).data));
`,
  );
  const env = { PATH: process.env['PATH'], CAIRN_URL: server.url, CAIRN_KEY: server.key };
  const { stdout } = await exec(process.execPath, ['program.mjs'], { cwd: folder, env });
  expect(JSON.parse(stdout)).toEqual({ n: 7 });
});

test('it works with a server: schemas, tables in every format, reads and exports', async () => {
  await writeFile(
    path.join(folder, 'thing.yaml'),
    'name: Packed\nversion: "1"\nfields: [{name: n, field_type: int}]\n',
  );
  expect(await cairn('schemas', 'register', 'thing.yaml')).toMatchObject({ code: 0 });
  await writeFile(path.join(folder, 'rows.csv'), 'id,n\np1,1\np2,2\n');
  const loaded = await cairn('ingest', 'rows.csv', '--type', 'Packed', '--map', 'n=int(row.n) + 1');
  expect(loaded).toMatchObject({ code: 0, stdout: expect.stringContaining('2 created') });
  for (const format of ['xlsx', 'parquet']) {
    expect(await cairn('export', 'Packed', '-o', `out.${format}`)).toMatchObject({ code: 0 });
    expect(await cairn('ingest', `out.${format}`, '--type', 'Packed')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 unchanged'),
    });
  }
  const { stdout } = await cairn('get', 'p2', '-o', 'json');
  expect(JSON.parse(stdout)).toMatchObject({ id: 'p2', data: { n: 3 } });
});

test('commands of the server itself say that they need it', async () => {
  for (const args of [
    ['start'],
    ['init'],
    ['import', 'nothing.tar'],
    ['export', '--everything', '-o', 'all.tar'],
    ['users', 'list'],
  ]) {
    const { code, stderr } = await cairn(...args);
    expect([args[0], code, stderr]).toEqual([
      args[0],
      1,
      expect.stringContaining('run it in its installation'),
    ]);
    expect(stderr).not.toContain('unexpected error');
  }
});
