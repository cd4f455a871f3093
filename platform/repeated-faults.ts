// The log of what is tried again every second or so, for as long as the database is away or its disk is full.
import type { Logger } from 'pino';

const AGAIN_MS = 60_000;

/** What distinguishes causes: messages may name addresses and rows. */
const causeOf = (fault: unknown): string => {
  if (!(fault instanceof Error)) return typeof fault;
  return 'code' in fault && typeof fault.code === 'string' ? fault.code : fault.name;
};

/** Warns of each fault and cause at once, and of the same again once a minute, with how often it was. */
export class RepeatedFaults {
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #told = new Map<string, { at: number; untold: number }>();

  constructor(log: Logger, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  warn(err: unknown, message: string): void {
    const key = `${causeOf(err)} ${message}`;
    const now = this.#now();
    const told = this.#told.get(key);
    if (told !== undefined && now - told.at < AGAIN_MS) {
      told.untold++;
      return;
    }
    this.#told.set(key, { at: now, untold: 0 });
    // what was long ago is another time
    const isLong = told !== undefined && now - told.at >= 2 * AGAIN_MS;
    if (told === undefined || told.untold === 0 || isLong) this.#log.warn({ err }, message);
    else
      this.#log.warn({ times: told.untold + 1, reason: err instanceof Error ? err.message : err }, message);
  }
}
