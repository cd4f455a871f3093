// Writes what is received to a file: while one batch is being written, the next one
// arrives. Memory does not grow with the file.
import type { Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { DomainError } from '../../../platform/errors.ts';
import { systemErrorCode } from '../../../platform/system-error-code.ts';

/** Bytes that wait while others are written; a sender that is faster is paused. */
const WAITING_BYTES = 2 * 1024 * 1024;
/** Bytes that are written together: for pieces as small as connections bring them, writing takes most of the time. */
const TOGETHER_BYTES = 1024 * 1024;
/** Milliseconds after which fewer are written, too: what comes slowly is kept as it comes. */
const TOGETHER_MS = 20;

export interface PartSinkOptions {
  readonly handle: FileHandle;
  /** Where in the file it begins. */
  readonly position: number;
  /** Bytes at most. */
  readonly room: number;
  /** Takes what is received, in its order. */
  readonly hash: Hash | null;
  /** Called after each batch, with the place in the file where it ends. */
  readonly onWritten: (bytes: number, end: number) => void;
}

const hasNoSpace = (fault: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(systemErrorCode(fault) ?? '');

export class PartSink extends Writable {
  readonly #options: PartSinkOptions;
  #bytes = 0;
  #taken: Buffer[] = [];
  #size = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The batch that is being written. */
  #writing: Promise<void> = Promise.resolve();

  constructor(options: PartSinkOptions) {
    super({ highWaterMark: WAITING_BYTES });
    this.#options = options;
  }

  /** Bytes that have been written. */
  get bytes(): number {
    return this.#bytes;
  }

  override _write(chunk: Buffer, _encoding: unknown, done: (error?: Error) => void): void {
    this.#take([chunk], done);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error) => void): void {
    this.#take(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }

  override _final(done: (error?: Error) => void): void {
    this.#put().then(() => done(), done);
  }

  override _destroy(fault: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    done(fault);
  }

  #take(chunks: readonly Buffer[], done: (error?: Error) => void): void {
    for (const chunk of chunks) {
      this.#taken.push(chunk);
      this.#size += chunk.length;
    }
    if (this.#size >= TOGETHER_BYTES) return void this.#put().then(() => done(), done);
    this.#timer ??= setTimeout(() => {
      this.#put().catch((fault: unknown) =>
        this.destroy(fault instanceof Error ? fault : new Error(String(fault))),
      );
    }, TOGETHER_MS);
    done();
  }

  /** Writes what has been taken, after what is being written. */
  #put(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#putNow());
    return this.#writing;
  }

  async #putNow(): Promise<void> {
    const { handle, position, room, hash, onWritten } = this.#options;
    const [chunks, size] = [this.#taken, this.#size];
    [this.#taken, this.#size] = [[], 0];
    if (size === 0) return;
    if (this.#bytes + size > room)
      throw new DomainError(
        'payload_too_large',
        `more than the remaining ${room} bytes of the file were sent`,
        {
          limit: room,
        },
      );
    const writing = writeAll(handle, chunks, size, position + this.#bytes);
    for (const chunk of chunks) hash?.update(chunk); // while it is written
    await writing;
    this.#bytes += size;
    onWritten(size, position + this.#bytes);
  }
}

/** @throws DomainError `component_unavailable` where the disk is full */
async function writeAll(
  handle: FileHandle,
  chunks: readonly Buffer[],
  size: number,
  position: number,
): Promise<void> {
  try {
    const { bytesWritten } = await handle.writev([...chunks], position);
    if (bytesWritten === size) return;
    const rest = Buffer.concat(chunks).subarray(bytesWritten);
    for (let at = 0; at < rest.length;)
      at += (await handle.write(rest, at, rest.length - at, position + bytesWritten + at)).bytesWritten;
  } catch (fault) {
    if (!hasNoSpace(fault)) throw fault;
    throw new DomainError(
      'component_unavailable',
      'the artifact store has no space left; what has been received before stays',
      { component: 'store', upstream_status: null },
      { cause: fault },
    );
  }
}
