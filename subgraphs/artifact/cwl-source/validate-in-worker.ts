// Validates CWL workflows in a separate thread, with a time limit.
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../platform/start-thread.ts';
import type { CwlOptions, CwlResult } from '../cwl/validate.ts';

/** The messages to and from the thread. */
export type Asked =
  | { readonly kind: 'check'; readonly id: number; readonly text: string; readonly url: string }
  | { readonly kind: 'read'; readonly reading: number; readonly text: string }
  | { readonly kind: 'read'; readonly reading: number; readonly fault: string };
export type Told =
  | { readonly kind: 'read'; readonly id: number; readonly reading: number; readonly address: string }
  | { readonly kind: 'result'; readonly id: number; readonly result: CwlResult }
  | { readonly kind: 'fault'; readonly id: number; readonly message: string };

interface Check {
  readonly text: string;
  readonly options: CwlOptions;
  readonly resolve: (result: CwlResult) => void;
  readonly reject: (fault: Error) => void;
  /** Whether it was already begun in a thread that another validation crashed. */
  wasMoved: boolean;
}

/** Timeout of everything: the referenced documents are fetched meanwhile, at most 10 s each. */
const MAX_MS = 60_000;
const MAX_MEMORY_MB = 512;

const notInTime = ({ options: { url } }: Check): CwlResult => ({
  valid: false,
  problems: [
    {
      url,
      line: null,
      column: null,
      message: 'cannot be validated: validation takes too much time or memory',
    },
  ],
});

class CheckingThread {
  readonly #checks = new Map<number, Check>();
  #worker: Promise<Worker> | undefined;
  #count = 0;

  check(text: string, options: CwlOptions): Promise<CwlResult> {
    return new Promise((resolve, reject) => {
      this.#begin({ text, options, resolve, reject, wasMoved: false });
    });
  }

  #begin(check: Check): void {
    const id = ++this.#count;
    this.#checks.set(id, check);
    const late = setTimeout(() => {
      this.#giveUp(id);
    }, MAX_MS).unref(); // the thread keeps the process alive meanwhile
    const settled = (): void => {
      clearTimeout(late);
      this.#checks.delete(id);
    };
    const { resolve, reject } = check;
    this.#checks.set(id, {
      ...check,
      resolve: (result) => {
        settled();
        resolve(result);
      },
      reject: (fault) => {
        settled();
        reject(fault);
      },
    });
    this.#started().then(
      (worker) => {
        worker.ref();
        worker.postMessage({ kind: 'check', id, text: check.text, url: check.options.url } satisfies Asked);
      },
      (fault: unknown) => {
        this.#checks.get(id)?.reject(fault instanceof Error ? fault : new Error(String(fault)));
      },
    );
  }

  #started(): Promise<Worker> {
    this.#worker ??= this.#start().catch((fault: unknown) => {
      this.#worker = undefined;
      throw fault;
    });
    return this.#worker;
  }

  async #start(): Promise<Worker> {
    const worker = await startThread('subgraphs/artifact/cwl-source/validate-thread.ts', MAX_MEMORY_MB);
    worker.on('message', (told: Told) => {
      this.#hear(worker, told);
    });
    worker.on('error', () => {
      this.#moveOn();
    }); // most likely out of memory: other validations in the thread are repeated once in a new one
    worker.unref();
    return worker;
  }

  #hear(worker: Worker, told: Told): void {
    const check = this.#checks.get(told.id);
    if (told.kind === 'read') {
      const { reading, address } = told;
      const read =
        check?.options.read?.(address) ??
        Promise.reject(new Error('other documents cannot be read from here'));
      read.then(
        (text) => {
          worker.postMessage({ kind: 'read', reading, text } satisfies Asked);
        },
        (fault: unknown) => {
          worker.postMessage({
            kind: 'read',
            reading,
            fault: fault instanceof Error ? fault.message : String(fault),
          } satisfies Asked);
        },
      );
    } else if (told.kind === 'result') check?.resolve(told.result);
    else check?.reject(new Error(told.message));
    if (this.#checks.size === 0) worker.unref();
  }

  /** This one takes too long; others in the same thread are begun again in a new one. */
  #giveUp(id: number): void {
    const check = this.#checks.get(id);
    if (check === undefined) return; // moved to a new thread, or settled
    check.resolve(notInTime(check));
    this.#moveOn();
  }

  #moveOn(): void {
    void this.#worker?.then((worker) => worker.terminate());
    this.#worker = undefined;
    const others = [...this.#checks.values()];
    this.#checks.clear();
    for (const check of others) {
      if (check.wasMoved) check.resolve(notInTime(check));
      else this.#begin({ ...check, wasMoved: true });
    }
  }
}

const thread = new CheckingThread();

/**
 * Like `validateCwl`, in a separate thread. More than a minute, or too much memory, counts as a fault of the
 * workflow.
 */
export const validateInWorker = (text: string, options: CwlOptions): Promise<CwlResult> =>
  thread.check(text, options);
