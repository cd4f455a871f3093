// A process that stands still while it holds the log's lock (a frozen container, a suspended machine) keeps the
// others from writing for seconds, not for a minute; when it goes on, its write is decided again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { ingest } from '../../subgraphs/metadata/entities/entity-writes.ts';
import { Log } from '../../subgraphs/metadata/log/log.service.ts';
import { Rivals } from '../../subgraphs/metadata/log/rivals.ts';
import { withOpenLog } from '../../subgraphs/metadata/log/log.store.ts';
import type { EntityState, Write } from '../../subgraphs/metadata/log/write.ts';
import type { SchemaCatalogue } from '../../subgraphs/metadata/schema-model/schema-catalogue.ts';
import { readCatalogue } from '../../subgraphs/metadata/log/schemas.store.ts';
import { admin, freshMetadata } from '../testkit/metadata.ts';

/** @param stand is called while the lock is held */
const logThat = (pipelined: Pool, catalogue: SchemaCatalogue, stand: () => Promise<void>): Log =>
  new Log({
    withOpenLog: (work, options) =>
      withOpenLog(
        pipelined,
        async (open) => {
          await stand();
          return work(open);
        },
        // as where another process was faster
        { ...options, isAhead: false, clockAheadSeconds: 60 },
      ),
    catalogue: () => catalogue,
    rivals: new Rivals(),
    validate: () => undefined,
    largeStates: () => Promise.resolve(new Map()),
  });

const thing = (id: string): Write<EntityState> =>
  ingest({ entityType: 'Thing', id, mayExist: false, data: {}, author: { ...admin, contextText: null } });

async function things(): ReturnType<typeof freshMetadata> {
  const metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Thing', version: '1', fields: [] },
  });
  return metadata;
}

test('a write that stalls under the lock does not block others, and is stored once, after them', async () => {
  await using metadata = await things();
  const { pool, pipelined } = metadata.database;
  let stood = 0;
  const log = logThat(pipelined, await readCatalogue(pool), async () => {
    if (stood++ === 0) await sleep(6000);
  });
  const late = log.write(thing('late'));
  await expect.poll(() => stood).toBe(1);
  const began = performance.now();
  await metadata.ask('mutation { ingestEntity(entityType: "Thing", id: "prompt", data: {}) { id } }');
  expect(performance.now() - began).toBeLessThan(5500);
  await late;
  const { rows } = await pool.query(
    `SELECT entity_id FROM metadata.provenance WHERE entity_id IS NOT NULL ORDER BY position`,
  );
  expect(rows).toEqual([{ entity_id: 'prompt' }, { entity_id: 'late' }]);
  expect(stood).toBe(2);
});

test('where it stalls again and again, the caller is told to try again, and nothing is written', async () => {
  await using metadata = await things();
  const { pool, pipelined } = metadata.database;
  let stood = 0;
  const log = logThat(pipelined, await readCatalogue(pool), async () => {
    stood++;
    await sleep(4500);
  });
  await expect(log.write(thing('late'))).rejects.toMatchObject({
    status: 503,
    message: 'this process stood still while it was writing: nothing was written, try again',
  });
  expect(stood).toBe(3);
  const { rows } = await pool.query('SELECT id FROM metadata.entity');
  expect(rows).toEqual([]);
});
