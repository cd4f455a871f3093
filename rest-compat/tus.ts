// The headers of the tus protocol 1.0 (https://tus.io/protocols/resumable-upload), by which clients interrupt and continue
// uploads.
import { isUtf8 } from 'node:buffer';
import type { ChunkChecksum, Received } from '../platform/component.ts';
import { badRequest, DomainError } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';

const VERSION = '1.0.0';
const EXTENSIONS = 'creation,creation-with-upload,creation-defer-length,termination,checksum,expiration';
const ALGORITHMS = ['sha1', 'sha256', 'md5'] as const;
/** Media type of the body of a part. */
export const PART_TYPE = 'application/offset+octet-stream';

type Header = (name: string) => string | undefined;

/**
 * Headers of every answer, and the version of the protocol, which clients that do not speak it leave out.
 * @throws DomainError `precondition_failed` for another version
 */
export function beginTus({ req, res }: RequestContext): void {
  res.setHeader('tus-resumable', VERSION);
  res.setHeader('cache-control', 'no-store');
  const version = req.headers['tus-resumable'];
  if (version === undefined || version === VERSION) return;
  res.setHeader('tus-version', VERSION);
  throw new DomainError('precondition_failed', `the version of the tus protocol here is ${VERSION}`, {
    version: VERSION,
  });
}

/** What the server can do. */
export const serverHeaders = (maxBytes: number): Record<string, string> => ({
  'tus-version': VERSION,
  'tus-extension': EXTENSIONS,
  'tus-max-size': String(maxBytes),
  'tus-checksum-algorithm': ALGORITHMS.join(','),
});

const httpDate = (instant: string): string => new Date(instant).toUTCString();

/** The state of an upload after a part. */
export const receivedHeaders = ({ offset, hash, expiresAt }: Received): Record<string, string> => ({
  'upload-offset': String(offset),
  ...(hash === null ? {} : { 'upload-hash': hash }),
  ...(expiresAt === null ? {} : { 'upload-expires': httpDate(expiresAt) }),
});

export interface UploadState {
  readonly id: string;
  readonly length: number | null;
  readonly offset: number;
  readonly metadata: string | null;
  readonly expires_at: string;
  readonly finished_at: string | null;
}

/** The state of an upload. */
export const stateHeaders = (upload: UploadState): Record<string, string> => ({
  ...(upload.length === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(upload.length) }),
  ...(upload.metadata === null ? {} : { 'upload-metadata': upload.metadata }),
  ...receivedHeaders({
    offset: upload.offset,
    hash: null,
    expiresAt: upload.finished_at === null ? upload.expires_at : null,
  }),
});

/** A header that is a number of bytes; null where it is absent. @throws DomainError `invalid_request` */
export function bytesIn(header: Header, name: string): number | null {
  const text = header(name);
  if (text === undefined) return null;
  const bytes = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(bytes)) throw badRequest(`${name} must be a number of bytes`);
  return bytes;
}

/** The length of a new upload; null where it comes later. @throws DomainError `invalid_request` */
export function lengthOf(header: Header): number | null {
  const length = bytesIn(header, 'upload-length');
  const deferred = header('upload-defer-length');
  if (length === null && deferred !== '1')
    throw badRequest(
      'Upload-Length must say how many bytes the file has, or Upload-Defer-Length: 1 that it comes later',
    );
  if (length !== null && deferred !== undefined)
    throw badRequest('Upload-Length and Upload-Defer-Length exclude each other');
  return length;
}

/** `Upload-Checksum: sha1 <base64>`; null where it is absent. @throws DomainError `invalid_request` */
export function checksumOf(header: Header): ChunkChecksum | null {
  const text = header('upload-checksum');
  if (text === undefined) return null;
  const [, name, digest] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const algorithm = ALGORITHMS.find((known) => known === name);
  if (algorithm === undefined || digest === undefined)
    throw badRequest(
      `Upload-Checksum must be an algorithm (${ALGORITHMS.join(', ')}), a space and the checksum in base64`,
    );
  return { algorithm, digest };
}

/** Values may be any bytes: of keys that mean nothing here they are kept as they are. */
export type UploadMetadata = ReadonlyMap<string, Buffer>;

/**
 * `Upload-Metadata`: keys and their values in base64.
 * @throws DomainError `invalid_request`
 */
export function metadataOf(header: Header): UploadMetadata {
  const text = header('upload-metadata')?.trim() ?? '';
  const found = new Map<string, Buffer>();
  if (text === '') return found;
  for (const pair of text.split(',')) {
    const [, key, value = ''] = /^([^\s,]+)(?: ([A-Za-z0-9+/]*={0,2}))?$/.exec(pair.trim()) ?? [];
    if (key === undefined || found.has(key))
      throw badRequest(
        'Upload-Metadata must be pairs of a key and a value in base64, separated by commas, each key once',
      );
    found.set(key, Buffer.from(value, 'base64'));
  }
  return found;
}

/** A value that is text. @throws DomainError `invalid_request` for one that is not UTF-8 */
export function metadataText(metadata: UploadMetadata, key: string): string {
  const value = metadata.get(key);
  if (value !== undefined && !isUtf8(value))
    throw badRequest(`the value of ${key} in Upload-Metadata is not UTF-8`);
  return value?.toString('utf8') ?? '';
}

/** @throws DomainError `unsupported_media_type` */
export function assertPart(header: Header): void {
  if (header('content-type')?.split(';')[0]?.trim().toLowerCase() !== PART_TYPE)
    throw new DomainError('unsupported_media_type', `the body must be ${PART_TYPE}`);
}
