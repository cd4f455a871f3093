// npm runs no script of a package unless it is told to: what one would have done to PostgreSQL's libraries is done here.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { restoreSymlinks } from './binaries.ts';

test('links that the package could not bring along are made, once', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-links-'));
  try {
    const native = path.join(root, 'native');
    fs.mkdirSync(path.join(native, 'lib'), { recursive: true });
    fs.writeFileSync(path.join(native, 'lib', 'libpq.so.5.18'), 'the library');
    const names = ['native/lib/libpq.so.5', 'native/lib/libpq.so'];
    fs.writeFileSync(path.join(native, 'pg-symlinks.json'), JSON.stringify(names.map((target) => ({ source: 'native/lib/libpq.so.5.18', target }))));
    for (let start = 0; start < 2; start++) restoreSymlinks(native);
    for (const name of names) expect(fs.existsSync(path.join(root, name)) && fs.readFileSync(path.join(root, name), 'utf8'), name).toBe('the library');
  } finally {
    fs.rmSync(root, { recursive: true });
  }
});
