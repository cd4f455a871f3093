// Commands against a real platform: changes, search, health, types, the feed.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { begin, run } from './command-line.ts';

let server: TestServer;
let dir: string;
const to = (): string[] => ['--url', server.url, '--key', server.key];
const cairn = (...args: string[]) => run([...args, ...to()], { cwd: dir });

beforeAll(async () => {
  server = await startServer();
  dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-commands-'));
  await writeFile(
    path.join(dir, 'sample.yaml'),
    'name: Specimen\nversion: "1"\nfields:\n  - { name: title, field_type: string, required: true }\n  - { name: depth, field_type: float }\n',
  );
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

test('a type is compared, registered, shown and listed', async () => {
  expect(await cairn('schemas', 'diff', 'sample.yaml')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('+ fields.depth'),
  });
  expect(await cairn('schemas', 'register', 'sample.yaml')).toMatchObject({
    status: 0,
    stdout: 'Specimen 1 is registered\n',
  });
  expect(await cairn('schemas', 'diff', 'sample.yaml')).toMatchObject({
    status: 0,
    stdout: 'Specimen is registered like this\n',
  });
  expect((await cairn('schemas', 'show', 'Specimen')).stdout).toMatch(/title +string +yes/);
  expect((await cairn('schemas', 'list', '-o', 'csv', '--columns', 'name,version')).stdout).toContain(
    'Specimen,1',
  );
  expect(await cairn('schemas', 'show', 'Nothing')).toMatchObject({ status: 1 });
  const file = await cairn('schemas', 'diff', 'sample.yaml', '--from', '1');
  expect([file.status, (await cairn('schemas', 'diff')).status]).toEqual([2, 2]);
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: { name: 'Plain', version: '1', fields: [{ name: 'title', field_type: 'string' }] },
  });
  const parts = await cairn('schemas', 'diff', '-t', 'Specimen', '--to-type', 'Plain');
  expect(parts.stdout).toMatch(/fields\.depth +REMOVED/);
  const patch = await cairn('schemas', 'diff', '-t', 'Specimen', '--to-type', 'Plain', '--patch');
  expect(JSON.parse(patch.stdout)).toContainEqual({ op: 'replace', path: '/name', value: 'Plain' });
  expect((await cairn('schemas', 'diff', 'sample.yaml', '--patch')).status).toBe(2);
});

test('an entity is changed, related, found, and deleted; the feed shows it all', async () => {
  for (const id of ['a', 'b'])
    await server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Specimen', id, data: { title: `grey ${id}` } },
    });
  const watching = begin(['watch', '--type', 'Specimen', '--after', 'start', '--json', ...to()]);
  expect(await cairn('update', 'a', 'depth=3.5', '--if-version', '1')).toMatchObject({
    status: 0,
    stdout: 'a has version 2 now\n',
  });
  expect((await cairn('update', 'a', 'depth=3.5')).stdout).toBe('a is unchanged\n');
  expect(await cairn('update', 'a', 'depth=4', '--if-version', '1')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('is at version 2, not 1'),
  });
  expect(await cairn('update', 'a')).toMatchObject({ status: 2 });
  expect(await cairn('update', 'a', 'depth=x')).toMatchObject({ status: 1 });
  expect(await cairn('relate', 'a', 'derived_from', 'b')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^a derived_from b \(/),
  });
  expect(
    (await cairn('search', 'Specimen', 'grey', '--all', '-o', 'ndjson')).stdout.split('\n'),
  ).toHaveLength(3);
  expect(
    (await cairn('get', '-t', 'Specimen', '--all', '-n', '1', '-o', 'csv', '--columns', 'id,data.depth'))
      .stdout,
  ).toBe('id,data.depth\r\na,3.5\r\nb,\r\n');
  await cairn('update', 'b', 'title=two\nlines');
  expect(
    (await cairn('get', '-t', 'Specimen', '--all', '-o', 'csv', '--columns', 'id,data.title')).stdout,
  ).toContain('b,"two\nlines"\r\n');
  expect(await cairn('delete', 'b', '--reason', 'a mistake')).toMatchObject({ stdout: 'b is deleted\n' });
  const diff = await cairn('diff', 'a', '--from', '2000-01-01T00:00:00Z', '-o', 'csv', '--columns', 'kind');
  expect(diff.stdout).toMatch(/^kind\r?\nADDED\r?\n/);
  const patch = await cairn('diff', 'a', '--from', '2000-01-01T00:00:00Z', '--patch');
  expect(JSON.parse(patch.stdout)).toContainEqual({ op: 'add', path: '/depth', value: 3.5 });
  expect((await cairn('diff', 'a', 'b', '--patch', '-o', 'csv')).status).toBe(2);
  const changes = ['diff', '-t', 'Specimen', '--from', '2000-01-01T00:00:00Z'];
  expect((await cairn(...changes, '-o', 'csv', '--columns', 'entity_id,kind')).stdout).toBe(
    'entity_id,kind\r\na,ADDED\r\n',
  );
  expect(JSON.parse((await cairn(...changes, '--all', '-o', 'ndjson')).stdout)).toMatchObject({
    entity_id: 'a',
    before: null,
  });
  const worded = async (words: string): Promise<string> =>
    (await cairn(...changes, '--words', words, '-o', 'csv', '--columns', 'entity_id')).stdout;
  expect([await worded('nothing'), await worded('GREY')]).toEqual(['entity_id\r\n', 'entity_id\r\na\r\n']);
  expect(await cairn('diff', '--words', 'one', '--from', '2000-01-01T00:00:00Z')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--type'),
  });
  expect((await cairn(...changes, '--patch')).status).toBe(2);
  expect(await cairn('diff', '-t', 'Specimen')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--from'),
  });
  expect((await cairn('history', 'a', '-o', 'csv', '--columns', 'event_type')).stdout).toContain(
    'EntityUpdated',
  );
  await expect.poll(() => watching.stdout().split('\n').length).toBeGreaterThan(5);
  watching.signal('SIGINT');
  expect(await watching.ended).toBe(0);
  const events = watching
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: { event_type: string } }).event.event_type);
  expect(events.slice(0, 3)).toEqual(['EntityCreated', 'EntityCreated', 'EntityUpdated']);
});

test('a feed that is refused ends with what the platform says', async () => {
  expect(await cairn('watch', '--filter', 'nothing ==', '--after', 'start')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('feed'),
  });
});

test('whoami, health, explain and sync show what the API answers', async () => {
  expect((await cairn('whoami')).stdout).toMatch(/roles +admin\nprojects +all/);
  expect(await cairn('health')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/metadata +healthy/),
  });
  expect((await cairn('explain', 'data.depth > 3.0', '-t', 'Specimen')).stdout).toMatch(
    /in the database +data\.depth/,
  );
  expect(await cairn('sync', 'scan')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/status +completed/),
  });
  expect(await cairn('sync', 'list', '--status', 'unresolved')).toMatchObject({ status: 0 });
  expect(await run(['whoami', '--url', server.url, '--key', 'wrong'], { cwd: dir })).toMatchObject({
    status: 1,
  });
});

test('a dry run says what registering would change, and which entities contradict it, and registers nothing', async () => {
  const file = async (version: string, words: string): Promise<void> =>
    writeFile(
      path.join(dir, 'cell.yaml'),
      `name: Cell\nversion: "${version}"\nfields:\n  - { name: kind, field_type: enum, values: [${words}] }\n`,
    );
  const dry = (...args: string[]) => cairn('schemas', 'register', 'cell.yaml', '--dry-run', ...args);
  await file('1', 'T, B');
  expect(await dry()).toMatchObject({ status: 0, stdout: 'create schema Cell 1\n' });
  expect((await cairn('schemas', 'show', 'Cell')).status).toBe(1);
  await cairn('schemas', 'register', 'cell.yaml');
  expect(await dry()).toMatchObject({ status: 0, stdout: 'Cell is registered like this\n' });
  await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Cell', id: 'cell:1', data: { kind: 'B' } },
  });
  await file('2', 'T, n/a');
  const refused = await dry();
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Cell would be refused'),
  });
  expect(refused.stdout.split('\n')).toEqual([
    'change schema Cell from 1 to 2',
    'field kind: values added  → n/a',
    'field kind: values removed B → ',
    'field kind: in typed GraphQL enum → String, since "n/a" is no name there',
    'cell:1: field kind must be one of T, n/a',
    '',
  ]);
  expect(JSON.parse((await dry('-o', 'json')).stdout)).toMatchObject({
    checked: [{ name: 'Cell', contradictions: [{ entity_id: 'cell:1' }], is_complete: true }],
  });
});
