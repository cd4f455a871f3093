// What the tests of accounts on the command line share.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import * as administration from '../../router/users/administration.ts';
import { type CommandLine, run } from '../cli/command-line.ts';
import { type OAuthServer, startOAuth } from './oauth-testkit.ts';

export let server: OAuthServer;

export let home: string;

export const here = (more: Partial<CommandLine> = {}): CommandLine => ({
  cwd: home,
  entries: { 'router/users/administration.ts': administration },
  env: {
    HOME: home,
    DATABASE_URL: server.database.url,
    CAIRN_DATA_DIR: server.dataDir,
    CAIRN_URL: server.url,
  },
  ...more,
});

export const cairn = (args: string, stdin?: string) =>
  run(args.split(' '), here(stdin === undefined ? {} : { stdin }));

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    server = await startOAuth({ user: false });
    home = mkdtempSync(path.join(tmpdir(), 'cairn-home-'));
    writeFileSync(path.join(home, 'gateway.yaml'), '');
  });

  afterAll(async () => {
    rmSync(home, { recursive: true });
    await server[Symbol.asyncDispose]();
  });
}
