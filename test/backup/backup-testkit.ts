// Backups of a test's instance, and instances that are restored from them.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { type Config, parseConfig } from '../../platform/config/load-config.ts';
import { connectDatabase } from '../../platform/database/connect.ts';
import {
  createBackup,
  type Created,
  type CreatedBackup,
  restoreInstance,
  verifyBackup,
} from '../../standalone/backups.ts';
import type { Secrets } from '../../standalone/backups/sealing.ts';
import { type Instance, log } from '../archive/archive-testkit.ts';
import { type ScratchDatabase, scratchDatabase, testLog } from '../testkit/database.ts';
import { startServer, type TestServer } from '../testkit/server.ts';

export interface Scratch extends AsyncDisposable {
  readonly dir: string;
}

export async function scratchFolder(): Promise<Scratch> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-backup-'));
  return {
    dir,
    async [Symbol.asyncDispose]() {
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const nowhere = (): Writable =>
  new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });

export const noProgress = () => ({ section: '', rows: 0, files: 0, fileBytes: 0, copied: 0, copiedBytes: 0 });

export const backUp = (
  config: Config,
  place: string,
  secrets: Secrets = {},
  more: { progress?: ReturnType<typeof noProgress>; signal?: AbortSignal } = {},
): Promise<CreatedBackup> =>
  createBackup({
    config,
    log,
    place,
    cwd: os.tmpdir(),
    secrets,
    stdout: nowhere(),
    signal: more.signal ?? new AbortController().signal,
    progress: more.progress ?? noProgress(),
  });

export const verify = (config: Config, place: string, secrets: Secrets = {}): Promise<Created> =>
  verifyBackup({ config, log, place, cwd: os.tmpdir(), secrets });

/** A place to restore into: an empty database, and an empty store. */
export interface EmptyPlace extends AsyncDisposable {
  readonly config: Config;
  readonly yaml: string;
  readonly scratch: ScratchDatabase;
}

export async function emptyPlace(): Promise<EmptyPlace> {
  const folder = await scratchFolder();
  const scratch = await scratchDatabase({ empty: true });
  const yaml = `artifact: {store: {type: file, path: "${path.join(folder.dir, 'store')}"}}\nobservability: {audit_log: {backend: postgres}}\n`;
  return {
    yaml,
    scratch,
    config: parseConfig(yaml, path.join(folder.dir, 'gateway.yaml'), {
      env: { CAIRN_DATA_DIR: path.join(folder.dir, 'data'), DATABASE_URL: scratch.superuserUrl },
      cwd: folder.dir,
    }),
    async [Symbol.asyncDispose]() {
      await scratch[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export const restoreTo = (
  { config }: EmptyPlace,
  place: string,
  secrets: Secrets = {},
  choices: { revokeSessions?: boolean; pauseTriggers?: boolean } = {},
): Promise<Created> =>
  restoreInstance({
    config,
    log,
    place,
    cwd: os.tmpdir(),
    secrets,
    actor: 'os:test',
    revokeSessions: choices.revokeSessions ?? false,
    pauseTriggers: choices.pauseTriggers ?? false,
  });

/** A server over what was restored; keys of the instance that was backed up are valid. */
export const serve = (place: EmptyPlace, { key }: Pick<Instance, 'key'>): Promise<TestServer> =>
  startServer({
    config: place.yaml,
    transport: 'in-process',
    restored: {
      key,
      database: Object.assign(
        connectDatabase({
          url: place.scratch.url,
          ownerUrl: place.scratch.superuserUrl,
          applicationName: 'cairn test',
          log: testLog,
        }),
        { [Symbol.asyncDispose]: () => Promise.resolve() },
      ),
    },
  });
