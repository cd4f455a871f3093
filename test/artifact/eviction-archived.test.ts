// What an archive of the log has yet to copy is left (docs/reference/artifact.md#eviction), and keeps nothing else.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LOCKS } from '../../platform/database/advisory-locks.ts';
import { objectKey, readHash } from '../../subgraphs/artifact/storage/object-store.ts';
import { noteUploaded } from '../../subgraphs/artifact/storage/uploaded-files.store.ts';
import { startServer } from '../testkit/server.ts';
import { putContent } from './stored-files.ts';

const fail = (): never => expect.unreachable();

test('files that are not archived are left, but not those that cannot be; content that comes again is', async () => {
  await using server = await startServer({ transport: 'in-process' });
  const { pool } = server.database;
  const hashes: string[] = [];
  for (const content of ['archived', 'new', 'lost'])
    hashes.push(`sha256:${await putContent(server, content)}`);
  const [archived = '', fresh = '', lost = ''] = hashes;
  await pool.query('UPDATE artifact.stored_object SET archived_at = now() WHERE hash = $1', [archived]);
  await rm(path.join(server.dataDir, 'artifacts', 'sha256', objectKey(readHash(lost) ?? fail())));
  const archiver = await pool.connect();
  await archiver.query('SELECT pg_advisory_lock($1)', [LOCKS.archive]);
  const evict = (what: string) => server.rest('DELETE', `/api/v1/artifact/cache/${what}`);
  try {
    expect((await evict('*')).body).toMatchObject({
      evicted: 2,
      left: [{ hash: fresh, reason: expect.stringContaining('archive of the log') as string }],
      left_total: 1,
    });
    expect((await evict(fresh)).status).toBe(409);
  } finally {
    archiver.release(true);
  }
  await expect.poll(async () => (await evict('*')).body as object).toMatchObject({ evicted: 1 });
  const upload = { actor: 'user:a', uploads: '[null]', name: null, mediaType: null, seconds: 60 };
  await noteUploaded(pool, { hash: readHash(archived) ?? fail(), size: 8, ...upload });
  const { rows } = await pool.query(
    'SELECT hash FROM artifact.stored_object WHERE evicted_at IS NULL AND archived_at IS NULL',
  );
  expect(rows).toEqual([{ hash: archived }]);
});
