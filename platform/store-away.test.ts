// An unreachable database is component_unavailable, also where `pg` throws an error without a code. A
// database that responds with an error is an internal error.
import net from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createPrismaClient } from './database/prisma.ts';
import { masked } from './errors.ts';
import { isStoreAway } from './store-away.ts';

const coded = (code: string): Error => Object.assign(new Error('x'), { code });

test.each(['08006', '25006', '53100', '53300', '57P01', '57P03', 'ECONNREFUSED', 'ECONNRESET'])(
  '%s means that the store is unavailable',
  (code) => {
    expect(masked(coded(code))).toMatchObject({
      code: 'component_unavailable',
      details: { component: 'store', upstream_status: null },
    });
  },
);

test.each(['23505', '57014', '40001', 'ENOENT'])('%s means that the store has answered', (code) => {
  expect(masked(coded(code))).toMatchObject({ code: 'internal_error', message: 'internal error' });
});

test.each(['`pg`', 'Prisma Client'])(
  'errors of %s for ended, refused and timed-out connections mean that the store is unavailable',
  async (by) => {
    const server = net
      .createServer((socket) => {
        socket.once('data', () => {
          socket.end();
        });
        socket.on('error', () => undefined);
      })
      .listen(0, '127.0.0.1');
    await new Promise((done) => {
      server.once('listening', done);
    });
    const { port } = server.address() as net.AddressInfo;
    const faultOf = async (at: number, silent = false): Promise<unknown> => {
      const pool = new pg.Pool({
        connectionString: `postgresql://u:p@127.0.0.1:${at}/x`,
        connectionTimeoutMillis: silent ? 1 : 5000,
      });
      const prisma = createPrismaClient(pool);
      try {
        await (by === '`pg`' ? pool.query('SELECT 1') : prisma.syncEvent.count());
        return undefined;
      } catch (error) {
        return error;
      } finally {
        await prisma.$disconnect();
        await pool.end();
      }
    };
    for (const fault of [await faultOf(port), await faultOf(1)])
      expect(isStoreAway(fault), String(fault)).toBe(true);
    server.close();
    const mute = net.createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((done) => {
      mute.once('listening', done);
    });
    const late = await faultOf((mute.address() as net.AddressInfo).port, true);
    expect(isStoreAway(late), String(late)).toBe(true);
    mute.close();
  },
);
