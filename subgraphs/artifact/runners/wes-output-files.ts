// Fetches the files of a run's outputs from a WES service, and checks what came
// (docs/reference/artifact.md#wes).
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isObject } from '../../../platform/json-object.ts';
import type { WesClient } from './wes-client.ts';
import { WesFault } from './wes-fault.ts';
import type { Json } from './wes-outputs.ts';
import { isDirectory, isFile } from './wes-package.ts';

/** Fetches an output that is not on the service to this machine. */
export type FetchOutput = (location: string, file: string, stop: AbortSignal) => Promise<unknown>;

const TRANSFERS = 3;

/** A name that leads nowhere else, whatever a service calls its file. */
const nameOf = (value: Json, location: string): string => {
  const name = path.basename(
    typeof value['basename'] === 'string' ? value['basename'] : new URL(location, 'file:///').pathname,
  );
  return ['', '.', '..'].includes(name) ? 'file' : name;
};

/** @throws WesFault where the file is not the one whose size and digest CWL's output object names */
async function check(file: string, told: Json): Promise<void> {
  const { basename, checksum, size } = told;
  const [, algorithm, digest] = /^(sha1|sha256|md5)\$([0-9a-f]+)$/i.exec(String(checksum)) ?? [];
  if (algorithm === undefined && typeof size !== 'number') return;
  const hash = createHash(algorithm?.toLowerCase() ?? 'sha1');
  let bytes = 0;
  for await (const chunk of createReadStream(file)) {
    bytes += (chunk as Buffer).length; // without an encoding, chunks are buffers
    hash.update(chunk as Buffer);
  }
  const isOther = digest !== undefined && hash.digest('hex') !== digest.toLowerCase();
  if (isOther || (typeof size === 'number' && size !== bytes))
    throw new WesFault(
      `the service sent another ${String(basename)} than the run made: ${bytes} bytes that do not have the size or ${algorithm ?? 'digest'} that it told`,
      200,
    );
}

export class WesOutputFiles {
  readonly #client: WesClient;
  readonly #fetch: FetchOutput;
  readonly #stop: AbortSignal;

  constructor(client: WesClient, fetchOutput: FetchOutput, stop: AbortSignal) {
    this.#client = client;
    this.#fetch = fetchOutput;
    this.#stop = stop;
  }

  /** The outputs with every file and directory fetched to this machine, one after the other. @throws WesFault */
  async bring(value: unknown, directory: string): Promise<unknown> {
    if (Array.isArray(value)) {
      const brought: unknown[] = [];
      for (const item of value) brought.push(await this.bring(item, directory));
      return brought;
    }
    if (!isObject(value)) return value;
    if (!isFile(value) && !isDirectory(value)) {
      const brought: Record<string, unknown> = {};
      for (const [key, held] of Object.entries(value)) brought[key] = await this.bring(held, directory);
      return brought;
    }
    const own = path.join(directory, randomUUID());
    await mkdir(own);
    return this.#bringTo(own, value);
  }

  /** One file or directory below a directory, with its secondary files. */
  async #bringTo(own: string, value: Json): Promise<Json> {
    const location =
      value['location'] ?? value['path'] ?? value['url'] ?? (isDirectory(value) ? '' : undefined);
    if (typeof location !== 'string') throw new WesFault('an output has no location', 200);
    const basename = nameOf(value, location);
    const file = path.join(own, basename);
    const beside = Array.isArray(value['secondaryFiles'])
      ? { secondaryFiles: await this.bring(value['secondaryFiles'], own) }
      : {};
    if (isDirectory(value)) {
      const { listing } = value;
      if (!Array.isArray(listing))
        throw new WesFault(`the service does not list the contents of the directory ${basename}`, 200);
      await mkdir(file);
      for (const held of listing.filter(isObject)) await this.#bringTo(file, held);
      return { ...value, listing: undefined, location: undefined, path: file, basename, ...beside };
    }
    await this.#transfer(location, file);
    await check(file, { ...value, basename });
    return { ...value, location: undefined, path: file, basename, ...beside };
  }

  async #transfer(location: string, file: string): Promise<void> {
    const url = this.#client.own(location);
    if (!url) {
      await this.#fetch(location, file, this.#stop);
      return;
    }
    for (let left = TRANSFERS; ; left--) {
      const content = await this.#client.content(url, this.#stop);
      try {
        // The two kinds of web streams only differ in name.
        await pipeline(Readable.fromWeb(content as never), createWriteStream(file, { flags: 'wx' }));
        return;
      } catch (cause) {
        this.#stop.throwIfAborted();
        const { code } = cause as NodeJS.ErrnoException; // streams reject with errors
        if (code === 'EEXIST')
          throw new WesFault(`the service tells two outputs of the name ${path.basename(file)}`, 200);
        if (left <= 1 || code === 'ENOSPC')
          throw new WesFault(`${url.pathname} could not be transferred`, null, { cause });
        await rm(file, { force: true });
      }
    }
  }
}
