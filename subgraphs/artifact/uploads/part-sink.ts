// Writes what is received to a file, hashing it on the way: while one batch is being written, the next one
// arrives. Memory does not grow with the file.
import type { Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { DomainError } from '../../../platform/errors.ts';

/** Bytes that wait while others are written; a sender that is faster is paused. */
const WAITING_BYTES = 2 * 1024 * 1024;

export interface PartSinkOptions {
  readonly handle: FileHandle;
  /** Where in the file it begins. */
  readonly position: number;
  /** Bytes at most. */
  readonly room: number;
  /** What is received, in its order. */
  readonly hashes: readonly Hash[];
  /** Called after each batch. */
  readonly onWritten: (bytes: number) => void;
}

const hasNoSpace = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && (fault.code === 'ENOSPC' || fault.code === 'EDQUOT');

export class PartSink extends Writable {
  readonly #options: PartSinkOptions;
  #bytes = 0;

  constructor(options: PartSinkOptions) {
    super({ highWaterMark: WAITING_BYTES });
    this.#options = options;
  }

  /** Bytes that have been written. */
  get bytes(): number {
    return this.#bytes;
  }

  override _write(chunk: Buffer, _encoding: unknown, done: (error?: Error) => void): void {
    this.#put([chunk]).then(() => done(), done);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error) => void): void {
    this.#put(chunks.map(({ chunk }) => chunk)).then(() => done(), done);
  }

  async #put(chunks: readonly Buffer[]): Promise<void> {
    const { handle, position, room, hashes, onWritten } = this.#options;
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    if (this.#bytes + size > room)
      throw new DomainError(
        'payload_too_large',
        `more than the remaining ${room} bytes of the file were sent`,
        {
          limit: room,
        },
      );
    const writing = writeAll(handle, chunks, size, position + this.#bytes);
    for (const hash of hashes) for (const chunk of chunks) hash.update(chunk); // while it is written
    await writing;
    this.#bytes += size;
    onWritten(size);
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
