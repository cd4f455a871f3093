// A request's claim on an upload while it writes: what has been received is recorded now and then, so that a
// process that is killed loses little, and the claim ends when another request takes the upload over.
import type { FileHandle } from 'node:fs/promises';
import { DomainError } from '../../../platform/errors.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { type Claim, type Part, recordPart, touchClaim } from './upload-parts.store.ts';

/** Milliseconds between two records. */
const RECORD_MS = 2000;
/** Bytes after which one is made before that: the disk is busy while more comes, and the last record has little to wait for. */
const RECORD_BYTES = 64 * 1024 * 1024;
/** Milliseconds between two signs of life where nothing is received. */
const TOUCH_MS = 3000;

export const claimLost = (): DomainError =>
  new DomainError('conflict', 'another request has gone on with this upload, or it was cancelled');

interface ProgressOptions {
  readonly db: Queryable;
  readonly claim: Claim;
  readonly handle: FileHandle;
  /** Asked now and then: why it ends; null where nothing can end it. */
  readonly excess: (() => Promise<DomainError | undefined>) | null;
  /** Ends receiving. */
  readonly onLost: (reason: DomainError) => void;
}

/** Records the progress of one request. */
export class Progress {
  readonly #options: ProgressOptions;
  #part: Part;
  #recordedAt = performance.now();
  /** Bytes since then. */
  #unrecorded = 0;
  #recording: Promise<void> = Promise.resolve();
  #isRecording = false;

  /** @param part what the file holds already */
  constructor(options: ProgressOptions, part: Part) {
    this.#options = options;
    this.#part = part;
  }

  /** More has been written; recorded from time to time, in the background. */
  add(bytes: number): void {
    this.#part = { ...this.#part, length: this.#part.length + bytes };
    this.#unrecorded += bytes;
    const isDue = this.#unrecorded >= RECORD_BYTES || performance.now() - this.#recordedAt >= RECORD_MS;
    if (this.#isRecording || !isDue) return;
    this.#isRecording = true;
    this.#unrecorded = 0;
    this.#recording = this.#look().then(
      (reason) => {
        this.#isRecording = false;
        this.#recordedAt = performance.now();
        if (reason !== undefined) this.#options.onLost(reason);
      },
      () => {
        this.#isRecording = false; // the record at the end fails, too, if this goes on
      },
    );
  }

  /** Records all of it. @throws DomainError `conflict` if another request has taken the upload over */
  async end(): Promise<void> {
    await this.#recording;
    if (!(await this.#record())) throw claimLost();
  }

  /** Why it cannot go on. */
  async #look(): Promise<DomainError | undefined> {
    return (await this.#record()) ? await this.#options.excess?.() : claimLost();
  }

  /** It is on the disk before it is told of. */
  async #record(): Promise<boolean> {
    const { db, claim, handle } = this.#options;
    const part = this.#part;
    await handle.datasync();
    return recordPart(db, claim, part);
  }
}

/** Keeps the claim while something else is done. @throws DomainError `conflict` if it was lost meanwhile */
export async function whileTouching<T>(db: Queryable, claim: Claim, work: () => Promise<T>): Promise<T> {
  let isLost = false;
  let touching: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    touching = touchClaim(db, claim).then(
      (isOurs) => {
        isLost ||= !isOurs;
      },
      () => undefined, // a database that is away is met by what comes next
    );
  }, TOUCH_MS);
  try {
    const result = await work();
    await touching;
    if (isLost) throw claimLost();
    return result;
  } finally {
    clearInterval(timer);
  }
}
