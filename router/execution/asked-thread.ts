// A thread that is asked one thing after the other, started when it is first asked and gone when nobody asks
// any more.
import type { Worker } from 'node:worker_threads';
import { badRequest, DomainError } from '../../platform/errors.ts';
import { FairSlots, TooManyWaiting } from '../../platform/fair-slots.ts';
import type { Caller } from '../../platform/identity.ts';
import { startThread } from '../../platform/start-thread.ts';

/** What a thread posts when it can be asked. */
export const LOADED = 'loaded';

/** What a thread answers when it could not. */
export interface Failed {
  readonly message: string;
}

const MAX_MS = 30_000;
/** How long a thread may take to load its modules, which says nothing of what it is asked. */
const MAX_START_MS = 120_000;
const MAX_MEMORY_MB = 1024;
/** Questions of one actor that wait while one is answered. */
const MAX_WAITING = 8;
/** Milliseconds after which a thread that nobody asks anything goes, and its memory with it. */
const IDLE_MS = 60_000;

/** Who asks: each actor has the same share of a thread. */
export type Asker = Pick<Caller, 'actor' | 'signal'>;
const NEVER = new AbortController().signal;

export interface AskedThreadOptions<State> {
  /** The thread's entry, below the project's root. Once it is loaded it posts {@link LOADED}. */
  readonly entry: string;
  /** What it is for, in refusals. */
  readonly name: string;
  /** Tells a thread what it is asked over: once for each state. */
  readonly tell: (post: (message: object) => void, state: State) => Promise<void> | void;
  /** Said where it takes too long, or too much memory. */
  readonly tooMuch: string;
}

/** @template State what questions are asked over, known by identity */
export class AskedThread<State, Answer extends object> {
  readonly #options: AskedThreadOptions<State>;
  #worker: Promise<Worker> | undefined;
  #state: State | undefined;
  readonly #turns = new FairSlots({ slots: 1, perKey: 1, waiting: MAX_WAITING });
  #asking = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: AskedThreadOptions<State>) {
    this.#options = options;
  }

  /**
   * One after the other, of one actor after another.
   * @throws DomainError `rate_limit_exceeded` where too many of the actor's wait, `invalid_request` where it
   * takes too long or too much memory, `component_unavailable` where the thread does not start; the signal's
   * reason, where it is aborted before it is asked
   */
  async ask(state: State, question: object, { actor, signal = NEVER }: Asker): Promise<Answer> {
    clearTimeout(this.#idle);
    this.#asking++;
    let leave: (() => void) | undefined;
    try {
      leave = await this.#turns.enter(actor, signal);
      return await this.#answer(state, question);
    } catch (fault) {
      if (!(fault instanceof TooManyWaiting)) throw fault;
      const { name } = this.#options;
      throw new DomainError('rate_limit_exceeded', `${name}: too many operations of yours at once`);
    } finally {
      leave?.();
      if (--this.#asking === 0)
        this.#idle = setTimeout(() => {
          this.#end();
        }, IDLE_MS).unref();
    }
  }

  async #answer(state: State, question: object): Promise<Answer> {
    const worker = await (this.#worker ??= this.#start().catch((fault: unknown) => {
      this.#worker = undefined;
      throw fault;
    }));
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort();
    }, MAX_MS);
    const post = (message: object): void => {
      worker.postMessage(message);
    };
    worker.ref();
    try {
      if (this.#state !== state) await this.#options.tell(post, state);
      this.#state = state;
      const told = await this.#heard(worker, late.signal, () => {
        post(question);
      });
      if ('message' in told) throw new Error(told.message);
      return told;
    } catch (fault) {
      this.#end();
      throw fault;
    } finally {
      clearTimeout(timer);
      worker.unref();
    }
  }

  async #start(): Promise<Worker> {
    const worker = await startThread(this.#options.entry, MAX_MEMORY_MB);
    worker.on('error', () => {
      this.#end();
    }); // out of memory, most likely: whoever asks now hears of it
    try {
      await loaded(worker, this.#options.name);
    } catch (fault) {
      void worker.terminate();
      throw fault;
    }
    worker.unref();
    return worker;
  }

  #end(): void {
    void this.#worker?.then(
      (worker) => worker.terminate(),
      () => undefined,
    );
    this.#worker = this.#state = undefined;
  }

  /** The next answer. @throws DomainError `invalid_request` where none comes */
  #heard(worker: Worker, late: AbortSignal, ask: () => void): Promise<Answer | Failed> {
    return new Promise((resolve, reject) => {
      const settled = (): void => {
        worker.off('message', hear);
        worker.off('exit', gone);
        late.removeEventListener('abort', gone);
      };
      const hear = (told: Answer | Failed): void => {
        settled();
        resolve(told);
      };
      const gone = (): void => {
        settled();
        reject(badRequest(this.#options.tooMuch));
      };
      worker.on('message', hear);
      worker.on('exit', gone);
      late.addEventListener('abort', gone);
      if (late.aborted) gone();
      else ask();
    });
  }
}

/** @throws DomainError `component_unavailable` */
function loaded(worker: Worker, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(ended, MAX_START_MS);
    function settle(): void {
      clearTimeout(late);
      worker.off('message', ready);
      worker.off('exit', ended);
    }
    function ready(message: unknown): void {
      if (message !== LOADED) return;
      settle();
      resolve();
    }
    function ended(): void {
      settle();
      reject(
        new DomainError('component_unavailable', `${name}: its thread could not be started`, {
          component: 'gateway',
          upstream_status: null,
        }),
      );
    }
    worker.on('message', ready);
    worker.once('exit', ended);
  });
}
