// `cairn export`: files whole or not at all, by the parameters of the endpoint.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from './command-line.ts';
import { platformDouble } from './platform-double.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-export-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test('the entities of a type are written to standard output, as CSV by default', async () => {
  await using platform = await platformDouble(() => ({
    body: 'id\r\na\r\n',
    headers: { 'content-type': 'text/csv', 'x-warnings': '["filter: no field x"]' },
  }));
  const to = ['--url', platform.url, '--key', 'k'];
  const { status, stdout, stderr } = await run([
    'export',
    'core.sample',
    '--where',
    'site=a',
    '--where',
    'site=b',
    '--filter',
    'data.x > 1',
    '--limit',
    '2',
    ...to,
  ]);
  expect([status, stdout, stderr]).toEqual([0, 'id\r\na\r\n', 'warning: filter: no field x\n']);
  expect(platform.asked).toMatchObject([
    {
      method: 'GET',
      path: '/api/v1/metadata/export/core.sample.csv',
      query: { site: ['a', 'b'], filter: ['data.x > 1'], limit: ['2'] },
      authorization: 'Bearer k',
    },
  ]);
});

test("the format follows from the file's extension, and the file is written completely", async () => {
  await using platform = await platformDouble(() => ({ body: 'PAR1' }));
  const { status } = await run(['export', 'sample', '-o', 'a.parquet', '--url', platform.url, '--key', 'k'], {
    cwd: dir,
  });
  expect([status, platform.asked[0]?.path]).toEqual([0, '/api/v1/metadata/export/sample.parquet']);
  expect(await readFile(path.join(dir, 'a.parquet'), 'utf8')).toBe('PAR1');
});

test('- is standard output, also for what is no text', async () => {
  await using platform = await platformDouble(() => ({ body: 'PAR1' }));
  const args = ['export', 'sample', '--format', 'parquet', '--url', platform.url, '--key', 'k'];
  expect((await run([...args, '-o', '-'], { cwd: dir })).stdout).toBe('PAR1');
  expect(await readdir(dir)).not.toContain('-');
  expect((await run(args, { cwd: dir })).stderr).toContain('parquet is not text: name a file with -o');
});

test('an export that breaks off leaves no file and fails', async () => {
  const server = createServer((_, res) => {
    res.writeHead(200, { 'content-type': 'text/csv' });
    res.write('id\r\na\r\n', () => res.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // It listens on TCP.
  const to = ['--url', url, '--key', 'k'];
  const { status, stderr } = await run(['export', 'sample', '-o', 'b.csv', ...to], { cwd: dir });
  expect([status, stderr]).toEqual([1, expect.stringContaining('b.csv was not written')]);
  expect((await run(['export', 'sample', ...to])).status).toBe(1);
  expect(await readdir(dir)).not.toContain('b.csv');
  expect(await readdir(dir)).not.toContain('b.csv.part');
  server.close();
});

test('refusals of the platform and wrong usage are reported', async () => {
  await using platform = await platformDouble(() => ({
    status: 404,
    body: {
      data: null,
      error: { code: 404, message: 'schema not found: nothing' },
      meta: { request_id: 'r' },
    },
  }));
  const to = ['--url', platform.url, '--key', 'k'];
  const absent = await run(['export', 'nothing', ...to]);
  expect([absent.status, absent.stderr]).toEqual([1, expect.stringContaining('schema not found: nothing')]);
  expect((await run(['export', 'sample', '--format', 'xlsx', ...to])).status).toBe(2);
  expect((await run(['export', 'sample', '--where', 'x', ...to])).status).toBe(2);
});
