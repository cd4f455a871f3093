// The package @cairn/cli: what `npm pack` makes of it works in an empty folder, without any other package.
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
  const program = path.join(folder, 'package', 'dist', 'cairn.mjs');
  return exec(process.execPath, [program, ...args], { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (fault: unknown) => fault as { code: number; stdout: string; stderr: string }, // as execFile rejects
  );
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-cli-package-'));
  await exec('npm', ['pack', '--offline', '--pack-destination', folder], {
    cwd: path.join(projectRoot, 'cli', 'package'),
  });
  const [archive = ''] = await readdir(folder);
  expect(archive).toMatch(/^cairn-cli-.*\.tgz$/);
  expect((await stat(path.join(folder, archive))).size).toBeLessThan(2_000_000);
  await exec('tar', ['-xzf', archive], { cwd: folder });
  server = await startServer();
}, 180_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test('it has its own modules only, with the licences of what they contain', async () => {
  expect((await readdir(path.join(folder, 'package'))).sort()).toEqual([
    'LICENSE',
    'NOTICE',
    'dist',
    'package.json',
  ]);
  expect(await cairn('--version')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
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
  for (const args of [['start'], ['import', 'nothing.tar'], ['users', 'list']]) {
    const { code, stderr } = await cairn(...args);
    expect([args[0], code, stderr]).toEqual([
      args[0],
      expect.any(Number),
      expect.stringMatching(/server|not/),
    ]);
    expect(stderr).not.toContain('unexpected error');
  }
});
