// docs/reference/artifact.md#directories: packing is deterministic, and no archive leads outside of its
// target directory.
import { createHash } from 'node:crypto';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import tar from 'tar-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ArchiveRefused, unpackDirectory } from '../../subgraphs/artifact/storage/directory-archive.ts';
import { packDirectory } from '../../subgraphs/artifact/storage/pack-directory.ts';

const LIMITS = { bytes: 10_000_000, entries: 1000 };
const never = new AbortController().signal;
let root: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'cairn-archive-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
const fresh = (): string => path.join(root, `at-${++count}`);
const hashOf = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

const BIG = Buffer.alloc(3_000_000, 'cairn');
const LONG = `${'long'.repeat(40)}.txt`;

/** The same tree, created in any order. */
async function tree(order: readonly string[]): Promise<string> {
  const directory = fresh();
  await mkdir(path.join(directory, 'sub', 'empty'), { recursive: true });
  const make: Record<string, () => Promise<unknown>> = {
    big: () => writeFile(path.join(directory, 'big.bin'), BIG),
    none: () => writeFile(path.join(directory, 'none'), ''),
    tool: async () => {
      await writeFile(path.join(directory, 'sub', 'tool'), '#!/bin/sh\n');
      await chmod(path.join(directory, 'sub', 'tool'), 0o775);
    },
    word: () => writeFile(path.join(directory, 'sub', 'größe ☃'), 'umlaut'),
    long: () => writeFile(path.join(directory, 'sub', LONG), 'long'),
    link: () => symlink('../big.bin', path.join(directory, 'sub', 'near')),
    whole: () => symlink(path.join(directory, 'sub'), path.join(directory, 'to-sub')),
  };
  for (const name of order) await make[name]?.();
  return directory;
}
const NAMES = ['big', 'none', 'tool', 'word', 'long', 'link', 'whole'];

async function packed(directory: string, limits = LIMITS): Promise<string> {
  const file = `${fresh()}.tar`;
  await packDirectory(directory, file, limits, never);
  return file;
}
async function unpacked(file: string, limits = LIMITS): Promise<string> {
  const directory = fresh();
  await unpackDirectory(file, directory, limits, never);
  return directory;
}

test('equal directories have the same content hash, whenever and in whatever order they were created; unpacking gives what was packed', async () => {
  const [one, other] = [await tree(NAMES), await tree([...NAMES].reverse())];
  await utimes(path.join(other, 'none'), 1, 1);
  const file = await packed(one);
  expect(await hashOf(await packed(other))).toBe(await hashOf(file));
  const back = await unpacked(file);
  expect(await hashOf(await packed(back))).toBe(await hashOf(file));
  expect(BIG.equals(await readFile(path.join(back, 'big.bin')))).toBe(true);
  expect(await readFile(path.join(back, 'to-sub', 'größe ☃'), 'utf8')).toBe('umlaut');
  expect(await readFile(path.join(back, 'sub', LONG), 'utf8')).toBe('long');
  expect(BIG.equals(await readFile(path.join(back, 'sub', 'near')))).toBe(true);
  expect((await stat(path.join(back, 'sub', 'tool'))).mode & 0o777).toBe(0o755);
  expect([await readlink(path.join(back, 'to-sub')), await readdir(path.join(back, 'sub', 'empty'))]).toEqual(
    ['sub', []],
  );
  expect((await readdir(back)).sort()).toEqual(['big.bin', 'none', 'sub', 'to-sub']);
});

test('an empty directory, and one that was gzipped elsewhere, come back', async () => {
  const empty = fresh();
  await mkdir(empty);
  expect(await readdir(await unpacked(await packed(empty)))).toEqual([]);
  const zipped = `${fresh()}.tar.gz`;
  await writeFile(zipped, gzipSync(await readFile(await packed(await tree(NAMES)))));
  expect(await readFile(path.join(await unpacked(zipped), 'sub', 'tool'), 'utf8')).toBe('#!/bin/sh\n');
});

const OUTSIDE: readonly (readonly [string, string, (directory: string) => Promise<unknown>])[] = [
  [
    'an absolute link out',
    'contains a link that is broken or leads outside',
    (d) => symlink('/etc/passwd', path.join(d, 'x')),
  ],
  [
    'a link upwards',
    'contains a link that is broken or leads outside',
    (d) => symlink('../../..', path.join(d, 'x')),
  ],
  [
    'a link to nowhere',
    'contains a link that is broken or leads outside',
    (d) => symlink('nowhere', path.join(d, 'x')),
  ],
  [
    'a link to itself',
    'contains a link that is broken or leads outside',
    (d) => symlink('x', path.join(d, 'x')),
  ],
  [
    'a socket',
    'neither a file nor a directory',
    (d) =>
      new Promise((resolve) => {
        const server = createServer().listen(path.join(d, 's'), () => {
          resolve(server.unref());
        });
      }),
  ],
  [
    'a name of other bytes',
    'whose name is not UTF-8',
    (d) => writeFile(Buffer.concat([Buffer.from(`${d}/`), Buffer.from([0xff, 0xfe])]), 'x'),
  ],
];
test.each(OUTSIDE)('a directory with %s is not packed', async (_, message, make) => {
  const directory = path.join(root, String(++count)); // short, because the path of a socket is limited
  await mkdir(directory);
  await writeFile(path.join(directory, 'good'), 'x');
  await make(directory);
  await expect(packed(directory)).rejects.toThrow(message);
});

test('a directory beyond the limits is neither packed nor unpacked', async () => {
  const directory = await tree(NAMES);
  await expect(packed(directory, { bytes: 1000, entries: 1000 })).rejects.toThrow(
    'contains more than 1000 bytes',
  );
  await expect(packed(directory, { bytes: 10_000_000, entries: 3 })).rejects.toThrow(
    'contains more than 3 files and directories',
  );
  const file = await packed(directory);
  await expect(unpacked(file, { bytes: 1000, entries: 1000 })).rejects.toThrow(
    'contains more than 1000 bytes',
  );
  await expect(unpacked(file, { bytes: 10_000_000, entries: 3 })).rejects.toThrow(
    'contains more than 3 files and directories',
  );
});

async function archive(...entries: readonly (readonly [tar.Headers, string?])[]): Promise<Buffer> {
  const pack = tar.pack();
  for (const [header, content] of entries) pack.entry(header, content ?? '');
  pack.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of pack) chunks.push(chunk);
  return Buffer.concat(chunks);
}
const file = (name: string, content = 'evil'): readonly [tar.Headers, string] => [
  { name, type: 'file' },
  content,
];
const linked = (name: string, linkname: string): readonly [tar.Headers] => [
  { name, linkname, type: 'symlink' },
];
const directoryOf = (name: string): readonly [tar.Headers] => [{ name, type: 'directory' }];

const HOSTILE: readonly (readonly [string, string, () => Promise<Buffer>])[] = [
  ['a path upwards', 'leads outside of it', () => archive(file('../escaped'))],
  ['a path upwards in the middle', 'leads outside of it', () => archive(file('a/../../escaped'))],
  ['an absolute path', 'leads outside of it', () => archive(file(path.join(root, 'escaped')))],
  ['a directory upwards', 'leads outside of it', () => archive(directoryOf('../escaped'))],
  ['a link out', 'a link that leads outside', () => archive(linked('x', '../..'))],
  ['an absolute link', 'a link that leads outside', () => archive(linked('x', '/etc'))],
  ['a file through a link', 'conflicting names', () => archive(linked('x', '.'), file('x/escaped'))],
  ['a file through a link out', 'leads outside', () => archive(linked('x', '..'), file('x/escaped'))],
  ['a file in place of a link', 'conflicting names', () => archive(file('x'), linked('x', 'y'))],
  [
    'a link that leads out over another',
    'broken or leads outside of it',
    () => archive(directoryOf('a/b'), linked('a/b/x', '../..'), linked('y', 'a/b/x/../..')),
  ],
  ['a link to nowhere', 'broken or leads outside of it', () => archive(linked('x', 'y'))],
  ['links in a circle', 'broken or leads outside of it', () => archive(linked('x', 'y'), linked('y', 'x'))],
  [
    'a hard link',
    'not a file, directory or symbolic link',
    () => archive(file('a'), [{ name: 'b', linkname: '/etc/passwd', type: 'link' }]),
  ],
  [
    'a device',
    'not a file, directory or symbolic link',
    () => archive([{ name: 'null', type: 'character-device', devmajor: 1, devminor: 3 }]),
  ],
  ['a fifo', 'not a file, directory or symbolic link', () => archive([{ name: 'pipe', type: 'fifo' }])],
  ['a name twice', 'conflicting names', () => archive(file('a'), file('a'))],
  ['a file as directory', 'conflicting names', () => archive(file('a'), file('a/b'))],
  ['a name that no file can have', 'conflicting names', () => archive(file('n'.repeat(300)))],
  ['directories without end', 'contains more than 1000 files', () => archive(file(`${'d/'.repeat(1500)}x`))],
  ['nothing of an archive', 'is not a tar archive', () => Promise.resolve(Buffer.from('hello'))],
  ['other bytes', 'is not a tar archive', () => Promise.resolve(Buffer.alloc(4096, 7))],
  [
    'its second half missing',
    'damaged',
    async () => (await archive(file('a', 'x'.repeat(5000)))).subarray(0, 2048),
  ],
  [
    'zeros without end',
    'headers that are too long',
    () => Promise.resolve(gzipSync(Buffer.alloc(20_000_000))),
  ],
  [
    'a header without end',
    'headers that are too long',
    async () => {
      const bomb = await archive([{ name: 'pax', type: 'file' }, 'x'.repeat(20_000_000)]);
      bomb[156] = 'x'.charCodeAt(0);
      bomb.write('        ', 148, 'latin1');
      bomb.write(
        `${bomb
          .subarray(0, 512)
          .reduce((sum, byte) => sum + byte, 0)
          .toString(8)
          .padStart(6, '0')}\0 `,
        148,
        'latin1',
      );
      return bomb;
    },
  ],
];
test.each(HOSTILE)('an archive with %s is refused', async (_, message, make) => {
  const place = `${fresh()}.tar`;
  await writeFile(place, await make());
  const directory = path.join(fresh(), 'deep', 'down');
  const refused = await unpackDirectory(place, directory, LIMITS, never).catch((fault: unknown) => fault);
  expect(refused).toBeInstanceOf(ArchiveRefused);
  expect(String(refused)).toContain(message);
  expect(await lstat(path.join(root, 'escaped')).catch(() => null)).toBeNull();
  expect(await readdir(path.dirname(directory))).toEqual(['down']);
});

test('owners and special rights are left behind; hard links of this machine are files', async () => {
  const place = `${fresh()}.tar`;
  await writeFile(place, await archive([{ name: 'tool', type: 'file', mode: 0o6777, uid: 12_345 }, 'x']));
  const found = await stat(path.join(await unpacked(place), 'tool'));
  expect([found.mode & 0o7777 & ~0o022, found.uid]).toEqual([0o755, process.getuid?.()]);
  const directory = fresh();
  await mkdir(directory);
  await writeFile(path.join(directory, 'a'), 'both');
  await link(path.join(directory, 'a'), path.join(directory, 'b'));
  expect(await readFile(path.join(await unpacked(await packed(directory)), 'b'), 'utf8')).toBe('both');
});

test('packing and unpacking stop when they are aborted', async () => {
  const stop = AbortSignal.abort(new Error('enough'));
  const directory = await tree(NAMES);
  await expect(packDirectory(directory, `${fresh()}.tar`, LIMITS, stop)).rejects.toThrow('enough');
  await expect(unpackDirectory(await packed(directory), fresh(), LIMITS, stop)).rejects.toThrow('enough');
});
