// Keeps the configured number of workers: replaces one that dies, with a growing delay if it dies at once,
// and all of them one by one on reload.
import type { Logger } from 'pino';
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
   * @throws Error if a new worker cannot start: the old one stays, and those after it.
   */
  reload(settings: Settings, count: number): Promise<void>;
  close(): Promise<void>;
}

/** A worker that lived this long, in milliseconds, did not fail at its start. */
const STEADY_MS = 10_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 30_000;
/** How long clients may use the connections of a worker that is being replaced. */
const LINGER_MS = 5000;

interface Slot {
  current: Forked | undefined;
  deaths: number;
  timer?: NodeJS.Timeout;
}

export function createWorkerPool<Settings>({
  log,
  fork,
  onEnded,
}: WorkerPoolOptions<Settings>): WorkerPool<Settings> {
  let slots: Slot[] = [];
  let settings: Settings;
  let closing = false;
  const retiring = new Set<Promise<void>>();

  const place = (slot: Slot, worker: Forked): void => {
    slot.current = worker;
    void worker.gone.then(({ code, signal }) => {
      onEnded(worker);
      if (closing || worker.isClosing()) return;
      if (slot.current === worker) slot.current = undefined;
      if (performance.now() - worker.startedAt > STEADY_MS) slot.deaths = 0;
      log.error(
        { worker: worker.worker.process.pid, code, signal },
        'a worker ended unexpectedly; another takes its place',
      );
      replaceLater(slot);
    });
  };
  const replaceLater = (slot: Slot): void => {
    const delay = Math.min(FIRST_DELAY_MS * 2 ** slot.deaths++, MAX_DELAY_MS);
    slot.timer = setTimeout(() => void replace(slot), delay);
  };
  const replace = async (slot: Slot): Promise<void> => {
    if (closing || slot.current !== undefined || !slots.includes(slot)) return;
    try {
      const worker = await fork(settings);
      if (closing || slot.current !== undefined || !slots.includes(slot)) return await worker.close(0);
      place(slot, worker);
      log.info({ worker: worker.worker.process.pid }, 'a worker took the place of one that ended');
    } catch (error) {
      log.error({ err: error }, 'a worker could not be started; it is tried again');
      replaceLater(slot);
    }
  };
  const retire = (worker: Forked | undefined, lingerMs: number): Promise<void> => {
    if (worker === undefined) return Promise.resolve();
    const closed = worker.close(lingerMs).finally(() => retiring.delete(closed));
    retiring.add(closed);
    return closed;
  };
  const close = async (): Promise<void> => {
    closing = true;
    for (const { timer } of slots) clearTimeout(timer);
    await Promise.all([...slots.map(({ current }) => current?.close(0)), ...retiring]);
  };

  return {
    async start(wanted, count) {
      settings = wanted;
      slots = Array.from({ length: count }, () => ({ current: undefined, deaths: 0 }));
      const started = await Promise.allSettled(
        slots.map(async (slot) => {
          const worker = await fork(wanted);
          place(slot, worker);
          return worker.url;
        }),
      );
      const failed = started.find((outcome) => outcome.status === 'rejected');
      if (failed) {
        await close();
        throw failed.reason;
      }
      log.info({ workers: slots.map(({ current }) => current?.worker.process.pid) }, 'workers serve');
      const [first] = started;
      return first?.status === 'fulfilled' ? first.value : '';
    },
    async reload(wanted, count) {
      while (slots.length < count) slots.push({ current: undefined, deaths: 0 });
      for (const slot of slots.slice(0, count)) {
        if (closing) return;
        const worker = await fork(wanted);
        settings = wanted;
        clearTimeout(slot.timer);
        const before = slot.current;
        slot.deaths = 0;
        place(slot, worker);
        await retire(before, LINGER_MS);
        log.info(
          { worker: worker.worker.process.pid },
          'a worker with the new configuration took the place of an old one',
        );
      }
      await Promise.all(
        slots.splice(count).map(({ current, timer }) => {
          clearTimeout(timer);
          return retire(current, LINGER_MS);
        }),
      );
    },
    close,
  };
}
