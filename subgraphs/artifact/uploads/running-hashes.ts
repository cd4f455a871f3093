// Hashes of uploads while they come, computed in a thread that reads behind whoever writes: hashing takes as long as
// receiving, and would hold up the event loop. A hash that is lost is computed again from the files
// (docs/decisions/0088-uploads.md).
import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { startThread } from '../../../platform/start-thread.ts';

/** The messages to the thread: a part of a file to go on with, the question for the digest, or the end. */
export type HashAsked =
  | { readonly id: number; readonly file: string; readonly from: number; readonly to: number }
  | { readonly id: number; readonly isDigest: true }
  | { readonly id: number; readonly isOver: true };
/** Its answers to the first two. */
export type HashTold =
  { readonly id: number; readonly hex: string | null } | { readonly id: number; readonly fault: string };

const MAX_MEMORY_MB = 64;
/** Less than that is hashed when all of it has come. */
const WORTH_BYTES = 4 * 1024 * 1024;
/** Bytes of one message: uploads take turns. */
const AT_ONCE_BYTES = 4 * 1024 * 1024;
/** Milliseconds after which a thread without uploads goes, and its memory with it. */
const IDLE_MS = 60_000;

interface Range {
  readonly file: string;
  readonly from: number;
  to: number;
}

type Asked = Exclude<HashAsked, { isOver: true }>;

/** A thread, until it is gone, and with it all hashes that it knew. */
class HashThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (told: HashTold | null) => void>();
  #isGone = false;

  constructor(worker: Worker, onGone: (fault: unknown) => void) {
    this.#worker = worker;
    let fault: unknown;
    worker.unref();
    worker.on('message', (told: HashTold) => {
      this.#settle(told.id, told);
    });
    worker.on('error', (error) => {
      fault = error;
    });
    worker.on('exit', () => {
      this.#isGone = true;
      for (const id of [...this.#waiting.keys()]) this.#settle(id, null);
      onGone(fault);
    });
  }

  /** One question at a time for each id. @returns null where the thread is gone */
  ask(asked: Asked): Promise<HashTold | null> {
    if (this.#isGone) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#worker.ref();
      this.#waiting.set(asked.id, resolve);
      this.#worker.postMessage(asked);
    });
  }

  forget(id: number): void {
    this.#worker.postMessage({ id, isOver: true } satisfies HashAsked);
  }

  end(): void {
    void this.#worker.terminate();
  }

  #settle(id: number, told: HashTold | null): void {
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    resolve?.(told);
  }
}

/** The hash of what an upload has brought so far. */
export class RunningHash {
  readonly #id: number;
  readonly #begin: () => Promise<HashThread | null>;
  readonly #onEnd: () => void;
  readonly #ranges: Range[] = [];
  #bytes = 0;
  #thread: Promise<HashThread | null> | undefined;
  #isLost = false;
  #reading: Promise<void> | undefined;

  constructor(id: number, begin: () => Promise<HashThread | null>, onEnd: () => void) {
    this.#id = id;
    this.#begin = begin;
    this.#onEnd = onEnd;
  }

  /** How much it is of, from the beginning of the upload. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A part of a file continues it: it has been written, and stays as it is until the digest is known. */
  add(file: string, from: number, to: number): void {
    this.#bytes += to - from;
    const last = this.#ranges.at(-1);
    if (last?.file === file && last.to === from) last.to = to;
    else this.#ranges.push({ file, from, to });
    if (this.#bytes >= WORTH_BYTES) void this.#read();
  }

  /** In hexadecimal; null where it has to be computed from the files. May be asked more than once. */
  async digest(): Promise<string | null> {
    if (this.#thread === undefined) return null;
    await this.#read();
    const told = this.#isLost ? null : await (await this.#thread)?.ask({ id: this.#id, isDigest: true });
    return told && 'hex' in told ? told.hex : null;
  }

  /** Nobody wants it any more. */
  end(): void {
    this.#isLost = true;
    void this.#thread?.then((thread) => thread?.forget(this.#id));
    this.#onEnd();
  }

  /** Until all that was added has been read. */
  #read(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    const thread = await (this.#thread ??= this.#begin());
    for (let next = this.#ranges.shift(); next !== undefined && !this.#isLost; next = this.#ranges.shift()) {
      const { file, from, to } = next;
      const end = Math.min(to, from + AT_ONCE_BYTES);
      if (end < to) this.#ranges.unshift({ file, from: end, to });
      const told = (await thread?.ask({ id: this.#id, file, from, to: end })) ?? null;
      // a file that cannot be read now: whoever reads it in the end says why
      if (told === null || 'fault' in told) this.#isLost = true;
    }
  }
}

/** The running hashes of a process. */
export class RunningHashes {
  readonly #log: Pick<Logger, 'warn'>;
  readonly #users = new Set<number>();
  #thread: Promise<HashThread | null> | undefined;
  #next = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  begin(): RunningHash {
    const id = this.#next++;
    this.#users.add(id);
    clearTimeout(this.#idle);
    return new RunningHash(
      id,
      () => (this.#thread ??= this.#start()),
      () => {
        this.#users.delete(id);
        if (this.#users.size === 0) this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
      },
    );
  }

  /** Ends the thread. */
  close(): void {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.then((one) => one?.end());
  }

  /** Null where none can be started: hashes are computed from the files then. */
  #start(): Promise<HashThread | null> {
    const lost = (err: unknown): void => {
      if (this.#thread === started) this.#thread = undefined;
      if (err !== undefined) this.#log.warn({ err }, 'the thread that hashes uploads is gone');
    };
    const started = startThread('subgraphs/artifact/uploads/hash-thread.ts', MAX_MEMORY_MB).then(
      (worker) => new HashThread(worker, lost),
      (err: unknown) => {
        lost(err);
        return null;
      },
    );
    return started;
  }
}
