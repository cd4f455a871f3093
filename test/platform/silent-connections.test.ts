// What goes between a process and PostgreSQL may take bytes and forget them, for both or in one direction. Whoever
// waits is told in time, the next one is answered, and what merely takes long is left alone.
import net from 'node:net';
import { once } from 'node:events';
import Cursor from 'pg-cursor';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectDatabase, type Database } from '../../platform/database/connect.ts';
import { isStoreAway } from '../../platform/store-away.ts';
import { asSuperuser, scratchDatabase, testLog } from '../testkit/database.ts';
import { waitFor } from '../testkit/wait-for.ts';

const TIMES = { silentMs: 600, unreachableMs: 1500, lookMs: 200, askMs: 500, signOfLifeMs: 300 };
const quiet = testLog.child({}, { level: 'fatal' });

/** Forwards to PostgreSQL, but what goes over connections that are open when it is told to forget them. */
async function forgetfulProxy(port: number) {
  const pairs = new Set<{ forgets: boolean }>();
  const sockets = new Set<net.Socket>();
  let forgetsNew = false;
  const server = net.createServer((from) => {
    const pair = { forgets: forgetsNew };
    const to = net.connect(port, '127.0.0.1');
    pairs.add(pair);
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      const other = socket === from ? to : from;
      socket.on('data', (bytes) => pair.forgets || other.write(bytes));
      socket.on('close', () => {
        sockets.delete(socket);
        if (!pair.forgets) other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    forget(alsoNew = false) {
      forgetsNew = alsoNew;
      for (const pair of pairs) pair.forgets = true;
    },
    recover() {
      forgetsNew = false;
    },
  };
}

async function throughProxy() {
  const scratch = await scratchDatabase();
  const url = new URL(scratch.url);
  const proxy = await forgetfulProxy(Number(url.port));
  url.port = String(proxy.port);
  const database = connectDatabase({
    url: url.href,
    applicationName: 'cairn test',
    log: quiet,
    silence: TIMES,
  });
  onTestFinished(async () => {
    await database.close();
    await scratch[Symbol.asyncDispose]();
  });
  return { database, proxy, scratch };
}

const one = async (database: Database): Promise<unknown> =>
  (await database.pool.query('SELECT 1 AS one')).rows[0];

test('a statement on a connection that forgets what is sent fails as one of a lost connection, and the next is answered', async () => {
  const { database, proxy } = await throughProxy();
  await one(database);
  proxy.forget();
  const failed: unknown = await one(database).catch((error: unknown) => error);
  expect(failed).toSatisfy(isStoreAway);
  expect(await one(database)).toEqual({ one: 1 });
});

test('all statements of a pipelined connection fail with it', async () => {
  const { database, proxy } = await throughProxy();
  const client = await database.pipelined.connect();
  await client.query('BEGIN');
  proxy.forget();
  const outcomes = await Promise.allSettled([client.query('SELECT 1'), client.query('COMMIT')]);
  client.release(true);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await database.pipelined.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('waiting statements fail also if the server cannot be reached', async () => {
  const { database, proxy } = await throughProxy();
  await one(database);
  proxy.forget(true);
  await expect(one(database)).rejects.toSatisfy(isStoreAway);
  proxy.recover();
  expect(await one(database)).toEqual({ one: 1 });
});

test('long statements, idle connections and cursors whose reader takes its time are left alone', async () => {
  const { database } = await throughProxy();
  const idle = await database.pool.connect();
  const walking = await database.pool.connect();
  const cursor = walking.query(new Cursor<{ n: number }>('SELECT generate_series(1, 3) AS n'));
  expect(await cursor.read(1)).toEqual([{ n: 1 }]);
  await idle.query('BEGIN');
  expect((await database.pool.query(`SELECT pg_sleep(2.5) IS NOT NULL AS slept`)).rows).toEqual([
    { slept: true },
  ]);
  expect(await cursor.read(5)).toEqual([{ n: 2 }, { n: 3 }]);
  await cursor.close();
  await idle.query('COMMIT');
  idle.release();
  walking.release();
});

test('a statement that waits for a lock is not ended', async () => {
  const { database } = await throughProxy();
  const holder = await database.pool.connect();
  await holder.query('SELECT pg_advisory_lock(1)');
  const waiting = database.pipelined.query('SELECT pg_advisory_xact_lock(1)');
  await new Promise((resolve) => setTimeout(resolve, 2500));
  await holder.query('SELECT pg_advisory_unlock(1)');
  holder.release();
  expect((await waiting).rowCount).toBe(1);
});

test('a listener whose connection forgets listens again, and says that there was a gap', async () => {
  const { database, proxy, scratch } = await throughProxy();
  const [onMessage, onReconnect] = [vi.fn(), vi.fn()];
  await database.listen('schema', onMessage, onReconnect);
  proxy.forget();
  await waitFor(() => {
    expect(onReconnect).toHaveBeenCalledTimes(1);
  });
  await asSuperuser(`SELECT pg_notify('schema', 'after')`, scratch.name);
  await waitFor(() => {
    expect(onMessage).toHaveBeenCalledWith('after');
  });
});
