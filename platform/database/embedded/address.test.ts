import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSocket, socketDirectory } from './address.ts';
import { clusterFiles } from './cluster.ts';
import type { RunAs } from './run-as.ts';

const made = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-address-'));
afterAll(() => {
  fs.rmSync(made, { recursive: true });
});
const as = { own: () => undefined } as unknown as RunAs; // the only method in use

test('the socket lies in the data directory, for its account alone, and nothing listens on TCP', () => {
  const files = clusterFiles(made);
  fs.mkdirSync(files.cluster);
  const { address, port, settings } = openSocket(files, as);
  const directory = path.join(files.root, 'socket');
  expect([address, port, settings['listen_addresses'], settings['ssl']]).toEqual([
    `${encodeURIComponent(directory)}:5432`,
    5432,
    '',
    'off',
  ]);
  expect(fs.statSync(directory).mode & 0o777).toBe(0o700);
  expect(new URL(`postgresql://a:b@${address}/c`).pathname).toBe('/c');
});

test('a directory that is too deep for a socket has it elsewhere, under a name of its own', () => {
  const deep = (name: string): string => socketDirectory(path.join('/', name.repeat(50), 'postgres'));
  expect(Buffer.byteLength(path.join(deep('ab'), '.s.PGSQL.5432'))).toBeLessThan(104);
  expect(deep('ab')).not.toBe(deep('cd'));
});

test('anything else in place of the directory is rejected', () => {
  const files = clusterFiles(path.join(made, 'taken'));
  fs.mkdirSync(files.cluster);
  fs.writeFileSync(path.join(files.root, 'socket'), '');
  expect(() => openSocket(files, as)).toThrow();
});
