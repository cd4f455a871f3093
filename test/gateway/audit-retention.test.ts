// docs/reference/gateway.md#retention-of-audit-records: old records are deleted, by as many processes as there are, and
// nothing else.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/connect.ts';
import { createAuditLog } from '../../router/edge/audit/audit-log.ts';
import { postgresSink } from '../../router/edge/audit/postgres-sink.ts';
import { startAuditRetention } from '../../router/edge/audit/audit-retention.ts';
import { asSuperuser, freshDatabase } from '../testkit/database.ts';

const silent = pino({ level: 'silent' });
let database: Database & AsyncDisposable;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const paths = async (): Promise<Record<string, number>> => {
  const { rows } = await database.pool.query<{ path: string; n: number }>(
    'SELECT path, count(*)::int AS n FROM gateway.audit_record GROUP BY path',
  );
  return Object.fromEntries(rows.map(({ path, n }) => [path, n]));
};

test('records older than the period are deleted, by two processes at once, and a record says how many', async () => {
  await database.pool.query(
    `INSERT INTO gateway.audit_record (timestamp, request_id, actor, method, path, status, latency_ms, ip)
     SELECT now() - age, gen_random_uuid(), 'user:ada', 'GET', path, 200, 1, 'local'
     FROM (VALUES (interval '41 days', '/old', 12000), (interval '39 days', '/young', 100)) v (age, path, n), generate_series(1, n)`,
  );
  const audit = createAuditLog(postgresSink(database.pool), silent);
  const options = { db: database.pool, days: 40, audit, log: silent, everyMs: 50 };
  const stops = [startAuditRetention(options), startAuditRetention(options)];
  await expect.poll(paths).toMatchObject({ '/young': 100, retention: expect.any(Number) as number });
  await sleep(120); // another round finds nothing, and says nothing
  await Promise.all(stops.map((stop) => stop()));
  await audit.close();
  const { rows } = await database.pool.query<{ gone: number }>(
    `SELECT sum((changes -> 0 -> 'details' ->> 'records')::int)::int AS gone FROM gateway.audit_record WHERE path = 'retention'`,
  );
  expect([rows[0]?.gone, (await paths())['/old']]).toEqual([12_000, undefined]);
});

test('the owner deletes none by mistake', async () => {
  const { rows } = await database.pool.query<{ name: string }>('SELECT current_database() AS name');
  await expect(
    asSuperuser('SET ROLE cairn_owner; DELETE FROM gateway.audit_record', rows[0]?.name),
  ).rejects.toMatchObject({ code: '42501' });
});
