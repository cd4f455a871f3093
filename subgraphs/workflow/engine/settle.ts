// Ends a run: its result, what its trigger shows, and the runs of everybody who waited for its event, all in one transaction.
import type { Logger } from 'pino';
import type { Acting } from '../../../platform/acting.ts';
import type { JsonValue } from '../../../platform/json.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { insertObservations } from '../observations/observations.store.ts';
import { actingBy, configuredActing, runOf } from '../runs/new-run.ts';
import { type ClaimedRun, failAbandoned, type Ending, insertRun, projectOf, type Settlement, type SettledRun, settleRun } from '../runs/run-queue.store.ts';
import { type ConfiguredTrigger, STATUS_OF_TYPE, triggerDefinition } from '../triggers/trigger-definition.ts';
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

const ABANDONED: JsonValue = { type: 'WorkerLost', message: 'the process that worked on it has ended or lost its connection' };

/** Partial success is success to those who wait for it (spec 3 «Trigger transitions» 2). */
const emittedBy = (trigger: ConfiguredTrigger, status: Ending): string | undefined => (status === 'failed' ? trigger.onFailure : trigger.onSuccess);

/** What somebody with fewer rights has run by hand tells nothing of the trigger. */
const actsAsConfigured = (trigger: ConfiguredTrigger, { acting }: SettledRun): boolean => acting.credential === null || projectsText(acting) === projectsText(configuredActing(trigger));
const projectsText = ({ projects }: Acting): string => JSON.stringify(projects);

export class Settler {
  readonly #options: SettlerOptions;
  readonly #triggers: ReadonlyMap<string, ConfiguredTrigger>;

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#triggers = new Map(options.triggers.map((trigger) => [trigger.name, trigger]));
  }

  /** Nothing happens where the run has been lost or cancelled. */
  async settle(run: ClaimedRun, settlement: Settlement, entityType: string | null): Promise<void> {
    await this.#options.transact(async (db) => {
      const settled = await settleRun(db, run, settlement, entityType);
      if (settled) await this.#follow(db, settled, settlement.status);
    });
  }

  /** Fails runs whose worker is gone. */
  async failAbandoned(): Promise<void> {
    await this.#options.transact(async (db) => {
      for (const run of await failAbandoned(db, this.#options.configuration, ABANDONED)) {
        this.#options.log.warn({ runId: run.id, trigger: run.triggerName }, 'a run was abandoned by its worker and has failed');
        await this.#follow(db, run, 'failed');
      }
    });
  }

  async #follow(db: Queryable, run: SettledRun, status: Ending): Promise<void> {
    const trigger = run.triggerName === null ? undefined : this.#triggers.get(run.triggerName);
    if (!trigger) return;
    if (actsAsConfigured(trigger, run)) await noteResult(db, { name: trigger.name, type: trigger.type, definition: triggerDefinition(trigger), status: STATUS_OF_TYPE[trigger.type] }, status);
    const event = emittedBy(trigger, status);
    if (event === undefined) return;
    const subscribers = this.#options.triggers.filter((one) => one.type === 'internal_event' && one.event === event);
    if (subscribers.length === 0) this.#options.log.debug({ event, runId: run.id }, 'an event without subscribers');
    const runs = subscribers.map((subscriber) => runOf(subscriber, { cause: { event, run_id: run.id }, acting: actingBy(subscriber, run.acting) }));
    for (const next of runs) await insertRun(db, next);
    await insertObservations(db, runs.map((next) => ({
      triggerName: next.triggerName ?? '', kind: 'event', verdict: 'fired', subject: { event, run_id: run.id }, runId: next.id, project: projectOf(next.acting),
    })));
  }
}
