// What the tests of uploads over processes share.
import { Readable } from 'node:stream';
import type { Caller } from '../../platform/identity.ts';
import { type Uploads } from '../../subgraphs/artifact/uploads/open-uploads.ts';
import { UploadService } from '../../subgraphs/artifact/uploads/uploads.service.ts';

export const UPLOADS = '/api/v1/artifact/uploads';

export const FILES = '/api/v1/artifact/files';

export const PART = 'application/offset+octet-stream';

export const QUOTAS =
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
