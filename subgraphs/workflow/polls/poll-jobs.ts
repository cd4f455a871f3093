// Polls the platform for every polling trigger at its interval, in one process at a time.
import { asConfigured } from '../../../platform/acting.ts';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { DomainError } from '../../../platform/errors.ts';
import { exactTimeText } from '../../../platform/instant.ts';
import { isPaused } from '../triggers/pauses.store.ts';
import { noteProblem } from '../triggers/triggers.store.ts';
import { insertObservations } from '../observation-log/observations.store.ts';
import { ensureCursorSchema } from '../cursors/metadata-cursors.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import type { JobKind } from '../jobs/start-jobs.ts';
import type { Execute, ExecuteAs } from '../deps.ts';
import { databaseTime } from '../jobs/database-clock.ts';
import type { ConfiguredTrigger } from '../trigger-model/trigger-definition.ts';
import { atMost } from './at-most.ts';
import { withPollLock } from './poll-lock.store.ts';
import { intervalOf, isPolling } from './poll-trigger.ts';
import { pollOnce, type PollDeps } from './poll.service.ts';

export interface PollJobOptions {
  readonly pool: Pool;
  readonly transact: Transact;
  readonly executeAs: ExecuteAs;
  /** For the cursors' schema, which is registered if it is missing. */
  readonly executeAsAdmin: Execute;
  readonly triggers: readonly ConfiguredTrigger[];
  /** Aborted when the process stops. */
  readonly stop: AbortSignal;
  readonly log: Logger;
}

/** Temporary faults. */
const PASSING: ReadonlySet<string> = new Set([
  'component_unavailable',
  'upstream_timeout',
  'internal_error',
  'rate_limit_exceeded',
]);

/** An interrupted cycle is only repeated at its next time: its cursor is unchanged. */
export function pollJobs({
  pool,
  transact,
  executeAs,
  executeAsAdmin,
  triggers,
  stop,
  log,
}: PollJobOptions): JobKind {
  const polling = new Map(triggers.filter(isPolling).map((trigger) => [trigger.name, trigger]));
  const deps: PollDeps = {
    executeAs,
    transact,
    log,
    now: async () => (await databaseTime(pool)).getTime(),
  };
  // each occupies a connection for its lock, and needs others
  const inTurn = atMost(Math.max(1, Math.floor((pool.options.max ?? 10) / 2)));
  let schema: Promise<void> | undefined;
  const ready = (): Promise<void> =>
    (schema ??= ensureCursorSchema(executeAs(asConfigured('*')), executeAsAdmin).catch((error: unknown) => {
      schema = undefined;
      throw error;
    }));
  /** A permanent fault becomes the trigger's state, and is reported once; others are reported each time. */
  const brokenOff = async ({ name, project }: ConfiguredTrigger, err: unknown): Promise<void> => {
    const lasts = err instanceof DomainError && !PASSING.has(err.code);
    if (!lasts) return void log.warn({ err, trigger: name }, 'a poll was aborted; its cursor is unchanged');
    const isNew = await transact(async (tx) => {
      if (!(await noteProblem(tx, name, err.message))) return false;
      const subject = { tick: exactTimeText(await databaseTime(tx)) };
      await insertObservations(tx, [
        {
          triggerName: name,
          kind: 'tick',
          verdict: 'condition_error',
          reason: err.message,
          subject,
          project: project ?? null,
        },
      ]);
      return true;
    });
    if (isNew)
      log.warn(
        { trigger: name, problem: err.message },
        'a poll cannot work; its cursor is unchanged, and it keeps trying',
      );
  };
  return {
    name: 'poll',
    keys: [...polling.keys()],
    async perform(name, clock) {
      const trigger = polling.get(name);
      if (!trigger) throw new Error(`no poll is named ${name}`);
      const next = clock.now() + intervalOf(trigger) * 1000;
      if (await isPaused(pool, name)) return new Date(next); // its cursor keeps what changes meanwhile
      try {
        await ready();
        await inTurn(() => withPollLock(pool, name, () => pollOnce(trigger, stop, deps)));
        if (await noteProblem(pool, name, null)) log.info({ trigger: name }, 'the poll works again');
      } catch (err) {
        if (!stop.aborted) await brokenOff(trigger, err);
      }
      return new Date(Math.max(next, clock.now()));
    },
  };
}
