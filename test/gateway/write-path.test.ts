// Whether writes get through is told by the probe of orchestrators and by the health report; reads go on meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { writePath, writeProblem } from '../../platform/database/write-path.store.ts';
import { asSuperuser, freshDatabase } from '../testkit/database.ts';
import { startServer } from '../testkit/server.ts';

test(
  'a log that somebody keeps is told after some seconds, and while it is kept',
  { timeout: 120_000 },
  async () => {
    await using server = await startServer({
      config: 'observability: {health: {cache_seconds: 0}}\n',
      transport: 'in-process',
    });
    const readiness = async () => (await server.rest('GET', '/readyz', { key: null })).body as unknown;
    expect(await readiness()).toEqual({ status: 'ready', writes: 'open' });
    await server.rest('POST', '/api/v1/metadata/schemas', {
      body: { name: 'Thing', version: '1', fields: [] },
    });
    const keeper = new pg.Client(server.database.url);
    await keeper.connect();
    try {
      await keeper.query('BEGIN');
      await keeper.query('SELECT metadata.open_log()');
      const write = server.rest('POST', '/api/v1/metadata/ingest', {
        body: { entity_type: 'Thing', data: {} },
      });
      await sleep(500);
      expect(await readiness()).toEqual({ status: 'ready', writes: 'open' });
      await expect.poll(readiness).toEqual({ status: 'ready', writes: 'waiting' });
      const { body } = await server.rest('GET', '/api/v1/gateway/health');
      expect(body).toMatchObject({
        status: 'degraded',
        components: { metadata: { status: 'degraded', detail: 'writes_waiting' } },
      });
      expect((await server.rest('GET', '/api/v1/metadata/entities')).status).toBe(200);
      await keeper.query('ROLLBACK');
      expect((await write).status).toBe(200);
      expect(await readiness()).toEqual({ status: 'ready', writes: 'open' });
    } finally {
      await keeper.end();
    }
  },
);

test('a database that takes no writes is told', async () => {
  await using database = await freshDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    const server = (embedded: boolean, isFull = false) => ({ pool: client, embedded, space: { isFull } });
    expect([await writePath(server(false)), await writeProblem(server(true))]).toEqual(['open', null]);
    expect(await writeProblem(server(false, true))).toBe('writes_disk_full');
    await client.query('SET default_transaction_read_only = on');
    expect([await writePath(server(false)), await writeProblem(server(false))]).toEqual([
      'read_only',
      'writes_read_only',
    ]);
    // the embedded server is no standby
    expect(await writePath(server(true))).toBe('disk_full');
  } finally {
    await client.end();
  }
});

test('a process that knows an older form of the log than the database writes nothing, and is not ready', async () => {
  await using server = await startServer({
    config: 'observability: {health: {cache_seconds: 0}}\n',
    transport: 'in-process',
  });
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: { name: 'Thing', version: '1', fields: [] },
  });
  const ingest = (id: string) =>
    server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'Thing', data: { id } } });
  expect((await ingest('before')).status).toBe(200);
  const migration = asSuperuser(
    `BEGIN; SELECT metadata.open_log(); SELECT pg_sleep(1);
      UPDATE metadata.write_format SET format = format + 1; COMMIT`,
    new URL(server.database.url).pathname.slice(1),
  );
  await sleep(300);
  const meanwhile = ['a', 'b', 'c'].map(ingest); // they wait for the lock while the form changes
  await migration;
  for (const { status, body } of [...(await Promise.all(meanwhile)), await ingest('after')])
    expect([status, body]).toMatchObject([
      503,
      { error: 'component_unavailable', message: expect.stringContaining('must be replaced by the newer') },
    ]);
  expect(await server.rest('GET', '/readyz', { key: null })).toMatchObject({
    status: 503,
    body: { status: 'not ready', writes: 'outdated', reason: 'outdated' },
  });
  const { body } = await server.rest('GET', '/api/v1/metadata/entities');
  expect(body).toMatchObject({ data: { total: 1 } });
});
