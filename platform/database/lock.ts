// Allows one server per data directory with a database lock, which the database releases when the process
// ends for any reason.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { DomainError } from '../errors.ts';
import { RepeatedFaults } from '../repeated-faults.ts';
import { unusable } from './boot.ts';

export interface DirectoryClaim {
  release(): Promise<void>;
}

const NAME = 'cairn server, pid ';

/**
 * Returns a signed 64-bit key for this directory of this machine, because many machines may share one
 * database.
 */
function keyOf(dataDir: string): string {
  const place = fs.existsSync(dataDir) ? fs.realpathSync(dataDir) : path.resolve(dataDir);
  return createHash('sha256').update(`${hostname()}\0${place}`).digest().readBigInt64BE(0).toString();
}

const HOLDER = `
  SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
  WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND ((l.classid::bigint << 32) | l.objid::bigint) = $1::bigint`;

async function attempt(url: string, key: string): Promise<{ client: pg.Client } | { holder: string }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `${NAME}${process.pid}`,
    keepAlive: true,
    connectionTimeoutMillis: 15_000,
  });
  let taken = false;
  try {
    await client.connect().catch((cause: unknown) => {
      throw unusable(url, cause);
    });
    const {
      rows: [lock],
    } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1::bigint) AS taken', [key]);
    taken = lock?.taken === true;
    if (taken) return { client };
    const {
      rows: [holder],
    } = await client.query<{ name: string }>(HOLDER, [key]);
    return { holder: holder?.name ?? '' };
  } finally {
    if (!taken) await client.end().catch(() => undefined); // not connected: there is nothing to end
  }
}

/**
 * Claims the data directory for this process until `release` is called or the process ends. Processes that
 * only use the store do not claim it. A claim that is lost with its connection is renewed.
 * @throws DomainError `conflict` naming the process that holds the claim.
 */
export async function claimDataDirectory(url: string, dataDir: string, log: Logger): Promise<DirectoryClaim> {
  const key = keyOf(dataDir);
  let held: pg.Client | undefined;
  let released = false;

  const watch = (client: pg.Client): void => {
    held = client;
    client.on('error', (error) => {
      log.warn({ err: error }, 'the lock on the data directory was lost with its connection');
    });
    client.once('end', () => {
      if (!released) void again();
    });
  };
  const faults = new RepeatedFaults(log);
  const again = async (): Promise<void> => {
    let told: string | undefined;
    while (!released) {
      await sleep(1000, undefined, { ref: false });
      try {
        const outcome = await attempt(url, key);
        if (released) {
          if ('client' in outcome) await outcome.client.end();
          return;
        }
        if ('client' in outcome) {
          watch(outcome.client);
          return;
        }
        if (outcome.holder !== told)
          log.error(
            { holder: outcome.holder },
            'another process has locked the data directory in the meantime',
          );
        told = outcome.holder;
      } catch (error) {
        faults.warn(error, 'the data directory cannot be locked again yet');
      }
    }
  };

  let holder = '';
  for (let tries = 0; tries < 5; tries++) {
    // The lock of a process that was just killed is released after a moment.
    if (tries > 0) await sleep(200);
    const outcome = await attempt(url, key);
    if ('client' in outcome) {
      watch(outcome.client);
      return {
        async release() {
          released = true;
          await held?.end();
        },
      };
    }
    holder = outcome.holder;
  }
  const pid = holder.startsWith(NAME) ? ` (pid ${holder.slice(NAME.length)})` : '';
  throw new DomainError(
    'conflict',
    `another cairn server${pid} uses the data directory ${path.resolve(dataDir)}; stop it first, or use another directory (CAIRN_DATA_DIR)`,
  );
}
