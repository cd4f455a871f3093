// Stores content in a bucket of any S3-compatible service.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../../platform/config/load-config.ts';
import { hashContent, hashFile } from './hash-stream.ts';
import {
  type ContentHash,
  ContentMissing,
  type ContentPart,
  type Kept,
  type LinkedFile,
  objectKey,
  type ObjectStore,
  type Soundness,
} from './object-store.ts';

export type S3Settings = Extract<Config['artifact']['store'], { type: 's3' }>;
/** What a client of the service needs of them. */
export type S3Service = Pick<
  S3Settings,
  'region' | 'endpoint' | 'pathStyle' | 'accessKeyId' | 'secretAccessKey'
>;

/** Loaded on demand, because it takes time and memory. */
export const loadSdk = () => import('@aws-sdk/client-s3');
export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** A client with the settings; without configured credentials, the SDK uses those of the environment. */
export function s3ClientOf(
  { S3Client }: Sdk,
  { region, endpoint, pathStyle, accessKeyId: id, secretAccessKey: secret }: S3Service,
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

/** Bytes of a part of an object that is sent in parts, and how many a service takes; an object of one request has at most 5 GiB. */
const PART_BYTES = 256 * 1024 * 1024;
const MAX_PARTS = 10_000;

export class S3Store implements ObjectStore {
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #partBytes: number;
  readonly #settings: S3Settings;
  readonly link?: (hash: ContentHash, file: LinkedFile) => Promise<string>;
  /** Signs links, for the address at which clients reach the service. */
  #linking: S3Client | undefined;
  /** ETags of verified objects. */
  readonly #sound = new LRUCache<ContentHash, string>({ max: 10_000 });

  /** @param partBytes of objects that are sent in parts, at least; others have fewer bytes */
  constructor(sdk: Sdk, settings: S3Settings, partBytes = PART_BYTES) {
    const { bucket, prefix, downloads } = settings;
    this.#settings = settings;
    if (downloads === 'redirect') this.link = (hash, file) => this.#link(hash, file);
    this.#sdk = sdk;
    this.#client = s3ClientOf(sdk, settings);
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#partBytes = partBytes;
  }

  async keep(file: string): Promise<Kept> {
    const kept = await hashFile(file);
    if ((await this.check(kept.hash)) === 'sound') return kept;
    // an object is written atomically, also one in parts: it is there when they are put together
    if (kept.size > this.#partBytes) await this.#putInParts(file, kept);
    else
      await this.#client.send(
        new this.#sdk.PutObjectCommand({
          ...this.#at(kept.hash),
          Body: createReadStream(file),
          ContentLength: kept.size,
        }),
      );
    if ((await this.check(kept.hash)) !== 'sound')
      throw new Error(`${this.#addressOf(kept.hash)} is not what was sent`);
    return kept;
  }

  /** One part after the other; what was sent is given up where one fails, so that nobody pays for it. */
  async #putInParts(file: string, { hash, size }: Kept): Promise<void> {
    const at = this.#at(hash);
    const { UploadId } = await this.#client.send(new this.#sdk.CreateMultipartUploadCommand(at));
    const bytes = Math.max(this.#partBytes, Math.ceil(size / MAX_PARTS));
    const Parts: CompletedPart[] = [];
    try {
      for (let start = 0; start < size; start += bytes) {
        const end = Math.min(start + bytes, size) - 1;
        const PartNumber = Parts.length + 1;
        const { ETag } = await this.#client.send(
          new this.#sdk.UploadPartCommand({
            ...at,
            UploadId,
            PartNumber,
            Body: createReadStream(file, { start, end }),
            ContentLength: end - start + 1,
          }),
        );
        Parts.push({ PartNumber, ETag });
      }
      await this.#client.send(
        new this.#sdk.CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }),
      );
    } catch (fault) {
      await this.#client
        .send(new this.#sdk.AbortMultipartUploadCommand({ ...at, UploadId }))
        .catch((cause: unknown) => {
          throw new AggregateError(
            [fault, cause],
            `${this.#addressOf(hash)} was not written, and its parts were left`,
            { cause: fault },
          );
        });
      throw fault;
    }
  }

  async adopt(file: string, { hash }: Kept): Promise<void> {
    const kept = await this.keep(file);
    if (kept.hash !== hash) throw new Error(`${file} has ${kept.hash} instead of ${hash}`);
    await rm(file, { force: true });
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

  async read(hash: ContentHash, part?: ContentPart): Promise<Readable> {
    const range = part === undefined ? {} : { Range: `bytes=${part.first}-${part.last}` };
    const { Body, ContentRange } = await this.#client
      .send(new this.#sdk.GetObjectCommand({ ...this.#at(hash), ...range }))
      .catch((cause: unknown) => {
        throw this.#isMissing(cause) ? new ContentMissing(`${hash} is not there`, { cause }) : cause;
      });
    if (!(Body instanceof Readable)) throw new Error(`${this.#addressOf(hash)} has no content`);
    if (part !== undefined && ContentRange !== `bytes ${part.first}-${part.last}/${part.size}`) {
      Body.destroy();
      throw new ContentMissing(`${hash} has another size than ${part.size} bytes`);
    }
    return Body;
  }

  async #link(hash: ContentHash, { size, mediaType, disposition }: LinkedFile): Promise<string> {
    const { linkSeconds: expiresIn, linkEndpoint } = this.#settings;
    const { ContentLength } = await this.#client
      .send(new this.#sdk.HeadObjectCommand(this.#at(hash)))
      .catch((cause: unknown) => {
        throw this.#isMissing(cause) ? new ContentMissing(`${hash} is not there`, { cause }) : cause;
      });
    if (ContentLength !== size) throw new ContentMissing(`${hash} has another size than ${size} bytes`);
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    this.#linking ??=
      linkEndpoint === undefined
        ? this.#client
        : s3ClientOf(this.#sdk, { ...this.#settings, endpoint: linkEndpoint });
    const answered = { ResponseContentType: mediaType, ResponseContentDisposition: disposition };
    const command = new this.#sdk.GetObjectCommand({ ...this.#at(hash), ...answered });
    return getSignedUrl(this.#linking, command, { expiresIn });
  }

  localFile(): null {
    return null;
  }

  async isEmpty(): Promise<boolean> {
    const { KeyCount, Contents = [] } = await this.#client.send(
      new this.#sdk.ListObjectsV2Command({ Bucket: this.#bucket, Prefix: this.#prefix, MaxKeys: 1 }),
    );
    return (KeyCount ?? Contents.length) === 0;
  }

  async remove(hash: ContentHash): Promise<void> {
    this.#sound.delete(hash);
    await this.#client.send(new this.#sdk.DeleteObjectCommand(this.#at(hash)));
  }

  #addressOf(hash: ContentHash): string {
    return `s3://${this.#bucket}/${this.#prefix}${objectKey(hash)}`;
  }

  #isMissing(fault: unknown): boolean {
    return (
      fault instanceof this.#sdk.S3ServiceException &&
      (fault.$metadata.httpStatusCode === 404 ||
        fault.$metadata.httpStatusCode === 416 || // shorter than the part that was asked for
        fault.name === 'NoSuchKey')
    );
  }

  #at(hash: ContentHash): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + objectKey(hash) };
  }
}
