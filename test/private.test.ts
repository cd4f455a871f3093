// Files of a running server are accessible to its account only.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectRoot } from '../platform/project-root.ts';
import { startProcess } from './testkit/server-process.ts';

/**
 * Everything below a folder that others may read, write or list; as root, PostgreSQL's group may pass
 * through.
 */
async function openBelow(dir: string): Promise<string[]> {
  const isRoot = process.geteuid?.() === 0;
  const passable = isRoot ? [dir, path.join(dir, 'postgres')] : [];
  const all = [dir, ...(await readdir(dir, { recursive: true })).map((name) => path.join(dir, name))];
  const open: string[] = [];
  for (const file of all) {
    const found = await stat(file).catch(() => undefined); // removed meanwhile
    if (found !== undefined && (found.mode & (passable.includes(file) ? 0o067 : 0o077)) !== 0)
      open.push(`${(found.mode & 0o777).toString(8)} ${file}`);
  }
  return open;
}

test('files of a server are readable by its account alone, whatever the umask and whatever existed before', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-private-'));
  const dataDir = path.join(dir, 'data');
  const before = process.umask(0o022);
  try {
    await chmod(dir, 0o755);
    const first = await startProcess({ dataDir });
    expect(
      (await fetch(`${first.url}/api/v1/metadata/entities`, { headers: { 'x-api-key': first.key } })).status,
    ).toBe(200);
    await first.end('SIGTERM');
    await writeFile(path.join(dir, 'gateway.yaml'), '');
    await promisify(execFile)(process.execPath, ['cli/cairn.mjs', 'users', 'list', '--json'], {
      cwd: projectRoot,
      env: { ...process.env, CAIRN_DATA_DIR: dataDir },
    });
    expect(await openBelow(dataDir)).toEqual([]);
    for (const name of ['admin-key', 'audit.jsonl']) await chmod(path.join(dataDir, name), 0o644);
    const second = await startProcess({ dataDir });
    expect(await openBelow(dataDir)).toEqual([]);
    await second.end('SIGTERM');
  } finally {
    process.umask(before);
    await rm(dir, { recursive: true });
  }
});
