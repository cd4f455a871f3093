// docs/reference/backups.md: a disk that is full, for which one has to be root. Nothing that looks whole is left, and what
// failed is repeated once there is room.
import { execFileSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bootDatabase } from '../../platform/database/boot.ts';
import { listKept } from '../../standalone/backups.ts';
import { log, startInstance } from '../archive/archive-testkit.ts';
import { backUp, emptyPlace, restoreTo, scratchFolder, verify } from './backup-testkit.ts';

const mount = (...args: string[]): void => {
  execFileSync('mount', args, { stdio: 'pipe' });
};

test.skipIf(process.getuid?.() !== 0)(
  'a backup onto a full disk, and a restore onto one, say so and are repeated',
  { timeout: 120_000 },
  async () => {
    await using folder = await scratchFolder();
    const [disk, store] = [path.join(folder.dir, 'disk'), path.join(folder.dir, 'store')];
    for (const dir of [disk, store]) {
      await mkdir(dir);
      mount('-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', dir);
    }
    try {
      await using first = await startInstance();
      await first.rest('POST', '/api/v1/metadata/schemas', {
        body: { name: 'Scan', version: '1', fields: [{ name: 'uri', field_type: 'uri' }] },
      });
      await first.rest('POST', '/api/v1/metadata/ingest', {
        body: { entity_type: 'Scan', id: 'scan', data: {} },
      });
      const content = randomBytes(3_000_000);
      const kept = await first.rest(
        'PUT',
        `/api/v1/artifact/files/${hash('sha256', content)}?name=s&entity_id=scan&field=uri`,
        { body: content, headers: { 'content-type': 'application/octet-stream' } },
      );
      expect(kept.status).toBe(201);

      await expect(backUp(first.config, path.join(disk, 'one.tar'))).rejects.toThrow(
        'there is no room left in',
      );
      expect(await readdir(disk)).toEqual([]);
      const many = path.join(disk, 'many');
      await expect(backUp(first.config, many)).rejects.toThrow('there is no room left in');
      const seen = await listKept({ config: first.config, log, place: many, cwd: disk, secrets: {} });
      expect(seen.map(({ whole }) => whole)).toEqual([false]);
      mount('-o', 'remount,size=20m', disk);
      await backUp(first.config, many);
      expect((await verify(first.config, many)).manifest.files.count).toBe(1);

      await using place = await emptyPlace();
      const { artifact } = place.config;
      const config = {
        ...place.config,
        artifact: { ...artifact, store: { ...artifact.store, path: store } },
      };
      const into = { ...place, config } as typeof place; // of the store only the path is another
      await expect(restoreTo(into, many)).rejects.toThrow('there is no room left for the database');
      await expect(bootDatabase({ url: place.scratch.superuserUrl, log })).rejects.toThrow(
        'has not ended, or was interrupted',
      );
      mount('-o', 'remount,size=20m', store);
      expect((await restoreTo(into, many)).manifest.files.count).toBe(1);
    } finally {
      for (const dir of [disk, store]) execFileSync('umount', ['-l', dir]);
    }
  },
);
