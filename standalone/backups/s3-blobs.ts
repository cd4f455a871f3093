// Backups in a bucket of an S3-compatible service.
import { Readable } from 'node:stream';
import { Upload } from '@aws-sdk/lib-storage';
import { loadSdk, type S3Service, s3ClientOf } from '../../subgraphs/artifact/storage/s3-store.ts';
import type { Config } from '../../platform/config/load-config.ts';
import { BlobMissing, type Blobs } from './blobs.ts';

/** An upload has at most 10,000 parts, so that a file may have 312 GiB; four parts are in memory. */
const PART_BYTES = 32 * 1024 * 1024;

/**
 * By the variables that all tools of S3 know, where they name a key or an endpoint; else as the artifact store, where it
 * is in a bucket; else as the SDK finds it (a profile, the machine's role).
 */
function settingsOf(store: Config['artifact']['store']): S3Service {
  const { AWS_ACCESS_KEY_ID: key, AWS_ENDPOINT_URL: endpoint, AWS_REGION: region } = process.env;
  if (key === undefined && endpoint === undefined && store.type === 's3') return store;
  return {
    region: region ?? 'us-east-1',
    pathStyle: endpoint !== undefined,
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

/** @param name `s3://bucket/prefix` */
export async function s3Blobs(name: string, store: Config['artifact']['store']): Promise<Blobs> {
  const { host: Bucket, pathname } = new URL(name); // not the user and the query, which nothing of ours reads
  const address = `s3://${Bucket}${pathname}`;
  const prefix = `${pathname.replace(/^\/+|\/+$/g, '')}/`.replace(/^\//, '');
  const sdk = await loadSdk();
  const client = s3ClientOf(sdk, settingsOf(store));
  const at = (name: string) => ({ Bucket, Key: prefix + name });
  const isMissing = (fault: unknown): boolean =>
    fault instanceof sdk.S3ServiceException && fault.$metadata.httpStatusCode === 404;
  return {
    address,
    async size(name) {
      return client.send(new sdk.HeadObjectCommand(at(name))).then(
        ({ ContentLength }) => ContentLength ?? 0,
        (fault: unknown) => {
          if (isMissing(fault)) return null;
          throw fault;
        },
      );
    },
    async write(name, content) {
      // what is sent is given up where it fails
      const params = { ...at(name), Body: content };
      await new Upload({ client, params, queueSize: 2, partSize: PART_BYTES }).done();
    },
    async read(name) {
      const { Body } = await client.send(new sdk.GetObjectCommand(at(name))).catch((cause: unknown) => {
        throw isMissing(cause) ? new BlobMissing(`${address}/${name} is not there`, { cause }) : cause;
      });
      if (!(Body instanceof Readable)) throw new Error(`${address}/${name} has no content`);
      return Body;
    },
    async folders(below) {
      const found: string[] = [];
      const Prefix = `${prefix}${below}/`;
      for (let ContinuationToken: string | undefined; ;) {
        const page = await client.send(
          new sdk.ListObjectsV2Command({
            Bucket,
            Prefix,
            Delimiter: '/',
            ...(ContinuationToken === undefined ? {} : { ContinuationToken }),
          }),
        );
        for (const { Prefix: folder = '' } of page.CommonPrefixes ?? [])
          found.push(folder.slice(Prefix.length, -1));
        ContinuationToken = page.NextContinuationToken;
        if (ContinuationToken === undefined) return found;
      }
    },
    async remove(name) {
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: `${prefix}${name}` }));
    },
    async removeFolder(name) {
      for (;;) {
        // what was removed is no longer listed
        const { Contents = [] } = await client.send(
          new sdk.ListObjectsV2Command({ Bucket, Prefix: `${prefix}${name}/` }),
        );
        if (Contents.length === 0) return;
        const Objects = Contents.map(({ Key }) => ({ Key }));
        const { Errors = [] } = await client.send(
          new sdk.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
        );
        if (Errors[0] !== undefined)
          throw new Error(`${address}: ${Errors[0].Key ?? ''} is not removed: ${Errors[0].Message ?? ''}`);
      }
    },
  };
}
