// What the tests of retries share.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';

export const scope = { env: { LAB: 'hush' }, directory: '/' };

export const log = pino({ level: 'silent' });

export const ingest = { type: 'ingest', adapter: 'a' };

export async function folder(): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-retries-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
