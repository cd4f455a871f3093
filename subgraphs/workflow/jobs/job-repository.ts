// Agenda's jobs in our schema and in the database's time. Agenda compares the clocks of processes; here every
// timestamp that it writes or reads is converted to the database's or back, so that a replica with a wrong
// clock takes nothing early.
import { PostgresJobRepository } from '@agendajs/postgres-backend';
import type { JobParameters } from 'agenda';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { DatabaseClock } from './database-clock.ts';

/**
 * Agenda quotes the name and does not support PostgreSQL schemas: this results in `"workflow"."agenda_jobs"`.
 */
const TABLE = 'workflow"."agenda_jobs';

const TIMES = ['nextRunAt', 'lockedAt', 'lastRunAt', 'lastFinishedAt', 'failedAt'] as const;

function shifted<J extends JobParameters>(job: J, ms: number): J {
  const copy = { ...job };
  for (const key of TIMES) {
    const time = copy[key];
    if (time) copy[key] = new Date(time.getTime() + ms);
  }
  return copy;
}

type Options = Parameters<PostgresJobRepository['saveJobState']>[1];

/** The methods that Agenda calls while it processes jobs; `keepJobs` inserts them. */
export class JobRepository extends PostgresJobRepository {
  readonly #clock: DatabaseClock;
  readonly #log: Logger;
  /** When Agenda last looked for a job that is due, by `performance.now()`. */
  lookedAt = performance.now();

  constructor(pool: Pool, clock: DatabaseClock, log: Logger) {
    super({ pool, tableName: TABLE, ensureSchema: false });
    this.#clock = clock;
    this.#log = log;
  }

  override async getNextJobToRun(
    name: string,
    nextScanAt: Date,
    lockDeadline: Date,
    _now: Date | undefined,
    options: Options,
  ): Promise<JobParameters | undefined> {
    this.lookedAt = performance.now();
    await this.#clock.measure();
    const offset = this.#clock.offset();
    const at = (time: Date): Date => new Date(time.getTime() + offset);
    const job = await super.getNextJobToRun(name, at(nextScanAt), at(lockDeadline), at(new Date()), options);
    return job && shifted(job, -offset);
  }

  override async saveJobState(job: JobParameters, options: Options): Promise<void> {
    await super.saveJobState(shifted(job, this.#clock.offset()), options);
  }

  /** Agenda does not await it: a rejection would end the process. The lock then expires. */
  override async unlockJob(job: JobParameters): Promise<void> {
    await super.unlockJob(job).catch((err: unknown) => {
      this.#log.warn({ err }, 'a job could not be unlocked');
    });
  }
}
