// A server that goes away fails all connections at once and every attempt after that: the log tells each kind of fault once.
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openDatabase } from '../../platform/database/open.ts';
import { asSuperuser, scratchDatabase } from '../testkit/database.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';

test(
  'connections and the lock of the data directory are not told each time',
  { timeout: 120_000 },
  async () => {
    await using scratch = await scratchDatabase();
    const lines = new PassThrough();
    const written = text(lines);
    const database = await openDatabase({
      url: scratch.superuserUrl,
      dataDir: scratchDirectory('faults'),
      applicationName: 'cairn test',
      log: pino({ level: 'warn' }, lines),
      claim: true,
      poolSize: 8,
    });
    await Promise.all(Array.from({ length: 8 }, () => database.pool.query('SELECT pg_sleep(0.5)')));
    await asSuperuser(`ALTER DATABASE ${scratch.name} ALLOW_CONNECTIONS false`);
    await asSuperuser(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${scratch.name}'`,
    );
    await sleep(6000); // attempts to lock come each second
    await database.close();
    lines.end();
    const said = (await written)
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    const times = (message: string): number => said.filter((one) => one === message).length;
    expect(times('the data directory cannot be locked again yet'), said.join('\n')).toBe(1);
    expect(times('an idle database connection failed')).toBe(1);
    expect(times('a database connection failed')).toBeLessThanOrEqual(1);
  },
);
