// Uploads a file in one request if nothing breaks, and goes on where it broke off if something does: also in a
// later run, because the server knows what it has of which file.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isObject } from '../../platform/json-object.ts';
import { type Api, route } from '../api.ts';
import { ApiFailure } from '../api-failure.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { namedPage, readPages } from '../pages.ts';
import type { ByteProgress } from './show-bytes.ts';
import { counting, hashOf, MAX_FRUITLESS, pauseAfter, READ_BYTES } from './transfer.ts';

export interface UploadOptions {
  /** Absolute. */
  readonly file: string;
  readonly name: string;
  /** Where it is attached; both or neither. */
  readonly entity: string | undefined;
  readonly field: string | undefined;
  /** Bytes of one request at most; null for as many as there are. */
  readonly partBytes: number | null;
  /** Told how far it is. */
  readonly onProgress: (progress: ByteProgress) => void;
}

export interface Uploaded {
  readonly hash: string;
  readonly size: number;
  /** Bytes that the server had from an earlier attempt. */
  readonly resumed_from: number;
  readonly url: string;
}

const UPLOADS = '/api/v1/artifact/uploads';

const encoded = (text: string): string => Buffer.from(text).toString('base64');

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((cause: unknown) => {
    throw new UsageFailure(
      `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  });
  if (!found.isFile()) throw new UsageFailure(`${file} is not a file`);
  return found.size;
}

/** The address and offset of an upload of this file that was begun before; null if there is none. */
async function unfinished(
  api: Api,
  hash: string,
  size: number,
  { entity, field }: UploadOptions,
): Promise<{ readonly to: string; readonly offset: number } | null> {
  const { items } = await readPages(api, { path: UPLOADS }, namedPage('items'), { all: true });
  const found = items.find(
    (one) =>
      one['expected_hash'] === `sha256:${hash}` &&
      one['length'] === size &&
      one['finished_at'] === null &&
      one['fault'] === null &&
      one['entity_id'] === (entity ?? null) &&
      one['field'] === (field ?? null),
  );
  return found === undefined
    ? null
    : { to: `${UPLOADS}/${String(found['id'])}`, offset: Number(found['offset']) };
}

async function begun(api: Api, hash: string, size: number, options: UploadOptions): Promise<string> {
  const { name, entity, field } = options;
  const metadata: Record<string, string> = {
    filename: name,
    sha256: hash,
    ...(entity === undefined ? {} : { entity_id: entity }),
    ...(field === undefined ? {} : { field }),
  };
  const answer = await api.transfer({
    method: 'POST',
    path: UPLOADS,
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(size),
      'upload-metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${encoded(value)}`)
        .join(','),
    },
  });
  if (answer.status !== 201) throw await answer.failure();
  answer.body.resume();
  // its last part: a proxy that serves below a path has put that before it, as the address asked has it
  const id = answer.header('location')?.split('/').at(-1);
  if (id === undefined) throw new Failure('the server has not said where the file is to be sent');
  return `${UPLOADS}/${id}`;
}

/** The offset after one request. @throws ApiFailure, Failure */
async function sendPart(
  api: Api,
  to: string,
  { offset, size, partBytes, file }: { offset: number; size: number; partBytes: number | null; file: string },
  onSent: (bytes: number) => void,
): Promise<number> {
  const length = Math.min(size - offset, partBytes ?? size);
  const counted = counting(onSent);
  const source = createReadStream(file, {
    start: offset,
    end: offset + length - 1,
    highWaterMark: READ_BYTES,
  });
  source.on('error', (fault) => counted.destroy(fault));
  const answer = await api.transfer({
    method: 'PATCH',
    path: to,
    headers: {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'content-length': String(length),
      'upload-offset': String(offset),
    },
    content: source.pipe(counted),
  });
  if (answer.status !== 204) throw await answer.failure();
  answer.body.resume();
  return Number(answer.header('upload-offset'));
}

/** Where the server goes on. */
async function offsetOf(api: Api, to: string): Promise<number> {
  const { status, header, failure, body } = await api.transfer({ method: 'HEAD', path: to });
  if (status !== 200) throw await failure();
  body.resume();
  return Number(header('upload-offset'));
}

/** Whether it may work in a moment: nothing answered, or what was there did not suit. */
const isPassing = (fault: unknown): boolean =>
  fault instanceof ApiFailure
    ? [423, 429, 502, 503, 504].includes(fault.status) || isElsewhere(fault)
    : fault instanceof Failure && fault.details['error'] === 'unreachable';

/** It goes on at another offset, or another request has taken it over. */
const isElsewhere = ({ status, details: { details } }: ApiFailure): boolean =>
  status === 409 && !(isObject(details) && 'limit' in details);

/**
 * All of it has come, but the answer to the last of it was lost: whether it was stored and attached is asked
 * for again.
 */
async function settle(api: Api, to: string, hash: string, options: UploadOptions): Promise<void> {
  await offsetOf(api, to);
  await attach(api, hash, options);
}

async function attach(
  api: Api,
  hash: string,
  { entity, field, name }: Pick<UploadOptions, 'entity' | 'field' | 'name'>,
): Promise<void> {
  if (entity === undefined || field === undefined) return;
  await api.call({
    method: 'PUT',
    path: route`/api/v1/metadata/entities/${entity}/files/${field}`,
    body: { hash, name },
  });
}

/** Whether the server has the file, for this caller. */
async function isThere(api: Api, hash: string): Promise<boolean> {
  const { status, body, failure } = await api.transfer({
    method: 'HEAD',
    path: route`/api/v1/artifact/files/${hash}`,
  });
  if (status >= 400 && status !== 404) throw await failure();
  body.resume();
  return status === 200;
}

/** @throws ApiFailure, Failure, UsageFailure */
export async function uploadFile(api: Api, options: UploadOptions): Promise<Uploaded> {
  const { file, partBytes, onProgress } = options;
  const size = await sizeOf(file);
  const hash = await hashOf(file, { verb: 'reading', total: size }, onProgress);
  const url = `${api.target.url}/api/v1/artifact/files/${hash}`;
  if (await isThere(api, hash)) {
    await attach(api, hash, options);
    return { hash: `sha256:${hash}`, size, resumed_from: size, url };
  }
  const before = await unfinished(api, hash, size, options);
  const to = before?.to ?? (await begun(api, hash, size, options));
  const resumed = before?.offset ?? 0;
  let offset = resumed;
  let sent = offset;
  let isAnswered = before === null || resumed < size;
  for (let fruitless = 0; offset < size;) {
    sent = offset;
    const from = offset;
    try {
      offset = await sendPart(api, to, { offset, size, partBytes, file }, (bytes) => {
        sent += bytes;
        onProgress({ verb: 'sending', done: sent, before: resumed, total: size });
      });
      isAnswered = true;
    } catch (fault) {
      if (!isPassing(fault) || fruitless >= MAX_FRUITLESS) throw fault;
      await pauseAfter(fruitless);
      isAnswered = false;
      offset = await offsetOf(api, to).catch((again: unknown) => {
        if (isPassing(again)) return from;
        throw again;
      });
    }
    fruitless = offset > from ? 0 : fruitless + 1;
  }
  if (!isAnswered) await settle(api, to, hash, options);
  return { hash: `sha256:${hash}`, size, resumed_from: resumed, url };
}
