// What an administrator begins or restores as root in the folder of the server's account is that account's afterwards, so that
// the server starts over it (docs/operations.md#files).
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { startProcess } from '../testkit/server-process.ts';
import { scratchFolder } from './backup-testkit.ts';

/** `daemon`, for which nothing runs, and which PostgreSQL is not run as by default. */
const SERVER = { uid: 1, gid: 1 };
const isRoot = process.getuid?.() === 0;

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const withFolders = async (
  use: (dir: string, folder: (name: string) => string) => void | Promise<void>,
): Promise<void> => {
  await using scratch = await scratchFolder();
  chmodSync(scratch.dir, 0o755);
  writeFileSync(path.join(scratch.dir, 'gateway.yaml'), 'server: {mode: production, port: 0}');
  await use(scratch.dir, (name) => {
    const made = path.join(scratch.dir, name);
    mkdirSync(made, { mode: 0o700 });
    chownSync(made, SERVER.uid, SERVER.gid);
    return made;
  });
};

const environment = (dataDir: string) => ({
  HOME: path.dirname(dataDir),
  CAIRN_CONFIG: path.join(path.dirname(dataDir), 'gateway.yaml'),
  CAIRN_DATA_DIR: dataDir,
});

const cairn = (dataDir: string, args: readonly string[], account: object = {}): Ran =>
  spawnSync(process.execPath, [path.join(projectRoot, 'cli/cairn.mjs'), ...args], {
    cwd: path.dirname(dataDir),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...environment(dataDir) },
    ...account,
  });

/** Starts a server, and stops it once it has said where it is. */
async function startedOnce(dataDir: string): Promise<void> {
  const server = await startProcess({
    dataDir,
    args: ['start', '--initialise'],
    env: environment(dataDir),
  });
  expect(await server.end('SIGTERM')).toBe(0);
}

const entriesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
const rootsOwn = (folder: string): string[] => entriesOf(folder).filter((file) => lstatSync(file).uid === 0);

test.runIf(isRoot)(
  'an instance that root begins, or restores, in the folder of an account is run by that account',
  { timeout: 240_000 },
  async () => {
    await withFolders((dir, folder) => {
      const first = folder('first');
      symlinkSync('/etc/hostname', path.join(first, 'sdl'));
      const begun = cairn(first, ['init']);
      expect(begun.status, begun.stderr).toBe(0);
      expect(statSync('/etc/hostname').uid).toBe(0);
      expect(rootsOwn(first)).toEqual([path.join(first, 'sdl')]); // the link is nobody's business
      const added = cairn(first, ['users', 'list', '--json'], SERVER);
      expect([added.status, added.stderr]).toEqual([0, '']);

      const asRoot = cairn(first, ['start']);
      expect([asRoot.status, asRoot.stderr]).toEqual([
        1,
        expect.stringContaining('start it as that account'),
      ]);

      const kept = path.join(dir, 'cairn.tar');
      const saved = cairn(first, ['backup', kept]);
      expect(saved.status, saved.stderr).toBe(0);
      const second = folder('second');
      const restored = cairn(second, ['restore', kept]);
      expect(restored.status, restored.stderr).toBe(0);
      expect(rootsOwn(second)).toEqual([]);
      const read = cairn(second, ['users', 'list', '--json'], SERVER);
      expect([read.status, read.stderr]).toEqual([0, '']);
    });
  },
);

test.runIf(isRoot)(
  'an instance that a server of root began in the folder of an account stays its own, whatever command root runs over it',
  async () => {
    await withFolders(async (dir, folder) => {
      const data = folder('data');
      await startedOnce(data);
      for (const args of [['users', 'list'], ['init'], ['backup', path.join(dir, 'cairn.tar')]]) {
        const { status, stderr } = cairn(data, args);
        expect([args, status, stderr]).toEqual([args, 0, expect.anything()]);
      }
      expect(rootsOwn(data)).toContain(path.join(data, 'postgres'));
      await startedOnce(data);
    });
  },
);

test.runIf(isRoot)('what root could not begin is in no way of the account either', async () => {
  await withFolders((_, folder) => {
    const data = folder('nameless');
    chownSync(data, 54_321, 54_321); // initdb wants an account with a name
    const { status, stderr } = cairn(data, ['init']);
    expect([status, stderr]).toEqual([1, expect.stringContaining('user does not exist')]);
    expect(entriesOf(data)).toContain(path.join(data, 'postgres'));
    expect(rootsOwn(data)).toEqual([]);
  });
});

test.runIf(isRoot)(
  'a data directory that an account may not read is not taken for an empty one',
  async () => {
    await withFolders((_, folder) => {
      const data = folder('data');
      mkdirSync(path.join(data, 'postgres', 'cluster'), { recursive: true, mode: 0o700 });
      for (const args of [['backup', '-'], ['users', 'list'], ['init'], ['start']]) {
        const { status, stderr } = cairn(data, args, SERVER);
        expect([args, status, stderr]).toEqual([args, 1, expect.stringContaining('permission denied')]);
        expect(stderr).not.toContain('no instance');
      }
    });
  },
);
