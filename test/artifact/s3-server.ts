// An S3-compatible server for one test, by default on loopback.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';

export interface S3Server extends AsyncDisposable {
  readonly url: string;
}

export async function startS3(
  bucket: string,
  { address = '127.0.0.1', port: wanted = 0 }: { readonly address?: string; readonly port?: number } = {},
): Promise<S3Server> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-s3-'));
  const server = new S3rver({
    address,
    port: wanted,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  return {
    url: `http://${address}:${port}`,
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
