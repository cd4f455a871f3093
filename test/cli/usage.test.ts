// The command line's handling of valid and invalid calls: exit status, help, JSON, colours.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { afterAll, describe, expect, test } from 'vitest';
import { programFor } from '../../cli/program.ts';
import { processSession } from '../../cli/session.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { run } from './command-line.ts';
import { platformDouble } from './platform-double.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'cairn-cli-'));
afterAll(() => rmSync(directory, { recursive: true }));
writeFileSync(path.join(directory, 'gateway.yaml'), 'server: {port: 9191}\n');
writeFileSync(path.join(directory, 'bad.yaml'), 'server: {prot: 1}\nauth:\n  mode: none\n');
const here = { cwd: directory };

describe('validate', () => {
  test('says what it found in a good configuration', async () => {
    const { status, stdout, stderr } = await run(['validate'], here);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^valid\n/);
    expect(stdout).toMatch(/listens +127\.0\.0\.1:9191/);
    expect(stdout).toContain('metadata, workflow, artifact');
  });

  test('prints every fault with its place, and fails', async () => {
    const { status, stdout, stderr } = await run(['validate', '--config', 'bad.yaml'], here);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('bad.yaml:1:10 server.prot: unknown key; did you mean "port"?');
    expect(stderr).toContain('bad.yaml:3:3 auth.mode: must be one of oauth2, api_key, disabled, not "none"');
  });

  test('takes the file from CAIRN_CONFIG too', async () => {
    expect((await run(['validate'], { ...here, env: { CAIRN_CONFIG: 'bad.yaml' } })).status).toBe(1);
  });

  test('with --json prints the result or the faults as JSON', async () => {
    const good = await run(['validate', '--json'], here);
    expect(JSON.parse(good.stdout)).toMatchObject({ valid: true, listens: '127.0.0.1:9191' });
    const bad = await run(['validate', '--json', '--config', 'bad.yaml'], here);
    expect(bad.status).toBe(1);
    expect(JSON.parse(bad.stdout)).toEqual({
      valid: false,
      faults: [
        expect.objectContaining({ path: 'server.prot', line: 1 }),
        expect.objectContaining({ path: 'auth.mode', line: 3 }),
      ],
    });
    expect(JSON.parse(bad.stderr)).toHaveProperty('faults');
  });
});

test.each<[what: string, args: string[], said: RegExp]>([
  ['no command', [], /Usage: cairn/],
  ['an unknown command', ['strat'], /Did you mean start\?/],
  ['an unknown option', ['validate', '--jsn'], /unknown option '--jsn'/],
  ['an unknown component', ['start', 'metdata'], /Allowed choices are metadata, workflow, artifact, router/],
  ['a missing argument', ['query'], /missing required argument 'document'/],
  ['a superfluous argument', ['validate', 'this'], /too many arguments/],
  ['a missing option', ['keys', 'create', '--label', 'x'], /required option '--role <role>'/],
  ['a role that is none', ['keys', 'create', '--label', 'x', '--role', 'root'], /Allowed choices are viewer/],
  ['a group without its command', ['keys'], /Usage: cairn keys/],
  ['a number that is none', ['get', '--type', 'S', '--limit', 'many'], /whole number from 1 to 1000/],
  ['a limit out of range', ['get', '--type', 'S', '--limit', '1001'], /whole number from 1 to 1000/],
  ['neither an id nor a list', ['get'], /give the id of an entity, or/],
  ['both an id and a list', ['get', 'x', '--type', 'S'], /give the id of an entity, or/],
  [
    'a condition without value',
    ['get', '--type', 'S', '--where', 'sex', '--url', 'http://127.0.0.1:1'],
    /<field>=<value>/,
  ],
  [
    'an address of another scheme',
    ['get', 'x', '--url', 'ftp://x', '--key', 'k'],
    /--url must be an http or https address/,
  ],
  [
    'variables that are no object',
    ['query', '{a}', '--variables', '[1]', '--url', 'http://127.0.0.1:1'],
    /JSON object/,
  ],
  ['a file that is not there', ['ingest', 'gone.csv'], /gone\.csv is not a file/],
  ['a file of unknown format', ['ingest', 'gateway.yaml'], /give --format csv\|tsv\|xlsx/],
  ['a rule file that is not there', ['rules', 'register', 'gone.yaml'], /gone\.yaml cannot be read/],
])('a wrong call ends with status 2 and says what is wrong: %s', async (_, args, said) => {
  const { status, stdout, stderr } = await run(args, here);
  expect(stderr).toMatch(said);
  expect([status, stdout]).toEqual([2, '']);
});

const leaves = (command: Command, trail: readonly string[] = []): [string, Command][] =>
  command.commands.length === 0
    ? [[trail.join(' '), command]]
    : command.commands.flatMap((member) => leaves(member, [...trail, member.name()]));
const COMMANDS = leaves(programFor(processSession()))
  .map(([name]) => name)
  .filter((name) => name !== 'complete'); // hidden: shells call it

test('the commands are those of the contract', () => {
  expect(COMMANDS).toEqual(
    expect.arrayContaining([
      'start',
      'init',
      'validate',
      'keys create',
      'keys list',
      'keys revoke',
      'keys rotate',
      'keys rotate-signing',
      'users add',
      'users list',
      'users set',
      'users disable',
      'users enable',
      'users passwd',
      'login',
      'triggers list',
      'triggers run',
      'triggers pause',
      'triggers resume',
      'runs list',
      'runs show',
      'rules list',
      'rules register',
      'rules deprecate',
      'get',
      'query',
      'ingest',
    ]),
  );
});

test.each(COMMANDS)('the help of "%s" teaches by example, and the command knows --json', async (name) => {
  const { status, stdout } = await run([...name.split(' '), '--help']);
  expect(status).toBe(0);
  if (name !== 'completion') expect(stdout).toContain('--json'); // it prints a script
  expect(stdout).toMatch(new RegExp(`Examples?:\n  \\$ cairn ${name}`));
});

test('--json may stand anywhere: before the command, before the member of a group, after it', async () => {
  const listens = { valid: true, listens: '127.0.0.1:9191' };
  for (const args of [
    ['--json', 'validate'],
    ['validate', '--json'],
  ])
    expect(JSON.parse((await run(args, here)).stdout)).toMatchObject(listens);
  const url = 'http://127.0.0.1:1';
  for (const args of [
    ['--json', 'keys', 'list'],
    ['keys', '--json', 'list'],
    ['keys', 'list', '--json'],
  ]) {
    expect(JSON.parse((await run([...args, '--url', url, '--key', 'k'], here)).stderr)).toMatchObject({
      error: 'unreachable',
      url,
    });
  }
});

test("the help shows where to start, and the version is the package's", async () => {
  expect((await run(['--help'])).stdout).toContain('Start here:\n  $ cairn start');
  expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe('colours', () => {
  const painted = async (terminal: boolean, env: Record<string, string> = {}): Promise<boolean> =>
    (await run(['validate'], { ...here, terminal, env })).stdout.includes('\u001b[');

  test('are only for terminals', async () => {
    expect([await painted(true), await painted(false)]).toEqual([true, false]);
  });

  test('can be switched off', async () => {
    expect([
      await painted(true, { NO_COLOR: '1' }),
      await painted(true, { TERM: 'dumb' }),
      await painted(true, { NO_COLOR: '' }),
    ]).toEqual([false, false, true]);
  });
});

test('the installed command does the same as a process of its own', async () => {
  const bin = path.join(projectRoot, 'cli', 'cairn.mjs');
  const execute = promisify(execFile);
  const good = await execute(process.execPath, [bin, 'validate', '--json'], {
    cwd: directory,
    env: { PATH: process.env['PATH'] },
  });
  expect(JSON.parse(good.stdout)).toMatchObject({ valid: true });
  await expect(execute(process.execPath, [bin, 'nonsense'], { cwd: directory })).rejects.toMatchObject({
    code: 2,
  });
});

test('a reader that goes, such as head, ends the command without a word', async () => {
  const bin = path.join(projectRoot, 'cli', 'cairn.mjs');
  // more than a pipe holds
  await using feed = await platformDouble(() => ({
    body: { runs: Array.from({ length: 5000 }, (_, i) => ({ run_id: `run-${i}` })), next_cursor: null },
  }));
  const { stdout, stderr } = await promisify(execFile)(
    'sh',
    ['-c', '"$0" "$1" runs list -o ndjson --url "$2" --key k | head -n 1', process.execPath, bin, feed.url],
    { cwd: directory, env: { PATH: process.env['PATH'] } },
  );
  expect([stdout, stderr]).toEqual(['{"run_id":"run-0"}\n', '']);
});
