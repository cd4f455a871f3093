// Stores content in a bucket of any S3-compatible service.
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../../platform/config/load-config.ts';
import { hashContent, hashFile } from './hash-stream.ts';
import {
  type ContentHash,
  type Kept,
  objectKey,
  type ObjectStore,
  readHash,
  type Soundness,
} from './object-store.ts';

export type S3Settings = Extract<Config['artifact']['store'], { type: 's3' }>;

/** Loaded on demand, because it takes time and memory. */
export const loadSdk = () => import('@aws-sdk/client-s3');
export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** A client with the settings; without configured credentials, the SDK uses those of the environment. */
export function s3ClientOf(
  { S3Client }: Sdk,
  { region, endpoint, pathStyle, accessKeyId: id, secretAccessKey: secret }: S3Settings,
): S3Client {
  return new S3Client({
    region,
    forcePathStyle: pathStyle,
    // other services do not support the newer checksums
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(id === undefined || secret === undefined
      ? {}
      : { credentials: { accessKeyId: id.reveal(), secretAccessKey: secret.reveal() } }),
  });
}

export class S3Store implements ObjectStore {
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  /** ETags of verified objects. */
  readonly #sound = new LRUCache<ContentHash, string>({ max: 10_000 });

  constructor(sdk: Sdk, settings: S3Settings) {
    const { bucket, prefix } = settings;
    this.#sdk = sdk;
    this.#client = s3ClientOf(sdk, settings);
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  async keep(file: string): Promise<Kept> {
    const kept = await hashFile(file);
    if ((await this.check(kept.hash)) === 'sound') return kept;
    // an object is written atomically; its checksum is sent for the service to compare
    await this.#client.send(
      new this.#sdk.PutObjectCommand({
        ...this.#at(kept.hash),
        Body: createReadStream(file),
        ContentLength: kept.size,
      }),
    );
    if ((await this.check(kept.hash)) !== 'sound')
      throw new Error(`${this.uriOf(kept.hash)} is not what was sent`);
    return kept;
  }

  async check(hash: ContentHash): Promise<Soundness> {
    try {
      const { ETag: mark, LastModified: at } = await this.#client.send(
        new this.#sdk.HeadObjectCommand(this.#at(hash)),
      );
      const seen = `${mark} ${at?.getTime()}`;
      if (this.#sound.get(hash) === seen) return 'sound';
      if ((await hashContent(await this.read(hash))).hash !== hash) return 'damaged';
      this.#sound.set(hash, seen);
      return 'sound';
    } catch (fault) {
      if (this.#isMissing(fault)) return 'missing';
      throw fault;
    }
  }

  async read(hash: ContentHash): Promise<Readable> {
    const { Body } = await this.#client.send(new this.#sdk.GetObjectCommand(this.#at(hash)));
    if (!(Body instanceof Readable)) throw new Error(`${this.uriOf(hash)} has no content`);
    return Body;
  }

  localFile(): null {
    return null;
  }

  async remove(hash: ContentHash): Promise<void> {
    this.#sound.delete(hash);
    await this.#client.send(new this.#sdk.DeleteObjectCommand(this.#at(hash)));
  }

  uriOf(hash: ContentHash): string {
    return `s3://${this.#bucket}/${this.#prefix}${objectKey(hash)}`;
  }

  hashOf(uri: string): ContentHash | null {
    const hash = readHash(uri.slice(-64));
    return hash !== null && this.uriOf(hash) === uri ? hash : null;
  }

  #isMissing(fault: unknown): boolean {
    return (
      fault instanceof this.#sdk.S3ServiceException &&
      (fault.$metadata.httpStatusCode === 404 || fault.name === 'NoSuchKey')
    );
  }

  #at(hash: ContentHash): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + objectKey(hash) };
  }
}
