// Ends a run: its result, what its trigger shows, and the runs of everybody who waited for its event, all in one transaction.
import type { Logger } from 'pino';
import type { Acting } from '../../../platform/acting.ts';
import type { JsonValue } from '../../../platform/json.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { isObject } from '../../../platform/json-object.ts';
import { RIGHTS_LOST } from '../actions/outcome.ts';
import { insertObservations } from '../observations/observations.store.ts';
import { actingBy, configuredActing, runOf } from '../runs/new-run.ts';
import {
  abandonedRuns,
  type ClaimedRun,
  failRun,
  type Ending,
  insertRun,
  projectOf,
  requeueRun,
  type Settlement,
  type SettledRun,
  settleRun,
} from '../runs/run-queue.store.ts';
import {
  type ConfiguredTrigger,
  type RetryPolicy,
  retryOf,
  STATUS_OF_TYPE,
  triggerDefinition,
  USUAL_RETRY,
} from '../triggers/trigger-definition.ts';
import { noteResult } from '../triggers/triggers.store.ts';

/** Transactions as the store offers them. */
export type Transact = <T>(work: (db: Queryable) => Promise<T>) => Promise<T>;

export interface SettlerOptions {
  readonly transact: Transact;
  readonly triggers: readonly ConfiguredTrigger[];
  /** By which it runs; null: any. */
  readonly configuration: string | null;
  readonly log: Logger;
}

const ABANDONED: JsonValue = {
  type: 'WorkerLost',
  message: 'the process that worked on it has ended or lost its connection',
};

/** Partial success is success to those who wait for it (spec 3 «Trigger transitions» 2). */
const emittedBy = (trigger: ConfiguredTrigger, status: Ending): string | undefined =>
  status === 'failed' ? trigger.onFailure : trigger.onSuccess;

/** What was interrupted; where that is configured, also what failed by itself, but for want of rights, which come back to nobody. */
const mayRetry = ({ status, interrupted, errors }: Settlement, { on }: RetryPolicy): boolean =>
  interrupted === true ||
  (status === 'failed' &&
    on === 'failed' &&
    !errors.some((error) => isObject(error) && error['type'] === RIGHTS_LOST));

/** What somebody with fewer rights has run by hand tells nothing of the trigger. */
const actsAsConfigured = (trigger: ConfiguredTrigger, { acting }: SettledRun): boolean =>
  acting.credential === null || projectsText(acting) === projectsText(configuredActing(trigger));
const projectsText = ({ projects }: Acting): string => JSON.stringify(projects);

export class Settler {
  readonly #options: SettlerOptions;
  readonly #triggers: ReadonlyMap<string, ConfiguredTrigger>;

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#triggers = new Map(options.triggers.map((trigger) => [trigger.name, trigger]));
  }

  /** Nothing happens where the run has been lost or cancelled. What may be tried again is put back, and nobody hears of it. */
  async settle(run: ClaimedRun, settlement: Settlement, entityType: string | null): Promise<void> {
    const retry = this.#retryOf(run.triggerName);
    await this.#options.transact(async (db) => {
      if (mayRetry(settlement, retry) && (await requeueRun(db, run, retry, settlement.errors))) {
        return void this.#options.log.info(
          { runId: run.id, trigger: run.triggerName },
          'a run is tried again later',
        );
      }
      const settled = await settleRun(db, run, settlement, entityType);
      if (settled) await this.#follow(db, settled, settlement.status);
    });
  }

  /** Runs whose worker is gone are tried again, or fail. */
  async settleAbandoned(): Promise<void> {
    const { transact, configuration, log } = this.#options;
    await transact(async (db) => {
      for (const run of await abandonedRuns(db, configuration)) {
        const again = await requeueRun(db, run, this.#retryOf(run.triggerName), [ABANDONED]);
        log.warn(
          { runId: run.id, trigger: run.triggerName },
          again
            ? 'a run was abandoned by its worker and is tried again'
            : 'a run was abandoned by its worker and has failed',
        );
        const failed = again ? null : await failRun(db, run, ABANDONED);
        if (failed) await this.#follow(db, failed, 'failed');
      }
    });
  }

  #retryOf(name: string | null): RetryPolicy {
    const trigger = name === null ? undefined : this.#triggers.get(name);
    return trigger ? retryOf(trigger) : USUAL_RETRY;
  }

  async #follow(db: Queryable, run: SettledRun, status: Ending): Promise<void> {
    const trigger = run.triggerName === null ? undefined : this.#triggers.get(run.triggerName);
    if (!trigger) return;
    if (actsAsConfigured(trigger, run))
      await noteResult(
        db,
        {
          name: trigger.name,
          type: trigger.type,
          definition: triggerDefinition(trigger),
          status: STATUS_OF_TYPE[trigger.type],
        },
        status,
      );
    const event = emittedBy(trigger, status);
    if (event === undefined) return;
    const subscribers = this.#options.triggers.filter(
      (one) => one.type === 'internal_event' && one.event === event,
    );
    if (subscribers.length === 0)
      this.#options.log.debug({ event, runId: run.id }, 'an event without subscribers');
    const runs = subscribers.map((subscriber) =>
      runOf(subscriber, { cause: { event, run_id: run.id }, acting: actingBy(subscriber, run.acting) }),
    );
    for (const next of runs) await insertRun(db, next);
    await insertObservations(
      db,
      runs.map((next) => ({
        triggerName: next.triggerName ?? '',
        kind: 'event',
        verdict: 'fired',
        subject: { event, run_id: run.id },
        runId: next.id,
        project: projectOf(next.acting),
      })),
    );
  }
}
