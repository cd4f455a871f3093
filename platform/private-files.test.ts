import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { keepPrivate } from './private-files.ts';

const log = pino({ level: 'silent' });
const modeOf = (file: string): string => (fs.statSync(file).mode & 0o7777).toString(8);

function folder(mode: number): string {
  const dir = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-private-')), 'data');
  fs.mkdirSync(dir);
  fs.chmodSync(dir, mode);
  onTestFinished(() => {
    fs.rmSync(path.dirname(dir), { recursive: true });
  });
  return dir;
}

test('what others could read of a data folder is closed at start, and rights are never given', () => {
  const dir = folder(0o755);
  for (const [name, mode] of [
    ['admin-key', 0o644],
    ['audit.jsonl.1', 0o666],
    ['audit.jsonl.2', 0o400],
  ] as const) {
    fs.writeFileSync(path.join(dir, name), '');
    fs.chmodSync(path.join(dir, name), mode);
  }
  fs.mkdirSync(path.join(dir, 'artifacts'));
  fs.chmodSync(path.join(dir, 'artifacts'), 0o777);
  const outside = path.join(path.dirname(dir), 'outside');
  fs.writeFileSync(outside, '');
  fs.chmodSync(outside, 0o644);
  fs.symlinkSync(outside, path.join(dir, 'link'));
  keepPrivate(dir, log);
  expect(
    ['', 'admin-key', 'audit.jsonl.1', 'audit.jsonl.2', 'artifacts'].map((name) =>
      modeOf(path.join(dir, name)),
    ),
  ).toEqual(['700', '600', '600', '400', '700']);
  expect(modeOf(outside)).toBe('644');
});

test.runIf(process.geteuid?.() === 0)(
  "as root, the way to PostgreSQL is its group's alone, and where it was closed it stays closed",
  () => {
    const dir = folder(0o755);
    const cluster = path.join(dir, 'postgres/cluster');
    fs.mkdirSync(cluster, { recursive: true });
    fs.chmodSync(path.join(dir, 'postgres'), 0o755);
    fs.chmodSync(cluster, 0o700);
    fs.chownSync(cluster, 65_534, 65_533);
    keepPrivate(dir, log);
    for (const way of [dir, path.join(dir, 'postgres')])
      expect([modeOf(way), fs.statSync(way).uid, fs.statSync(way).gid]).toEqual(['710', 0, 65_533]);
    expect(fs.statSync(cluster).uid).toBe(65_534);
    fs.chmodSync(dir, 0o700);
    keepPrivate(dir, log);
    expect(modeOf(dir)).toBe('700');
    fs.chmodSync(dir, 0o755);
    fs.mkdirSync(path.join(dir, 'of-another-program'));
    keepPrivate(dir, log);
    expect(modeOf(dir)).toBe('711');
    fs.chownSync(cluster, 0, 0); // root of a user namespace needs nobody's rights
    fs.chmodSync(path.join(dir, 'postgres'), 0o711);
    keepPrivate(dir, log);
    expect(modeOf(path.join(dir, 'postgres'))).toBe('700');
  },
);

test('a folder that is shared on purpose stays so', () => {
  const dir = folder(0o1777);
  keepPrivate(dir, log);
  expect(modeOf(dir)).toBe('1777');
  keepPrivate(path.join(dir, 'missing'), log);
});

test('what is not of Cairn stays as it is: a data folder may be a home, or the folder for temporary files', () => {
  for (const mode of [0o755, 0o1777]) {
    const dir = folder(mode);
    fs.mkdirSync(path.join(dir, 'of-another-program'));
    fs.chmodSync(path.join(dir, 'of-another-program'), 0o755);
    keepPrivate(dir, log);
    expect(modeOf(path.join(dir, 'of-another-program'))).toBe('755');
  }
});
