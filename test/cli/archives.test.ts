// `cairn export --everything` and `cairn import`: files whole or not at all, and what is said; `cairn audit`.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DomainError } from '../../platform/errors.ts';
import { run } from './command-line.ts';
import { platformDouble } from './platform-double.ts';

const SUMMARY = {
  id: 'sha256:abc',
  manifest: {
    version: 1,
    position: 7,
    time: '2026-01-01T00:00:00.000000Z',
    sections: { schemas: { rows: 1 }, log: { rows: 7 }, entities: { rows: 3 } },
    files: { count: 2, bytes: 20 },
  },
};
const close = (): Promise<void> => Promise.resolve();

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-archives-'));
  await writeFile(path.join(dir, 'gateway.yaml'), '');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const exporting = (write: (output: Writable) => Promise<unknown>) => ({
  cwd: dir,
  env: { CAIRN_DATA_DIR: dir },
  entries: { 'standalone/archives.ts': { openExporter: () => Promise.resolve({ write, close }) } },
});
const importing = (read: (input: Readable) => Promise<unknown>) => ({
  cwd: dir,
  env: { CAIRN_DATA_DIR: dir },
  entries: {
    'standalone/archives.ts': {
      openImporter: () => Promise.resolve({ read, close }),
    },
    'standalone/check-archive.ts': { openChecker: () => Promise.resolve({ read, close }) },
  },
});

test('an archive is written whole, for its owner alone, and told', async () => {
  const { status, stdout } = await run(
    ['export', '--everything', '-o', 'a.tar', '--json'],
    exporting(async (output) => {
      output.end('archive');
      await finished(output);
      return SUMMARY;
    }),
  );
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ archive: 'sha256:abc', events: 7, entities: 3, files: 2 });
  expect(await readFile(path.join(dir, 'a.tar'), 'utf8')).toBe('archive');
  expect((await stat(path.join(dir, 'a.tar'))).mode & 0o777).toBe(0o600);
});

test('to standard output goes the archive and nothing else', async () => {
  const { status, stdout } = await run(
    ['export', '--everything', '-o', '-'],
    exporting(async (output) => {
      output.end('archive');
      await finished(output);
      return SUMMARY;
    }),
  );
  expect([status, stdout]).toEqual([0, 'archive']);
});

test('an export that fails leaves what was there, and says why', async () => {
  await writeFile(path.join(dir, 'a.tar'), 'before');
  const { status, stderr } = await run(
    ['export', '--everything', '-o', 'a.tar'],
    exporting(async (output) => {
      output.write('half');
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new DomainError('not_found', 'the artifact store lacks a file');
    }),
  );
  expect([status, stderr]).toEqual([1, 'cairn: the artifact store lacks a file\n']);
  expect((await readdir(dir)).toSorted()).toEqual(['a.tar', 'gateway.yaml']);
  expect(await readFile(path.join(dir, 'a.tar'), 'utf8')).toBe('before');
});

test.each([
  [['export', '--everything'], 'name a file with -o'],
  [['export', '--everything', 'sample', '-o', 'a.tar'], 'not sample'],
  [['export', '--everything', '--filter', 'true', '-o', 'a.tar'], 'not filter'],
  [['export'], 'name a type, or --everything'],
  [['import', 'none.tar'], 'none.tar cannot be read'],
])('%j is used incorrectly', async (args, said) => {
  const never = (): Promise<unknown> => Promise.reject(new Error('it was begun'));
  const { status, stderr } = await run(args, { ...exporting(never), ...importing(never) });
  expect([status, stderr]).toEqual([2, expect.stringContaining(said)]);
});

test.each([
  [['import', 'a.tar'], 'imported'],
  [['import', '--check', 'a.tar'], 'the archive is whole, and can be imported'],
])('%j reads the archive, and tells what it holds', async (args, said) => {
  await writeFile(path.join(dir, 'a.tar'), 'archive');
  const { status, stdout } = await run(
    args,
    importing(async (input) => {
      expect(String(await buffer(input))).toBe('archive');
      return SUMMARY;
    }),
  );
  expect(status).toBe(0);
  expect(stdout).toContain(said);
  expect(stdout).toContain('sha256:abc');
});

test('a check needs no configuration, and standard input is read', async () => {
  const { status } = await run(['import', '--check', '-'], {
    ...importing(async (input) => {
      expect(String(await buffer(input))).toBe('archive');
      return SUMMARY;
    }),
    cwd: os.tmpdir(),
    env: { CAIRN_CONFIG: '/nowhere/gateway.yaml' },
    stdin: 'archive',
  });
  expect(status).toBe(0);
});

test('what an import refuses is said', async () => {
  await writeFile(path.join(dir, 'a.tar'), 'archive');
  const { status, stderr } = await run(
    ['import', 'a.tar', '--json'],
    importing(() => Promise.reject(new DomainError('conflict', 'the instance is not empty'))),
  );
  expect([status, JSON.parse(stderr)]).toEqual([
    1,
    { message: 'the instance is not empty', error: 'conflict' },
  ]);
});

test('audit asks for the records of its options, and shows them', async () => {
  await using platform = await platformDouble(() => ({
    body: {
      records: [
        {
          timestamp: '2026-01-01T00:00:00.000000Z',
          request_id: 'r1',
          actor: 'user:ada',
          method: 'POST',
          path: '/x',
          status: 201,
          changes: [{ action: 'api_key.create', subject: 'key_1' }],
        },
      ],
      next_cursor: null,
    },
  }));
  const { status, stdout } = await run([
    'audit',
    '--actor',
    'user:ada',
    '--action',
    'api_key',
    '--min-status',
    '200',
    '--path',
    '/x',
    ...['--url', platform.url, '--key', 'k'],
  ]);
  expect(status).toBe(0);
  expect(stdout).toContain('user:ada');
  expect(platform.asked).toMatchObject([
    {
      path: '/api/v1/gateway/audit',
      query: { actor: ['user:ada'], action: ['api_key'], min_status: ['200'], path_prefix: ['/x'] },
    },
  ]);
});
