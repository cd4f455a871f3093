// Downloads a file: whole and with the hash that the server names, or not at all. What has come before a
// connection broke off is kept beside it, also for a later run.
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Api, Transferred } from '../api.ts';
import { systemErrorCode } from '../../platform/system-error-code.ts';
import { Failure, UsageFailure } from '../failure.ts';
import type { ByteProgress } from './show-bytes.ts';
import { counting, hashOf, MAX_FRUITLESS, pauseAfter } from './transfer.ts';

export interface DownloadOptions {
  /** Of the endpoint. */
  readonly from: string;
  /** Absolute: a file, or a directory. */
  readonly to: string;
  readonly isForced: boolean;
  readonly onProgress: (progress: ByteProgress) => void;
}

export interface Downloaded {
  readonly file: string;
  readonly hash: string;
  readonly size: number;
  /** Bytes that were here from an earlier attempt. */
  readonly resumed_from: number;
}

/** What the server says of a file. */
export interface Told {
  readonly hex: string;
  readonly size: number;
  readonly name: string;
}

const nameIn = (disposition: string | undefined): string | null => {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  return encoded === undefined ? null : path.basename(decodeURIComponent(encoded));
};

/** @throws ApiFailure, Failure */
export async function told(api: Api, from: string): Promise<Told> {
  const answer = await api.transfer({ method: 'HEAD', path: from });
  if (answer.status !== 200) throw await missing(api, from, answer);
  answer.body.resume();
  const hex = /^"([0-9a-f]{64})"$/.exec(answer.header('etag') ?? '')?.[1];
  if (hex === undefined) throw new Failure('the server has not said which hash the file has');
  return {
    hex,
    size: Number(answer.header('content-length')),
    name: nameIn(answer.header('content-disposition')) ?? hex,
  };
}

/** The answer to HEAD has no text: the same is asked with GET. */
async function missing(api: Api, from: string, answer: Transferred): Promise<Error> {
  const again = await api.transfer({ method: 'GET', path: from });
  if (again.status >= 400) return again.failure();
  again.body.destroy();
  return answer.failure();
}

async function sizeOf(file: string): Promise<number | null> {
  const found = await stat(file).catch((fault: unknown) => {
    if (systemErrorCode(fault) === 'ENOENT') return null;
    throw fault;
  });
  return found?.size ?? null;
}

async function placeFor({ to, isForced }: DownloadOptions, name: string): Promise<string> {
  const found = await stat(to).catch(() => null); // it will be made
  const place = found?.isDirectory() === true ? path.join(to, name) : to;
  if (!isForced && existsSync(place)) throw new UsageFailure(`${place} exists: --force replaces it`);
  return place;
}

/** Appends what is missing; what has come stays where it breaks off. @throws ApiFailure, Failure */
async function fetchRest(
  api: Api,
  from: string,
  part: string,
  { hex, size }: Told,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const begin = (await sizeOf(part)) ?? 0;
  if (begin === size && size > 0) return;
  const answer = await api.transfer({
    method: 'GET',
    path: from,
    headers: begin === 0 ? {} : { range: `bytes=${begin}-`, 'if-range': `"${hex}"` },
  });
  if (answer.status !== 200 && answer.status !== 206) throw await answer.failure();
  const isRest = answer.status === 206;
  await pipeline(answer.body, counting(onBytes), createWriteStream(part, { flags: isRest ? 'a' : 'w' }));
}

const reasonOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

/** A refusal by the server does not pass; a connection may come again. */
const isRefusal = (fault: unknown): boolean =>
  fault instanceof Failure && fault.details['error'] !== 'unreachable';

/** @throws ApiFailure, Failure, UsageFailure */
export async function downloadFile(api: Api, options: DownloadOptions): Promise<Downloaded> {
  const { from, onProgress } = options;
  const file = await told(api, from);
  const place = await placeFor(options, file.name);
  const part = `${place}.${file.hex.slice(0, 12)}.part`; // of another file it is another one
  const resumed = Math.min((await sizeOf(part)) ?? 0, file.size);
  let done = resumed;
  for (let fruitless = 0; ;) {
    const before = done;
    try {
      await fetchRest(api, from, part, file, (bytes) => {
        done += bytes;
        onProgress({ verb: 'receiving', done, before: resumed, total: file.size });
      });
      break;
    } catch (fault) {
      done = (await sizeOf(part)) ?? 0;
      fruitless = done > before ? 0 : fruitless + 1;
      if (isRefusal(fault) || fruitless > MAX_FRUITLESS)
        throw fault instanceof Failure
          ? fault
          : new Failure(
              `${place} was not written: ${reasonOf(fault)}; ${part} has what has come, and the same command goes on`,
              { error: 'download_failed' },
              { cause: fault },
            );
      await pauseAfter(Math.max(0, fruitless - 1));
    }
  }
  const found = await hashOf(part, { verb: 'checking', total: file.size }, onProgress);
  if (found !== file.hex) {
    await rm(part, { force: true });
    throw new Failure(`what came has the hash ${found}, not ${file.hex}: it was removed`, {
      error: 'hash_mismatch',
      expected: file.hex,
      found,
    });
  }
  await rename(part, place);
  return { file: place, hash: `sha256:${file.hex}`, size: file.size, resumed_from: resumed };
}
