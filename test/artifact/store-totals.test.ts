// The totals of the artifact store follow every change of it, and are added up by whoever reads them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/connect.ts';
import { addUpStore, readArtifactState } from '../../subgraphs/artifact/metrics/artifact-gauges.store.ts';
import { freshDatabase } from '../testkit/database.ts';

let database: Database & AsyncDisposable;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const totals = async () => {
  const { files, bytes, changes } = await readArtifactState(database.pool);
  return { files, bytes, changes };
};
const change = (sql: string) => database.pool.query(sql);

test('what is stored, evicted, stored again and removed is counted', async () => {
  await change(
    `INSERT INTO artifact.stored_object (hash, size) SELECT 'sha256:' || n, n FROM generate_series(1, 10) n`,
  );
  expect(await totals()).toMatchObject({ files: 10, bytes: 55 });
  await change(
    `UPDATE artifact.stored_object SET evicted_at = now() WHERE hash IN ('sha256:10', 'sha256:9')`,
  );
  expect(await totals()).toMatchObject({ files: 8, bytes: 36 });
  await change(`UPDATE artifact.stored_object SET evicted_at = NULL WHERE hash = 'sha256:9'`);
  await change(`UPDATE artifact.stored_object SET last_used_at = now()`);
  await change(`DELETE FROM artifact.stored_object WHERE hash IN ('sha256:1', 'sha256:10')`);
  expect(await totals()).toMatchObject({ files: 8, bytes: 44 });
});

test('changes are added up while others are written, by two at once, and nothing is lost', async () => {
  const stored = (of: number) =>
    change(
      `INSERT INTO artifact.stored_object (hash, size) SELECT 'sha256:${of}-' || n, 1 FROM generate_series(1, 200) n`,
    );
  await Promise.all([
    ...Array.from({ length: 5 }, (_, of) => stored(of)),
    ...Array.from({ length: 10 }, () => addUpStore(database.pool)),
  ]);
  expect(await totals()).toMatchObject({ files: 1008, bytes: 1044 });
  await addUpStore(database.pool);
  expect(await totals()).toEqual({ files: 1008, bytes: 1044, changes: 1 });
});
