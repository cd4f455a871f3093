// Broken connections neither end the process nor stay broken; notifications arrive, also after a gap.
import { expect, test, vi } from 'vitest';
import { connectDatabase, type Database } from '../../platform/database/connect.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { asSuperuser, freshDatabase, scratchDatabase, testLog } from '../testkit/database.ts';
import { waitFor } from '../testkit/wait-for.ts';

const killAll = (name: string): Promise<unknown> =>
  asSuperuser(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
  );
const quiet = testLog.child({}, { level: 'fatal' });

test('a notification reaches every listener of its channel, and none that has stopped', async () => {
  await using database = await freshDatabase();
  const [a, b, other] = [vi.fn(), vi.fn(), vi.fn()];
  await database.listen('schema', a);
  const stop = await database.listen('schema', b);
  await database.listen('Odd "channel"', other);
  await database.pool.query(`SELECT pg_notify('schema', '1')`);
  await waitFor(() => {
    expect(b).toHaveBeenCalledWith('1');
  });
  await stop();
  await database.pool.query(`SELECT pg_notify('schema', '2'), pg_notify('Odd "channel"', '3')`);
  await waitFor(() => {
    expect(other).toHaveBeenCalledWith('3');
  });
  expect(a.mock.calls).toEqual([['1'], ['2']]);
  expect(b.mock.calls).toEqual([['1']]);
});

test('concurrent listen and unlisten do not affect each other', async () => {
  await using database = await freshDatabase();
  const warnings: string[] = [];
  const note = (warning: Error): void => {
    warnings.push(warning.message);
  };
  process.on('warning', note);
  const heard = vi.fn();
  const stops = await Promise.all(
    Array.from({ length: 20 }, (_, i) => database.listen(`channel ${i % 5}`, heard)),
  );
  const [again] = await Promise.all([database.listen('channel 0', heard), ...stops.map((stop) => stop())]);
  await database.pool.query(`SELECT pg_notify('channel 1', 'no'), pg_notify('channel 0', 'yes')`);
  await waitFor(() => {
    expect(heard.mock.calls).toEqual([['yes']]);
  });
  await again();
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('a lost notification connection is made again, and says that there was a gap', async () => {
  await using scratch = await scratchDatabase();
  const database = connectDatabase({ url: scratch.url, applicationName: 'cairn test', log: quiet });
  const [onMessage, onReconnect] = [vi.fn(), vi.fn()];
  await database.listen('schema', onMessage, onReconnect);
  await killAll(scratch.name);
  await waitFor(() => {
    expect(onReconnect).toHaveBeenCalledTimes(1);
  });
  await database.pool.query(`SELECT pg_notify('schema', 'after')`);
  await waitFor(() => {
    expect(onMessage).toHaveBeenCalledWith('after');
  });
  await database.close();
});

test('who stops listening while the connection is being lost has no error', async () => {
  await using scratch = await scratchDatabase();
  const database = connectDatabase({ url: scratch.url, applicationName: 'cairn test', log: quiet });
  const stops = await Promise.all(
    Array.from({ length: 200 }, (_, i) => database.listen(`channel ${i}`, () => undefined)),
  );
  // those that run when it is killed, and one in each turn until it is known
  const stopped = [killAll(scratch.name), ...stops.splice(0, 50).map((stop) => stop())];
  for (const stop of stops) {
    stopped.push(stop());
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  await Promise.all(stopped);
  await database.close();
});

test('a connection that is killed idle, or between two queries of a transaction, costs that transaction only', async () => {
  await using scratch = await scratchDatabase();
  const database = connectDatabase({ url: scratch.url, applicationName: 'cairn test', log: quiet });
  await database.pool.query('SELECT 1'); // on a connection that is idle from here on
  await killAll(scratch.name);
  await expect.poll(() => database.pool.totalCount).toBe(0);
  const client = await database.pool.connect();
  await client.query('BEGIN');
  await killAll(scratch.name);
  await expect(client.query('SELECT 1')).rejects.toThrow();
  client.release(true);
  expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await database.close();
});

test('Prisma works over the same pool, transactions included', async () => {
  await using database = await freshDatabase();
  await database.prisma.$transaction(async (tx) => {
    await tx.gatewayUser.create({
      data: { name: 'ann', passwordHash: 'x', roles: ['admin'], allProjects: true },
    });
    expect(await tx.gatewayUser.count()).toBe(1);
  });
  expect((await database.pool.query('SELECT name, roles, projects FROM gateway.gateway_user')).rows).toEqual([
    { name: 'ann', roles: ['admin'], projects: [] },
  ]);
});

test('Prisma reads and compares instants to the microsecond, in transactions too', async () => {
  await using database = await freshDatabase();
  const instants = [
    '2026-01-31T09:30:00.000000Z',
    '2026-01-31T09:30:00.123400Z',
    '2026-01-31T09:30:00.123456Z',
  ];
  await database.pool.query(
    `INSERT INTO gateway.gateway_user (name, password_hash, roles, created_at) SELECT at, 'x', '{}', at::timestamptz FROM unnest($1::text[]) AS t(at)`,
    [instants],
  );
  const read = (prisma: Pick<Database['prisma'], 'gatewayUser'>, after: string) =>
    prisma.gatewayUser.findMany({
      where: { createdAt: { gt: after } },
      orderBy: { createdAt: 'asc' },
      select: { name: true, createdAt: true, disabledAt: true },
    });
  const shown = instants.map((at) => ({ name: at, createdAt: at, disabledAt: null }));
  expect(await read(database.prisma, '2026-01-01T00:00:00.000000Z')).toEqual(shown);
  expect(await read(database.prisma, '2026-01-31T09:30:00.123400Z')).toEqual(shown.slice(2));
  expect(await database.prisma.$transaction((tx) => read(tx, '2026-01-31T09:30:00.123399Z'))).toEqual(
    shown.slice(1),
  );
});

test('close resolves when every connection has ended', async () => {
  await using scratch = await scratchDatabase();
  const database = connectDatabase({ url: scratch.url, applicationName: 'cairn test', log: testLog });
  const ended = vi.fn();
  for (const pool of [database.pool, database.pipelined]) {
    const client = await pool.connect();
    client.once('end', ended);
    await client.query('SELECT 1');
    client.release();
  }
  await database.close();
  expect(ended).toHaveBeenCalledTimes(2);
});

test('closing twice has the effect of closing once', async () => {
  const database = await freshDatabase();
  await Promise.all([database.close(), database.close()]);
  await expect(database.pool.query('SELECT 1')).rejects.toThrow();
});

test('settings of server, database or role that could lose or change data do not affect our sessions', async () => {
  await using scratch = await scratchDatabase();
  const operators = {
    synchronous_commit: 'off',
    default_transaction_isolation: `'repeatable read'`,
    default_transaction_read_only: 'on',
    lock_timeout: `'1ms'`,
    datestyle: `'German'`,
    intervalstyle: 'iso_8601',
    timezone: `'Asia/Tokyo'`,
    bytea_output: 'escape',
    extra_float_digits: '-5',
    array_nulls: 'off',
    transform_null_equals: 'on',
    standard_conforming_strings: 'off',
    gin_fuzzy_search_limit: '1',
  };
  for (const [name, value] of Object.entries(operators)) {
    await asSuperuser(`ALTER DATABASE ${scratch.name} SET ${name} = ${value}`);
    await asSuperuser(`ALTER ROLE cairn_app IN DATABASE ${scratch.name} SET ${name} = ${value}`);
  }
  const database = connectDatabase({
    url: scratch.url,
    ownerUrl: scratch.superuserUrl,
    applicationName: 'steady',
    log: testLog,
  });
  const expected = {
    synchronous_commit: 'on',
    default_transaction_isolation: 'read committed',
    default_transaction_read_only: 'off',
    lock_timeout: '0',
    datestyle: expect.stringMatching(/^ISO/) as unknown,
    intervalstyle: 'postgres',
    timezone: 'UTC',
    bytea_output: 'hex',
    extra_float_digits: '1',
    array_nulls: 'on',
    transform_null_equals: 'off',
    standard_conforming_strings: 'on',
    gin_fuzzy_search_limit: '0',
  };
  const show = async (db: Queryable): Promise<unknown> =>
    (
      await db.query<{ all: unknown }>(
        `SELECT json_object_agg(lower(name), setting) AS all FROM pg_settings WHERE lower(name) = ANY($1)`,
        [Object.keys(operators)],
      )
    ).rows[0]?.all;
  try {
    expect(await show(database.pool)).toEqual(expected);
    expect(await show(database.pipelined)).toEqual(expected);
    expect(await database.asOwner?.(show)).toEqual(expected);
  } finally {
    await database.close();
  }
});
