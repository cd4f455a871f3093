// Polls the metadata for every polling trigger at its interval; of several processes one at a time.
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { ensureCursorSchema } from '../cursors/metadata-cursors.ts';
import type { Transact } from '../engine/settle.ts';
import type { Execute } from '../ports.ts';
import { databaseTime } from '../schedules/firings.store.ts';
import type { ConfiguredTrigger } from '../triggers/trigger-definition.ts';
import { withPollLock } from './poll-lock.store.ts';
import { pollOnce, type PollPorts, type PollTrigger } from './poll.service.ts';

export interface PollerOptions {
  readonly pool: Pool;
  readonly transact: Transact;
  readonly execute: Execute;
  /** For the cursors' schema, which is made where it is missing. */
  readonly executeAsAdmin: Execute;
  readonly triggers: readonly ConfiguredTrigger[];
  readonly log: Logger;
}

export interface Poller { close(): Promise<void> }

export function startPoller({ pool, transact, execute, executeAsAdmin, triggers, log }: PollerOptions): Poller {
  const polling = triggers.filter((trigger): trigger is PollTrigger => trigger.type === 'metadata_poll');
  const stop = new AbortController();
  const ports: PollPorts = { execute, transact, log, now: async () => (await databaseTime(pool)).getTime() };
  let schema: Promise<void> | undefined;
  const ready = (): Promise<void> => (schema ??= ensureCursorSchema(execute, executeAsAdmin).catch((error: unknown) => { schema = undefined; throw error; }));

  const cycle = async (trigger: PollTrigger): Promise<void> => {
    await ready();
    await withPollLock(pool, trigger.name, () => pollOnce(trigger, stop.signal, ports));
  };

  const under = new Map<string, Promise<void>>();
  const begin = (trigger: PollTrigger): void => {
    if (under.has(trigger.name)) return; // the cycle before it takes longer than the interval
    const task = cycle(trigger)
      .catch((err: unknown) => { if (!stop.signal.aborted) log.warn({ err, trigger: trigger.name }, 'a poll was broken off; its cursor stays where it was'); })
      .finally(() => { under.delete(trigger.name); });
    under.set(trigger.name, task);
  };
  const timers = polling.map((trigger) => setInterval(() => { begin(trigger); }, trigger.poll.intervalSeconds * 1000));
  polling.forEach(begin);

  return {
    async close() {
      timers.forEach(clearInterval);
      stop.abort(new Error('the platform was stopped'));
      await Promise.all(under.values());
    },
  };
}
