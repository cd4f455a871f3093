// A thread that is asked one thing after the other, started when it is first asked and gone when nobody asks
// any more.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { badRequest, DomainError } from '../../platform/errors.ts';
import { projectRoot } from '../../platform/project-root.ts';

/** What a thread answers when it could not. */
export interface Failed {
  readonly message: string;
}

interface Builder {
  readonly build: (entry: string) => Promise<string>;
}

const MAX_MS = 30_000;
const MAX_MEMORY_MB = 1024;
/** Callers that wait behind the one that is answered. */
const MAX_WAITING = 32;
/** Milliseconds after which a thread that nobody asks anything goes, and its memory with it. */
const IDLE_MS = 60_000;

export interface AskedThreadOptions<State> {
  /** The thread's entry, below the project's root. */
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
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: AskedThreadOptions<State>) {
    this.#options = options;
  }

  /**
   * One after the other.
   * @throws DomainError `component_unavailable` where too many wait, `invalid_request` where it takes too
   * long or too much memory
   */
  ask(state: State, question: object): Promise<Answer> {
    const { name } = this.#options;
    if (this.#waiting >= MAX_WAITING)
      throw new DomainError('component_unavailable', `too many ask for ${name} at once: try again`, {
        component: name,
        upstream_status: null,
      });
    this.#waiting++;
    clearTimeout(this.#idle);
    const answer = this.#last.then(() => this.#answer(state, question));
    this.#last = answer
      .catch(() => undefined) // its caller hears of it
      .finally(() => {
        if (--this.#waiting === 0)
          this.#idle = setTimeout(() => {
            this.#end();
          }, IDLE_MS).unref();
      });
    return answer;
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
    const { build } = (await import(
      pathToFileURL(path.join(projectRoot, 'scripts', 'run.mjs')).href
    )) as Builder; // scripts are plain JavaScript
    const worker = new Worker(await build(this.#options.entry), {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    });
    worker.on('error', () => {
      this.#end();
    }); // out of memory, most likely: whoever asks now hears of it
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
