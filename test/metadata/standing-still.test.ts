// A process that stands still while it holds the log's lock (a frozen container, a suspended machine) keeps the
// others from writing for seconds, not for a minute; when it goes on, its write is decided again.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ingest } from '../../subgraphs/metadata/entities/entity-writes.ts';
import { Log } from '../../subgraphs/metadata/log/log.service.ts';
import { Rivals } from '../../subgraphs/metadata/log/rivals.ts';
import { withOpenLog } from '../../subgraphs/metadata/log/log.store.ts';
import { readCatalogue } from '../../subgraphs/metadata/log/schemas.store.ts';
import { admin, freshMetadata } from '../testkit/metadata.ts';

test('a write that stalls under the lock does not block others, and is stored once, after them', async () => {
  await using metadata = await freshMetadata();
  const { pool, pipelined } = metadata.database;
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Thing', version: '1', fields: [] },
  });
  const catalogue = await readCatalogue(pool);
  let stood = 0;
  const log = new Log({
    withOpenLog: (work, options) =>
      withOpenLog(
        pipelined,
        async (open) => {
          if (stood++ === 0) await sleep(6000);
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
  const author = { ...admin, contextText: null };
  const late = log.write(ingest({ entityType: 'Thing', id: 'late', mayExist: false, data: {}, author }));
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
}, 60_000);
