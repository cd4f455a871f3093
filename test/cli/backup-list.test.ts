// `cairn backup list` (docs/reference/backups.md#records): what is on record, from a server; what a place has, without one.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listKept } from '../../standalone/backups.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { run } from './command-line.ts';

const folder = scratchDirectory('backup-list');
let server: TestServer & AsyncDisposable;

beforeAll(async () => {
  server = await startServer({});
  writeFileSync(path.join(folder, 'gateway.yaml'), '{}\n');
});
afterAll(() => server[Symbol.asyncDispose]());

const list = (...args: string[]) =>
  run(['backup', 'list', ...args], {
    cwd: folder,
    env: { CAIRN_URL: server.url, CAIRN_KEY: server.key },
    entries: { 'standalone/backups.ts': { listKept } },
  });
const ids = async (...args: string[]): Promise<readonly string[]> => {
  const { status, stdout, stderr } = await list(...args, '-o', 'ndjson');
  expect([status, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { id: string }).id);
};

test('those on record, by page, with what became of each', async () => {
  expect(await ids()).toEqual([]);
  await server.database.pool.query(
    `INSERT INTO gateway.backup (id, kind, destination, encrypted, host, actor, status, started_at, bytes, position, error, lost_files, restored_at) VALUES
      ('b-1', 'directory', '/mnt/backups', true, 'h', 'os:x', 'completed', '2026-01-01T02:00:00Z', 73400320, 4711, NULL, 2, '2026-01-31T09:30:00Z'),
      ('b-2', 'directory', '/mnt/backups', false, 'h', 'os:x', 'failed', '2026-01-02T02:00:00Z', NULL, NULL, 'no room left', NULL, NULL)`,
  );
  expect(await ids()).toEqual(['b-2', 'b-1']);
  expect(await ids('--limit', '1')).toEqual(['b-2']);
  expect(await ids('--limit', '1', '--all')).toEqual(['b-2', 'b-1']);
  const { stdout } = await list();
  expect(stdout).toMatch(/BEGUN +BACKUP +STATE +SIZE +POSITION +ENCRYPTED +PLACE/);
  expect(stdout).toMatch(/b-2 +failed: no room left +- +- +no/);
  expect(stdout).toMatch(
    /b-1 +completed: 2 files lost: this instance was restored from it at 2026-01-31\S* +73 MB +4711 +yes/,
  );
  expect((await list('--limit', '1')).stdout).toContain('more: --all, or --cursor ');
});

test('those of a place, without a server: none of the options of pages or of a server', async () => {
  const place = path.join(folder, 'place');
  mkdirSync(path.join(place, 'backups', '20261123T020000Z-1f2e3d4c'), { recursive: true });
  writeFileSync(path.join(place, 'backups', '20261123T020000Z-1f2e3d4c', 'sealed'), 'no\n');
  expect((await list(place)).stdout).toMatch(
    /BACKUP +STATE +ENCRYPTED\n20261123T020000Z-1f2e3d4c +interrupted +/,
  );
  for (const option of [['--all'], ['--limit', '1'], ['--url', server.url]])
    expect(await list(place, ...option)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${option[0]} is for backups on record`) as unknown,
    });
});

test.each([
  '',
  ' ',
  'http://host/x',
  'file:///mnt/backups',
  'S3://bucket/x',
  's3://',
  's3:///x',
  's3:/bucket/x',
  's3:bucket',
])('the place %j is refused, and not taken for a directory below the current one', async (place) => {
  for (const args of [['backup'], ['backup', 'verify'], ['backup', 'list'], ['restore']]) {
    const { status, stderr } = await run([...args, place], { cwd: folder });
    expect([status, stderr]).toEqual([2, expect.stringContaining("is invalid for argument 'place'")]);
  }
});
