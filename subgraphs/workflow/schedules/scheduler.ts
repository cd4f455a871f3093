// Fires scheduled triggers: every tick once, however many processes watch the clock (spec 3 «Trigger transitions» 1, contract 3).
import type { Logger } from 'pino';
import type { Queryable } from '../../../platform/queryable.ts';
import type { Transact } from '../engine/settle.ts';
import { runOf } from '../runs/new-run.ts';
import { insertRun, isBusy } from '../runs/run-queue.store.ts';
import type { ConfiguredTrigger } from '../triggers/trigger-definition.ts';
import { lastTick } from './cron.ts';
import { databaseTime, lockTrigger, readBaselines, takeFiring } from './firings.store.ts';

type Scheduled = Extract<ConfiguredTrigger, { type: 'schedule' }>;

export interface SchedulerOptions {
  readonly db: Queryable;
  readonly transact: Transact;
  readonly triggers: readonly ConfiguredTrigger[];
  readonly log: Logger;
  /** How often the clock is looked at; 500 ms. */
  readonly everyMs?: number;
}

export interface Scheduler { close(): Promise<void> }

/**
 * The triggers have been remembered before. What a trigger missed since its last firing, or since its definition came to hold,
 * is one firing now: only the latest tick counts. Time is the database's.
 */
export async function startScheduler({ db, transact, triggers, log, everyMs = 500 }: SchedulerOptions): Promise<Scheduler> {
  const scheduled = triggers.filter((trigger): trigger is Scheduled => trigger.type === 'schedule');
  if (scheduled.length === 0) return { close: async () => undefined };
  const fired = new Map((await readBaselines(db, scheduled.map((trigger) => trigger.name)))
    .map(({ name, since, last }) => [name, Math.max(Date.parse(since), last === null ? 0 : Date.parse(last))]));

  const fire = async (trigger: Scheduled, tick: Date): Promise<void> => {
    const key = tick.toISOString();
    const run = runOf(trigger, { cause: { tick: key } });
    await transact(async (tx) => {
      await lockTrigger(tx, trigger.name);
      if (!await takeFiring(tx, trigger.name, key, run.id)) return;
      const busy = await isBusy(tx, trigger.name);
      if (busy) log.info({ trigger: trigger.name, tick: key }, 'a tick was skipped: the run before it is still going on');
      await insertRun(tx, run, busy ? 'skipped' : 'queued');
    });
    fired.set(trigger.name, tick.getTime());
  };

  const look = async (): Promise<void> => {
    const now = await databaseTime(db);
    await Promise.all(scheduled.map(async (trigger) => {
      const tick = lastTick(trigger.schedule, trigger.timezone, now);
      if (tick === null || tick.getTime() <= (fired.get(trigger.name) ?? Number.POSITIVE_INFINITY)) return;
      await fire(trigger, tick).catch((err: unknown) => { log.warn({ err, trigger: trigger.name }, 'a tick could not fire; it is tried again'); });
    }));
  };

  let looking: Promise<void> | undefined;
  const lookOnce = (): void => {
    looking ??= look()
      .catch((err: unknown) => { log.warn({ err }, 'the scheduler could not look at the clock'); })
      .finally(() => { looking = undefined; });
  };
  const timer = setInterval(lookOnce, everyMs);
  lookOnce();
  return {
    async close() {
      clearInterval(timer);
      await looking;
    },
  };
}
