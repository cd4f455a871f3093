// docs/reference/api-conventions.md#unknown-outcomes: a write whose commit was sent, and whose connection ended before the
// answer, is told so, and not written again by the server: nobody knows whether it was written.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { asSuperuser } from '../testkit/database.ts';
import { freshMetadata } from '../testkit/metadata.ts';

const INGEST =
  'mutation($id: ID!, $n: Int!) { ingestEntity(entityType: "Thing", id: $id, data: {n: $n}) { version } }';

test('writes whose connection ends before the commit is answered are told that they may have been written, and are not repeated', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Thing', version: '1', fields: [{ name: 'n', field_type: 'int' }] },
  });
  await metadata.ask(INGEST, { id: 'first', n: 1 });
  const holder = new pg.Client(metadata.database.url);
  await holder.connect();
  await holder.query('BEGIN; SELECT metadata.open_log()');
  // together, so that they share a transaction, whose commit is sent with it
  const writes = Promise.allSettled(['one', 'two', 'three'].map((id) => metadata.ask(INGEST, { id, n: 1 })));
  const name = new URL(metadata.database.url).pathname.slice(1);
  const waiting = (end: string): Promise<{ pid: number }[]> =>
    asSuperuser(
      `SELECT ${end} AS pid FROM pg_stat_activity WHERE datname = '${name}' AND wait_event = 'advisory'`,
    );
  await expect.poll(() => waiting('pid')).not.toEqual([]);
  await waiting('pg_terminate_backend(pid)');
  // whoever wrote again now would succeed
  await sleep(500);
  await holder.query('ROLLBACK');
  for (const write of await writes)
    expect(write).toMatchObject({
      status: 'rejected',
      reason: {
        message:
          'COMPONENT_UNAVAILABLE: the store gave no answer: what was to be written may have been written, or not',
        details: { component: 'store', upstream_status: null, outcome: 'unknown' },
      },
    });
  await holder.end();
  // the next is written as ever
  expect(await metadata.ask(INGEST, { id: 'first', n: 2 })).toEqual({ version: 2 });
  const { rows } = await metadata.database.pool.query('SELECT id FROM metadata.entity ORDER BY id');
  expect(rows).toEqual([{ id: 'first' }]);
});
