// Answers a request with a stored file, or a part of it (RFC 9110, 13 and 14;
// docs/reference/api-conventions.md#files).
import { pipeline } from 'node:stream/promises';
import type { OpenContent } from '../platform/component.ts';
import { DomainError } from '../platform/errors.ts';
import { mediaTypeOf } from '../platform/media-type.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { attachment } from '../platform/attachment.ts';
import { entityTags, hasTag } from './entity-tags.ts';
import { filesOutOfReach } from './files-out-of-reach.ts';
import { systemErrorCode } from '../platform/system-error-code.ts';

/** A stored file as an operation shows it. */
export interface SentFile {
  /** `sha256:<hex>`. */
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
  readonly name: string | null;
  readonly mediaType: string | null;
  /** Where the store itself gives it out for a short time; null where it does not. */
  readonly link: string | null;
}

interface Part {
  readonly first: number;
  readonly last: number;
}

/**
 * The part that is asked for; null for the whole file: without a Range header, with one that is not understood,
 * with several ranges, and if the client's copy is another file (`If-Range`).
 * @throws DomainError `range_not_satisfiable`
 */
function partOf({ req, res }: RequestContext, size: number, tag: string): Part | null {
  const { range } = req.headers;
  const condition = req.headers['if-range'];
  if (
    range === undefined ||
    req.method !== 'GET' ||
    (condition !== undefined && String(condition).trim() !== tag)
  )
    return null;
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? [];
  if (from === '' && to === '') return null;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null;
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first < size) return { first, last };
  res.setHeader('content-range', `bytes */${size}`);
  throw new DomainError('range_not_satisfiable', `the file has ${size} bytes`, { size });
}

/**
 * Whether the client can take the file from another address, which its credential must not reach: programs drop
 * `Authorization` on the way there, but no header of their own as `X-Api-Key`. Scripts of pages would need the
 * bucket's consent, and `If-Range` names our tag.
 */
function mayFollow({ headers }: RequestContext['req']): boolean {
  if (headers['x-api-key'] !== undefined || headers['if-range'] !== undefined) return false;
  if (headers['sec-fetch-mode'] === 'navigate') return true;
  return headers.authorization !== undefined && headers['sec-fetch-site'] === undefined;
}

/** @throws DomainError `precondition_failed` if the file is none of If-Match */
function assertMatch({ req }: RequestContext, tag: string): void {
  const sent = req.headers['if-match'];
  const tags = sent === undefined ? '*' : entityTags(sent);
  if (tags !== '*' && tags?.includes(tag) !== true)
    throw new DomainError('precondition_failed', 'the file is another than If-Match says', { current: tag });
}

/**
 * Streams the file: memory does not grow with its size.
 * @throws DomainError; after the answer has begun too, which then has to be broken off
 */
export async function sendFile(
  ctx: RequestContext,
  file: SentFile,
  open: OpenContent | undefined,
): Promise<void> {
  const { req, res, caller } = ctx;
  const { hash, size } = file;
  const hex = hash.replace('sha256:', '');
  const tag = `"${hex}"`;
  assertMatch(ctx, tag);
  // what the file is never changes, who may read it does
  const standing = { etag: tag, 'cache-control': 'private, no-cache', 'accept-ranges': 'bytes' };
  if (hasTag(req.headers['if-none-match'] ?? '', tag)) return void res.writeHead(304, standing).end();
  const part = partOf(ctx, size, tag);
  const { first, last } = part ?? { first: 0, last: size - 1 };
  const head = {
    ...standing,
    'content-type': mediaTypeOf(file),
    'content-disposition': attachment(file.name ?? hex),
    'content-length': last - first + 1,
    ...(part === null ? {} : { 'content-range': `bytes ${first}-${last}/${size}` }),
  };
  const status = part === null ? 200 : 206;
  if (req.method === 'HEAD' || size === 0) return void res.writeHead(status, head).end();
  if (file.link !== null && mayFollow(req))
    return void res
      .writeHead(307, { location: file.link, 'cache-control': 'no-store', 'content-length': 0 })
      .end();
  if (open === undefined) throw filesOutOfReach();
  const content = await open({ hash, size, first, last }, caller);
  res.writeHead(status, head);
  try {
    await (content.writeTo?.(res) ?? pipeline(content, res));
  } catch (fault) {
    if (caller.signal?.aborted !== true && !isGone(fault)) throw fault;
  }
}

/** The client has left before the end. */
const isGone = (fault: unknown): boolean => systemErrorCode(fault) === 'ERR_STREAM_PREMATURE_CLOSE';
