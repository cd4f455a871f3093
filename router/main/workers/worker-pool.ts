// Keeps the configured number of workers: replaces one that dies, with a growing delay if it dies at once,
// and all of them one by one on reload.
import type { Logger } from 'pino';
import { LINGER_MS } from '../../../platform/drain.ts';
import { waitAtMost } from '../../../platform/wait-at-most.ts';
import type { Forked } from './fork-worker.ts';

export interface WorkerPoolOptions<Settings> {
  readonly log: Logger;
  readonly fork: (settings: Settings) => Promise<Forked>;
  readonly onEnded: (worker: Forked) => void;
}

export interface WorkerPool<Settings> {
  /** Resolves when all serve. @throws Error if one cannot start; then none runs */
  start(settings: Settings, count: number): Promise<string>;
  /**
   * One by one: a new worker serves before the old one stops accepting.
   * @throws Error if a new worker cannot start, or the pool closes: the old one stays, and those after it.
   */
  reload(settings: Settings, count: number): Promise<void>;
  /**
   * Has each worker take by itself what is new in `settings`, which later ones start with.
   */
  renew(settings: Settings, take: (worker: Forked) => Promise<unknown>): Promise<void>;
  /** Resolves when the workers that reloads have replaced are gone. */
  retired(): Promise<void>;
  /** Resolves when each has announced its stop, and waited. From now on none is replaced. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

/** A worker that lived this long, in milliseconds, did not fail at its start. */
const STEADY_MS = 10_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 30_000;
/** For so long, in milliseconds, the end waits for one that starts. */
const START_MS = 10_000;

interface Slot {
  current: Forked | undefined;
  deaths: number;
  timer?: NodeJS.Timeout;
}

export const createWorkerPool = <Settings>(options: WorkerPoolOptions<Settings>): WorkerPool<Settings> =>
  new SlottedPool(options);

class SlottedPool<Settings> implements WorkerPool<Settings> {
  readonly #options: WorkerPoolOptions<Settings>;
  #slots: Slot[] = [];
  #closing = false;
  readonly #retiring = new Set<Promise<void>>();
  readonly #starting = new Set<Promise<unknown>>();

  constructor(options: WorkerPoolOptions<Settings>) {
    this.#options = options;
  }

  async start(wanted: Settings, count: number): Promise<string> {
    const { fork, log } = this.#options;
    this.#fork = () => this.#started(wanted);
    this.#slots = Array.from({ length: count }, () => ({ current: undefined, deaths: 0 }));
    const started = await Promise.allSettled(
      this.#slots.map(async (slot) => {
        const worker = await fork(wanted);
        this.#place(slot, worker);
        return worker.url;
      }),
    );
    const failed = started.find((outcome) => outcome.status === 'rejected');
    if (failed) {
      await this.close();
      throw failed.reason;
    }
    log.info(
      { workers: this.#slots.map(({ current }) => current?.worker.process.pid) },
      'the workers are ready',
    );
    const [first] = started;
    return first?.status === 'fulfilled' ? first.value : '';
  }

  async reload(wanted: Settings, count: number): Promise<void> {
    const { log } = this.#options;
    while (this.#slots.length < count) this.#slots.push({ current: undefined, deaths: 0 });
    for (const slot of this.#slots.slice(0, count)) {
      const fork = (): Promise<Forked> => this.#started(wanted);
      const worker = await fork();
      this.#fork = fork;
      clearTimeout(slot.timer);
      const before = slot.current;
      slot.deaths = 0;
      this.#place(slot, worker);
      await this.#retire(before, LINGER_MS);
      log.info(
        { worker: worker.worker.process.pid },
        'a worker with the new configuration has replaced an old one',
      );
    }
    await Promise.all(
      this.#slots.splice(count).map(({ current, timer }) => {
        clearTimeout(timer);
        return this.#retire(current, LINGER_MS);
      }),
    );
  }

  async renew(wanted: Settings, take: (worker: Forked) => Promise<unknown>): Promise<void> {
    const { log } = this.#options;
    this.#fork = () => this.#started(wanted);
    await Promise.all(
      this.#slots.map(async ({ current }) => {
        if (current === undefined) return;
        await take(current).catch((error: unknown) => {
          // the successor of one that has ended has it, and one that is busy will read the message
          if (!current.worker.isDead())
            log.warn({ err: error, pid: current.worker.process.pid }, 'a worker has not answered yet');
        });
      }),
    );
  }

  async retired(): Promise<void> {
    await Promise.all(this.#retiring);
  }

  async retire(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.#slots.flatMap(({ current }) => (current ? [current.retire()] : [])));
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const { timer } of this.#slots) clearTimeout(timer);
    const ending = this.#slots.map(({ current }) => current?.close(0));
    const started = waitAtMost(START_MS, Promise.all(this.#starting)); // later it ends with its primary
    await Promise.all([...ending, ...this.#retiring, started]);
  }

  /**
   * One that comes up while the pool closes answers what has reached it by then, before the pool has closed.
   * @throws Error if the pool closes
   */
  async #started(settings: Settings): Promise<Forked> {
    const stops = (): Error => new Error('the server stops');
    if (this.#closing) throw stops();
    const starting = this.#options.fork(settings).then(async (worker) => {
      if (!this.#closing) return worker;
      await worker.close(0);
      throw stops();
    });
    const settled = starting.then(
      () => undefined,
      () => undefined,
    ); // the caller receives the error
    this.#starting.add(settled);
    return starting.finally(() => this.#starting.delete(settled));
  }

  /** By the settings that were last wanted. */
  #fork = (): Promise<Forked> => Promise.reject(new Error('the workers have not been started'));

  #place(slot: Slot, worker: Forked): void {
    slot.current = worker;
    void worker.gone.then(({ code, signal }) => {
      this.#options.onEnded(worker);
      if (this.#closing || worker.isClosing()) return;
      if (slot.current === worker) slot.current = undefined;
      if (performance.now() - worker.startedAt > STEADY_MS) slot.deaths = 0;
      this.#options.log.error(
        { worker: worker.worker.process.pid, code, signal },
        'a worker ended unexpectedly and is replaced',
      );
      this.#replaceLater(slot);
    });
  }

  #replaceLater(slot: Slot): void {
    const delay = Math.min(FIRST_DELAY_MS * 2 ** slot.deaths++, MAX_DELAY_MS);
    slot.timer = setTimeout(() => void this.#replace(slot), delay);
  }

  async #replace(slot: Slot): Promise<void> {
    const { log } = this.#options;
    const isNeeded = (): boolean =>
      !this.#closing && slot.current === undefined && this.#slots.includes(slot);
    if (!isNeeded()) return;
    try {
      const fork = this.#fork;
      const worker = await fork();
      if (!isNeeded()) return await worker.close(0);
      if (fork !== this.#fork) {
        await worker.close(0); // by settings of before
        return await this.#replace(slot);
      }
      this.#place(slot, worker);
      log.info({ worker: worker.worker.process.pid }, 'a worker has replaced one that had ended');
    } catch (error) {
      if (this.#closing) return;
      log.error({ err: error }, 'a worker could not be started; trying again');
      this.#replaceLater(slot);
    }
  }

  #retire(worker: Forked | undefined, lingerMs: number): Promise<void> {
    if (worker === undefined) return Promise.resolve();
    const closed = worker.close(lingerMs).finally(() => this.#retiring.delete(closed));
    this.#retiring.add(closed);
    return closed;
  }
}
