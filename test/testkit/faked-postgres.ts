// A PostgreSQL whose clock is controlled by libfaketime (Debian package `faketime`).
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { bootDatabase } from '../../platform/database/boot.ts';
import { connectDatabase, type Database } from '../../platform/database/connect.ts';
import { startEmbedded } from '../../platform/database/embedded/supervise.ts';
import { APP } from '../../platform/database/roles.ts';
import { scratchDirectory } from './scratch-space.ts';

export const FAKETIME = ['x86_64', 'aarch64', 'arm']
  .map((cpu) => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketime.so.1`)
  .find(existsSync);
if (FAKETIME === undefined)
  console.warn('SKIPPED: what needs a clock of its own needs libfaketime (Debian: apt-get install faketime)');

export interface FakedPostgres extends AsyncDisposable {
  readonly database: Database;
  /** Sets the server's clock, which continues from there. */
  setClock(instant: string): void;
  /** Sets it this many seconds ahead of the machine's. */
  setAhead(seconds: number): void;
}

/** @param instant the initial time of its clock; by default the machine's */
export async function fakedPostgres(instant: string = new Date().toISOString()): Promise<FakedPostgres> {
  const log = pino({ level: 'silent' });
  const dir = mkdtempSync(path.join(os.tmpdir(), 'cairn-faketime-'));
  const clockFile = path.join(dir, 'clock');
  const setAhead = (seconds: number): void => {
    writeFileSync(`${clockFile}.new`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds).toFixed(3)}s\n`, {
      mode: 0o644,
    });
    renameSync(`${clockFile}.new`, clockFile);
  };
  const setClock = (to: string): void => {
    setAhead((Date.parse(to) - Date.now()) / 1000);
  };
  chmodSync(dir, 0o755);
  setClock(instant);
  // PostgreSQL is started by the `sh` of the PATH: this one sets its clock
  const faked = [
    `LD_PRELOAD=${FAKETIME ?? ''}`,
    `FAKETIME_TIMESTAMP_FILE=${clockFile}`,
    'FAKETIME_NO_CACHE=1',
    'FAKETIME_DONT_FAKE_MONOTONIC=1',
  ];
  writeFileSync(path.join(dir, 'sh'), `#!/bin/sh\nexport ${faked.join(' ')}\nexec /bin/sh "$@"\n`, {
    mode: 0o755,
  });
  const usual = process.env['PATH'];
  process.env['PATH'] = `${dir}:${usual ?? ''}`;
  const dataDir = scratchDirectory('faketime');
  const server = await startEmbedded({ dataDir, log, settings: { fsync: 'off' } }).finally(() => {
    process.env['PATH'] = usual;
  });
  const url = server.superuserUrl('postgres');
  await bootDatabase({ url, log, appPassword: 'faked' });
  const database = connectDatabase({
    url: Object.assign(new URL(url), { username: APP, password: 'faked' }).href,
    applicationName: 'faketime',
    log,
  });
  return {
    database,
    setClock,
    setAhead,
    async [Symbol.asyncDispose]() {
      await database.close();
      await server.release();
      for (const made of [dir, dataDir]) rmSync(made, { recursive: true, force: true });
    },
  };
}
