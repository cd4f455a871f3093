// What the tests of uploads over processes share.
import { Readable } from 'node:stream';
import { type Caller } from '../../platform/identity.ts';
import { type Uploads, openUploads } from '../../subgraphs/artifact/uploads/open-uploads.ts';
import { UploadService } from '../../subgraphs/artifact/uploads/uploads.service.ts';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { askNobody } from '../../subgraphs/artifact/platform-port.ts';
import { openObjectStore } from '../../subgraphs/artifact/storage/open-store.ts';
import { Storage } from '../../subgraphs/artifact/storage/storage.service.ts';
import { testLog } from '../testkit/database.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { addSchema } from './production-testkit.ts';
import { SAMPLE_FILE } from './stored-files.ts';

const QUOTAS =
  'artifact: {uploads: {file_bytes: 1000000, bytes_per_actor: 1500000, unfinished_per_actor: 3}}';

export const caller = (actor: string): Caller => ({
  actor,
  roles: ['analyst'],
  projects: '*',
  requestId: 'r',
});

export const never = new AbortController().signal;

export const create = (
  uploads: Uploads,
  actor: string,
  length: number | null,
  hash: string | null = null,
  place: { entityId: string; field: string } | null = null,
) =>
  new UploadService(uploads, caller(actor), () => Promise.resolve()).create({
    length,
    hash,
    name: null,
    mediaType: null,
    entityId: null,
    field: null,
    context: null,
    metadata: null,
    ...place,
  });

export const receive = (
  uploads: Uploads,
  actor: string,
  uploadId: string,
  offset: number,
  content: Readable | Buffer,
) =>
  uploads.receiver.receive(
    { uploadId, offset, length: null, checksum: null },
    Buffer.isBuffer(content) ? Readable.from([content]) : content,
    caller(actor),
    never,
  );

export let server: TestServer;

/** What another process of the server has, over its database, and its store unless it is on another machine. */
export function anotherProcess(dataDir = server.dataDir): Uploads {
  const { pool } = server.database;
  const { artifact } = parseConfig(QUOTAS, path.join(dataDir, 'gateway.yaml'), {
    env: { CAIRN_DATA_DIR: dataDir },
    cwd: dataDir,
  });
  const publicUrl = (): string => server.url;
  const storage = new Storage({
    db: pool,
    transact: (work) => inTransaction(pool, work),
    ask: askNobody,
    open: () => openObjectStore(artifact.store),
    publicUrl,
  });
  const workDirectory = path.join(dataDir, 'artifact-runs');
  return openUploads({
    pool,
    ask: askNobody,
    storage,
    settings: artifact,
    workDirectory,
    publicUrl,
    log: testLog,
  });
}

export const stored = async (hash: string): Promise<boolean> =>
  (
    await server.database.pool.query(
      'SELECT 1 FROM artifact.stored_object WHERE hash = $1 AND evicted_at IS NULL',
      [hash],
    )
  ).rowCount === 1;

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    server = await startServer({ config: QUOTAS, transport: 'in-process' });
    await addSchema(server, SAMPLE_FILE);
  });

  afterAll(() => server[Symbol.asyncDispose]());
}
