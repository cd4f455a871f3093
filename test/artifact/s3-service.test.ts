// Objects in parts, against a service of S3 that is not a double: one that CAIRN_S3_ENDPOINT names, with a key that may make
// buckets in CAIRN_S3_KEY_ID and CAIRN_S3_SECRET. CAIRN_S3_GIB also sends a file of so many GiB (CONTRIBUTING.md#tests).
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { UploadPartCommandInput } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { hashFile } from '../../subgraphs/artifact/storage/hash-stream.ts';
import { objectKey } from '../../subgraphs/artifact/storage/object-store.ts';
import { loadSdk, s3ClientOf, type S3Settings, S3Store } from '../../subgraphs/artifact/storage/s3-store.ts';

const { CAIRN_S3_ENDPOINT: endpoint = '', CAIRN_S3_GIB: gib = '' } = process.env;
const MIB = 1024 * 1024;
/** The smallest part that services take. */
const PART = 5 * MIB;

/** A bucket of its own, and a folder for files. */
async function begin() {
  const bucket = `cairn-${randomUUID()}`;
  const yaml = `artifact:
  store: {type: s3, bucket: ${bucket}, prefix: kept/, endpoint: "${endpoint}", path_style: true, access_key_id_env: CAIRN_S3_KEY_ID, secret_access_key_env: CAIRN_S3_SECRET}
`;
  const config = parseConfig(yaml, '/nowhere/gateway.yaml', { env: process.env, cwd: '/nowhere' });
  const settings = config.artifact.store as S3Settings; // as the text says
  const sdk = await loadSdk();
  const client = s3ClientOf(sdk, settings);
  await client.send(new sdk.CreateBucketCommand({ Bucket: bucket }));
  const directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-s3-service-'));
  return {
    sdk,
    settings,
    directory,
    head: (hash: string) =>
      client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: `kept/${objectKey(hash)}` })),
    /** Uploads in parts that are neither complete nor given up. */
    underWay: async () =>
      (await client.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? [],
    async [Symbol.asyncDispose]() {
      const { Contents = [] } = await client.send(new sdk.ListObjectsV2Command({ Bucket: bucket }));
      for (const { Key } of Contents) await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key }));
      await client.send(new sdk.DeleteBucketCommand({ Bucket: bucket }));
      client.destroy();
      await rm(directory, { recursive: true });
    },
  };
}

test.skipIf(endpoint === '')(
  'a file of many parts is one object; nothing is left of one that fails',
  async () => {
    await using service = await begin();
    const { sdk, settings, directory } = service;
    let failing = 3;
    const meanwhile: number[] = [];
    class UploadPart extends sdk.UploadPartCommand {
      constructor(input: UploadPartCommandInput) {
        super(input);
        if (input.PartNumber === failing)
          this.middlewareStack.add(
            () => async () => {
              meanwhile.push((await service.underWay()).length);
              throw new Error('the line broke');
            },
            { step: 'finalizeRequest' },
          );
      }
    }
    const store = new S3Store({ ...sdk, UploadPartCommand: UploadPart }, settings, PART);
    const file = path.join(directory, 'file');
    const size = 3 * PART + 1;
    const content = Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 7919) % 251));
    await writeFile(file, content);
    const hash = `sha256:${createHash('sha256').update(content).digest('hex')}`;

    await expect(store.keep(file)).rejects.toThrow('the line broke');
    expect([meanwhile, await service.underWay(), await store.check(hash)]).toEqual([[1], [], 'missing']);

    failing = 0;
    expect(await store.keep(file)).toEqual({ hash, size });
    expect(await store.check(hash)).toBe('sound');
    expect((await service.head(hash)).ETag).toMatch(/-4"$/); // as services tell of four parts
    expect(await service.underWay()).toEqual([]);
    const across = await buffer(await store.read(hash, { size, first: PART - 2, last: PART + 1 }));
    expect(across.equals(content.subarray(PART - 2, PART + 2))).toBe(true);
  },
);

test.skipIf(endpoint === '' || gib === '')(
  'a file of more than 5 GiB is kept, and is what was sent',
  async () => {
    await using service = await begin();
    const file = path.join(service.directory, 'large');
    const size = Math.round(Number(gib) * 1024) * MIB + 1;
    const handle = await open(file, 'w');
    await handle.truncate(size); // the rest is zeros, which take no place on the disk
    for (let at = 0; at < size; at += 100 * MIB) await handle.write(`at ${at}`, at);
    await handle.close();
    const store = new S3Store(service.sdk, service.settings);
    const { hash } = await hashFile(file);
    expect(await store.keep(file)).toEqual({ hash, size }); // which reads it back
    const { ContentLength, ETag } = await service.head(hash);
    expect([ContentLength, ETag]).toEqual([size, expect.stringMatching(/-\d+"$/)]);
  },
  1_800_000,
);
