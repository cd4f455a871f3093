// Agenda over our database: wakes one of all processes for each due job (docs/decisions/0020).
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agenda, type AgendaBackend, type Job } from 'agenda';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { isAtWork, type Liveness } from '../../../platform/database/liveness.ts';
import { RepeatedFaults } from '../../../platform/repeated-faults.ts';
import { DatabaseClock } from './database-clock.ts';
import { JobRepository } from './job-repository.ts';
import { keepJobs, releaseJobs } from './jobs.store.ts';

export interface JobKind {
  readonly name: string;
  readonly keys: readonly string[];
  /**
   * Does what is due for a key and returns the next time, in the database's time. It may be called too early,
   * too late, or by two processes at once, and must check what has already happened.
   */
  readonly perform: (key: string, clock: DatabaseClock) => Promise<Date>;
}

export interface JobsOptions {
  readonly pool: Pool;
  readonly kinds: readonly JobKind[];
  /** That due jobs are looked for is what has to go on. */
  readonly watch?: Liveness['watch'] | undefined;
  readonly log: Logger;
}

export interface Jobs {
  close(): Promise<void>;
}

/** How often Agenda polls for jobs; in between it uses timers for those that will be due. */
const LOOK_MS = 1000;
/** After how long a killed process's jobs are taken over. */
const LOCK_MS = 5000;
/** When a failed job, or one that this process does not know, is due again: another process may run it. */
const LATER_MS = 5000;
const END_MS = 20_000;

const connectPatiently = async (
  clock: DatabaseClock,
  faults: RepeatedFaults,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    try {
      return await clock.measure();
    } catch (err) {
      faults.warn(err, 'jobs cannot be read from the database yet');
      await sleep(500, undefined, { ref: false });
    }
  }
};

export async function startJobs({ pool, kinds: all, watch, log }: JobsOptions): Promise<Jobs> {
  const kinds = all.filter((kind) => kind.keys.length > 0);
  if (kinds.length === 0) return { close: async () => undefined };
  const clock = new DatabaseClock(pool);
  const name = randomUUID();
  const stop = new AbortController();
  const faults = new RepeatedFaults(log);
  const repository = new JobRepository(pool, clock, log);
  const backend: AgendaBackend = {
    // without its notification channel, whose lost connection ends the process
    name: 'PostgreSQL',
    repository,
    ownsConnection: false,
    connect: () => connectPatiently(clock, faults, stop.signal),
    disconnect: async () => undefined,
  };
  const agenda = new Agenda({
    backend,
    name,
    processEvery: LOOK_MS,
    defaultLockLifetime: LOCK_MS,
    defaultConcurrency: 8,
    maxConcurrency: 16,
  });
  agenda.on('error', (err) => {
    if (!stop.signal.aborted) faults.warn(err, 'jobs could not be maintained; trying again');
  });
  for (const kind of kinds)
    // oxlint-disable-next-line typescript/no-misused-promises -- Agenda awaits it; its type also has a form without a promise
    agenda.define<{ key: string }>(kind.name, (job) => perform(kind, job, clock, log));
  for (const kind of kinds) await keepJobs(pool, kind.name, kind.keys);
  await agenda.start();
  const unwatch = watch?.({ name: 'schedules', stalledSince: () => repository.lookedAt, isAtWork });
  return {
    async close() {
      stop.abort();
      unwatch?.();
      await agenda.drain({ timeout: END_MS, closeConnection: false });
      await releaseJobs(pool, name).catch((err: unknown) => {
        log.warn({ err }, 'jobs could not be released: they become available when their locks expire');
      });
    },
  };
}

/** Never rejects: Agenda would leave the job without a next time. */
async function perform(
  kind: JobKind,
  job: Job<{ key: string }>,
  clock: DatabaseClock,
  log: Logger,
): Promise<void> {
  const { key } = job.attrs.data;
  const beat = setInterval(() => {
    job.touch().catch((err: unknown) => {
      log.warn({ err, job: kind.name, key }, 'a job could not be stored');
    });
  }, LOCK_MS / 3);
  let next = clock.now() + LATER_MS;
  try {
    if (kind.keys.includes(key)) next = (await kind.perform(key, clock)).getTime();
  } catch (err) {
    log.warn({ err, job: kind.name, key }, 'a job failed; trying again');
  } finally {
    clearInterval(beat);
    job.attrs.nextRunAt = new Date(next - clock.offset());
  }
}
