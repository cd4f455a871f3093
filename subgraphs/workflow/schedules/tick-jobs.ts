// Fires scheduled triggers: every tick once, however many processes watch the clock
// (docs/reference/workflow.md#one-firing-per-tick, docs/reference/workflow.md#catch-up).
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { tickKey } from '../../../platform/causal-links.ts';
import { exactTimeText } from '../../../platform/instant.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import type { JobKind } from '../jobs/start-jobs.ts';
import { insertObservations } from '../observation-log/observations.store.ts';
import { runOf } from '../run-records/new-run.ts';
import { insertRun, isBusy } from '../run-records/run-queue.store.ts';
import type { ConfiguredTrigger } from '../trigger-model/trigger-definition.ts';
import { ticksSince } from '../trigger-model/cron.ts';
import { lockTrigger } from '../trigger-model/lock-trigger.store.ts';
import { isPaused } from '../triggers/pauses.store.ts';
import { readBaseline, takeFiring } from './firings.store.ts';

type Scheduled = Extract<ConfiguredTrigger, { type: 'schedule' }>;

export interface TickDeps {
  readonly db: Queryable;
  readonly transact: Transact;
  readonly triggers: readonly ConfiguredTrigger[];
  readonly log: Logger;
}

/**
 * A job is due this long before its tick and waits for the rest, because timers may be slightly early. In
 * milliseconds.
 */
const EARLY = 25;
/** Maximum wait; a tick further away is left to the next job. */
const MIN_DELAY_MS = 300;
/** When to check an expression again that has no future tick. */
const NEVER = 86_400_000;

/** A tick this many milliseconds ago counts as missed: no process was running. */
const MISSED = 10_000;

const SKIPPED = {
  busy: 'a tick was skipped: the previous run is still running',
  missed: 'a tick was missed, and the trigger does not catch up',
  paused: 'a tick was skipped: the trigger is paused',
} as const;

/**
 * A paused trigger skips all. With `catch_up: all`, ticks wait for each other's runs; otherwise a tick is skipped while the previous run
 * is in progress.
 */
async function verdictOf(
  db: Queryable,
  { name, catchUp }: Scheduled,
  lateMs: number,
): Promise<'fired' | keyof typeof SKIPPED> {
  if (await isPaused(db, name)) return 'paused';
  if (catchUp === 'all') return 'fired';
  if (catchUp === 'skip' && lateMs > MISSED) return 'missed';
  return (await isBusy(db, name)) ? 'busy' : 'fired';
}

/**
 * The triggers have been recorded before. Ticks missed since the last firing, or since the definition
 * changed, become one firing now, of the latest tick; one for each of the latest thousand with `catch_up:
 * all`, none with `skip`. Time is the database's.
 */
export function tickJobs({ db, transact, triggers, log }: TickDeps): JobKind {
  const scheduled = new Map(
    triggers.flatMap((trigger) => (trigger.type === 'schedule' ? [[trigger.name, trigger] as const] : [])),
  );

  const fire = (trigger: Scheduled, tick: Date, now: Date): Promise<void> =>
    transact(async (tx) => {
      const key = tick.toISOString(); // of what has fired: the same in every version
      const subject = { tick: exactTimeText(tick) };
      const run = runOf(trigger, { cause: subject, causedBy: tickKey(trigger.name, key) });
      await lockTrigger(tx, trigger.name);
      if (!(await takeFiring(tx, trigger.name, key, run.id))) return;
      const verdict = await verdictOf(tx, trigger, now.getTime() - tick.getTime());
      if (verdict !== 'fired') log.info({ trigger: trigger.name, tick: key }, SKIPPED[verdict]);
      await insertRun(tx, run, verdict === 'fired' ? 'queued' : 'skipped');
      await insertObservations(tx, [
        { triggerName: trigger.name, kind: 'tick', verdict, subject, runId: run.id },
      ]);
    });

  /** Fires what is due; returns the current time and the next tick. */
  const look = async (trigger: Scheduled): Promise<{ now: Date; next: Date | null }> => {
    const { now, since, last } = await readBaseline(db, trigger.name);
    const fired = new Date(Math.max(since.getTime(), last === null ? 0 : Date.parse(last)));
    const due = ticksSince(trigger.schedule, trigger.timezone, fired, now);
    for (const tick of trigger.catchUp === 'all' ? due.latest : due.latest.slice(-1))
      await fire(trigger, tick, now);
    return { now, next: due.next };
  };

  return {
    name: 'tick',
    keys: [...scheduled.keys()],
    async perform(name, clock) {
      const trigger = scheduled.get(name);
      if (!trigger) throw new Error(`no schedule is named ${name}`);
      for (;;) {
        const { now, next } = await look(trigger);
        if (next === null) return new Date(now.getTime() + NEVER);
        const wait = next.getTime() - clock.now();
        if (wait > MIN_DELAY_MS) return new Date(next.getTime() - EARLY);
        await sleep(Math.max(0, wait) + 1);
      }
    },
  };
}
