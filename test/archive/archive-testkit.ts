// Instances with archives: a server whose store of files is known, and the operator's two commands over its database.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pino } from 'pino';
import { inject } from 'vitest';
import { type Config, parseConfig } from '../../platform/config/load-config.ts';
import { openExporter, openImporter } from '../../standalone/archives.ts';
import type { ArchiveSummary } from '../../standalone/archives/restore.ts';
import { startServer, type TestServer } from '../testkit/server.ts';

export const log = pino({ level: process.env['CAIRN_TEST_LOG'] ?? 'silent' });

export interface Instance extends TestServer {
  /** The configuration of the operator's commands: not the server's data directory, which it has claimed. */
  readonly config: Config;
  readonly store: string;
  readonly databaseName: string;
}

export async function startInstance(): Promise<Instance & AsyncDisposable> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-archive-'));
  const store = path.join(dir, 'store');
  const yaml = `artifact: {store: {type: file, path: "${store}"}}\nobservability: {audit_log: {backend: postgres}}\n`;
  const server = await startServer({ config: yaml, transport: 'in-process' });
  const url = new URL(inject('database').superuserUrl);
  url.pathname = new URL(server.database.url).pathname;
  const config = parseConfig(yaml, path.join(dir, 'gateway.yaml'), {
    env: { CAIRN_DATA_DIR: path.join(dir, 'operator'), DATABASE_URL: url.href },
    cwd: dir,
  });
  return Object.assign(Object.create(server) as TestServer, {
    config,
    store,
    databaseName: url.pathname.slice(1),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(dir, { recursive: true, force: true });
    },
  });
}

export async function exported(config: Config): Promise<{ bytes: Buffer; summary: ArchiveSummary }> {
  const chunks: Buffer[] = [];
  const exporter = await openExporter({ config, log });
  try {
    const summary = await exporter.write(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          chunks.push(chunk);
          done();
        },
      }),
    );
    return { bytes: Buffer.concat(chunks), summary };
  } finally {
    await exporter.close();
  }
}

const PIECE_BYTES = 64 * 1024;

/** As a file is read. */
function* inPieces(bytes: Buffer): Generator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

export async function imported(config: Config, bytes: Buffer | Readable): Promise<ArchiveSummary> {
  const importer = await openImporter({ config, log });
  try {
    return await importer.read(bytes instanceof Readable ? bytes : Readable.from(inPieces(bytes)));
  } finally {
    await importer.close();
  }
}
