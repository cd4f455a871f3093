// npm runs no install scripts here, so restoreSymlinks creates the links that PostgreSQL's package script
// would create.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { locateBinaries, restoreSymlinks } from './binaries.ts';

test('links that the package cannot contain are created once', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-links-'));
  try {
    const native = path.join(root, 'native');
    fs.mkdirSync(path.join(native, 'lib'), { recursive: true });
    fs.writeFileSync(path.join(native, 'lib', 'libpq.so.5.18'), 'the library');
    const names = ['native/lib/libpq.so.5', 'native/lib/libpq.so'];
    fs.writeFileSync(
      path.join(native, 'pg-symlinks.json'),
      JSON.stringify(names.map((target) => ({ source: 'native/lib/libpq.so.5.18', target }))),
    );
    for (let start = 0; start < 2; start++) restoreSymlinks(native);
    for (const name of names)
      expect(
        fs.existsSync(path.join(root, name)) && fs.readFileSync(path.join(root, name), 'utf8'),
        name,
      ).toBe('the library');
  } finally {
    fs.rmSync(root, { recursive: true });
  }
});

describe('which PostgreSQL is run', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-binaries-'));
  const install = (major: number, name = `${major}/bin`): string => {
    const directory = path.join(root, name);
    fs.mkdirSync(directory, { recursive: true });
    for (const program of ['postgres', 'initdb'])
      fs.writeFileSync(
        path.join(directory, program),
        `#!/bin/sh\necho "${program} (PostgreSQL) ${major}.4 (Debian)"\n`,
        { mode: 0o755 },
      );
    return directory;
  };
  const places = [path.join(root, '*/bin')];
  const bundled = locateBinaries({ places: [] });

  test('the binaries from npm are used if nothing is installed or the installed version is too old', () => {
    expect(path.basename(path.dirname(bundled))).toBe('native');
    install(15);
    expect(locateBinaries({ places })).toBe(bundled);
  });

  test('the newest installed version is used; for an existing cluster only the version that created it', () => {
    const [seventeen, nineteen] = [install(17), install(19)];
    expect(locateBinaries({ places })).toBe(nineteen);
    expect(locateBinaries({ places, clusterMajor: 17 })).toBe(seventeen);
    expect(locateBinaries({ places, clusterMajor: 18 })).toBe(bundled);
  });

  test('the configured binaries are used, or the start fails with the reason', () => {
    const [fourteen, eighteen] = [install(14, 'own-14'), install(18, 'own-18')];
    expect(locateBinaries({ configured: eighteen, places })).toBe(eighteen);
    expect(locateBinaries({ configured: eighteen, places, clusterMajor: 18 })).toBe(eighteen);
    expect(() => locateBinaries({ configured: fourteen })).toThrow('is PostgreSQL 14: 17 or newer is needed');
    expect(() => locateBinaries({ configured: eighteen, clusterMajor: 17 })).toThrow(
      'is PostgreSQL 18, and the data directory was made by 17',
    );
    expect(() => locateBinaries({ configured: path.join(root, 'nowhere') })).toThrow(
      'has no working postgres and initdb',
    );
  });
});
