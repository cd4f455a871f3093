// Finishes a run in one transaction: its result, its trigger's state, and the runs of subscribers to its
// event.
import type { Logger } from 'pino';
import { nodeKey } from '../../../platform/causal-links.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import type { JsonValue } from '../../../platform/json.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { isObject } from '../../../platform/json-object.ts';
import { RIGHTS_LOST } from '../actions/outcome.ts';
import { insertObservations } from '../observation-log/observations.store.ts';
import { actingBy, actsAsConfigured, runOf } from '../run-records/new-run.ts';
import { lineOf, type NewLine } from '../run-records/run-log.ts';
import { appendToLog } from '../run-records/run-logs.store.ts';
import {
  type ClaimedRun,
  failRun,
  type FinalStatus,
  finishRun,
  insertRun,
  lockAbandonedRuns,
  type NewRun,
  projectOf,
  requeueRun,
  type RunResult,
  waitAfter,
} from '../run-records/run-queue.store.ts';
import {
  type ConfiguredTrigger,
  type RetryPolicy,
  retryOf,
  storedTrigger,
  USUAL_RETRY,
} from '../trigger-model/trigger-definition.ts';
import { pausedAmong } from '../triggers/pauses.store.ts';
import { noteResult } from '../run-records/trigger-result.store.ts';
import { finishedRuns, retriedRuns } from '../metrics/run-metrics.ts';

export interface RunFinisherOptions {
  readonly transact: Transact;
  readonly triggers: readonly ConfiguredTrigger[];
  /** Hash of its configuration; null: any. */
  readonly configuration: string | null;
  readonly log: Logger;
}

const ABANDONED_TEXT = 'the process that executed the run has ended or lost its connection';
const ABANDONED: JsonValue = { type: 'WorkerLost', message: ABANDONED_TEXT };

const retryLine = ({ attempt }: ClaimedRun, retry: RetryPolicy): NewLine =>
  lineOf(
    'warn',
    `attempt ${attempt + 1} of at most ${retry.attempts} begins in ${waitAfter(attempt, retry)} s or later`,
  );

/** Adds the last lines of an attempt to the log of a run that has ended, or was put back. */
async function endLog(
  db: Queryable,
  { id, attempt }: ClaimedRun,
  lines: readonly NewLine[],
  ...more: readonly NewLine[]
): Promise<void> {
  await appendToLog(db, { id, attempt }, [...lines, ...more]);
}

/** Partial success counts as success for subscribers (docs/reference/workflow.md#partial-success). */
const emittedBy = (trigger: ConfiguredTrigger, status: FinalStatus): string | undefined =>
  status === 'failed' ? trigger.onFailure : trigger.onSuccess;

/** Interrupted runs; if configured, also failed ones, except for ended rights, which do not come back. */
const mayRetry = ({ status, interrupted, errors }: RunResult, { on }: RetryPolicy): boolean =>
  interrupted === true ||
  (status === 'failed' &&
    on === 'failed' &&
    !errors.some((error) => isObject(error) && error['type'] === RIGHTS_LOST));

/** It failed, or every record of it did: a mapping that fits none is a fault of the trigger. */
const tookNothing = ({
  status,
  counts,
}: Pick<RunResult, 'status'> & Partial<Pick<RunResult, 'counts'>>): boolean =>
  status === 'failed' ||
  (counts !== undefined && counts.failed > 0 && counts.created + counts.updated + counts.skipped === 0);

/** Longest stored text of an error. */
const MAX_ERROR = 1000;

/** The first error of a failed run. */
function errorText([first]: readonly JsonValue[]): string | null {
  const message = isObject(first) ? first['message'] : undefined;
  return typeof message === 'string' ? message.slice(0, MAX_ERROR) : null;
}

export class RunFinisher {
  readonly #options: RunFinisherOptions;
  readonly #triggers: ReadonlyMap<string, ConfiguredTrigger>;

  constructor(options: RunFinisherOptions) {
    this.#options = options;
    this.#triggers = new Map(options.triggers.map((trigger) => [trigger.name, trigger]));
  }

  /**
   * Does nothing if the run has been lost or cancelled. A run that may be retried is put back, without its
   * event.
   */
  async finish(
    run: ClaimedRun,
    result: RunResult,
    entityType: string | null,
    lines: readonly NewLine[],
  ): Promise<void> {
    const retry = this.#retryOf(run.triggerName);
    await this.#options.transact(async (db) => {
      if (mayRetry(result, retry) && (await requeueRun(db, run, retry, result.errors))) {
        retriedRuns.failed.value++;
        await endLog(db, run, lines, retryLine(run, retry));
        return void this.#options.log.info(
          { runId: run.id, trigger: run.triggerName },
          'a run is retried later',
        );
      }
      const finished = await finishRun(db, run, result, entityType);
      if (!finished) return;
      await this.#follow(db, finished, result);
      await endLog(db, run, lines);
    });
  }

  /** Retries or fails runs whose worker is gone. */
  async recoverAbandoned(): Promise<void> {
    const { transact, configuration, log } = this.#options;
    await transact(async (db) => {
      const ended: (() => Promise<void>)[] = [];
      for (const run of await lockAbandonedRuns(db, configuration)) {
        const again = await requeueRun(db, run, this.#retryOf(run.triggerName), [ABANDONED]);
        log.warn(
          { runId: run.id, trigger: run.triggerName },
          again
            ? 'a run was abandoned by its worker and is retried'
            : 'a run was abandoned by its worker and has failed',
        );
        if (again) retriedRuns.abandoned.value++;
        const failed = again ? null : await failRun(db, run, ABANDONED);
        if (failed) await this.#follow(db, failed, { status: 'failed', errors: [ABANDONED] });
        ended.push(() =>
          endLog(
            db,
            run,
            [lineOf('error', ABANDONED_TEXT)],
            ...(again ? [retryLine(run, this.#retryOf(run.triggerName))] : []),
          ),
        );
      }
      for (const end of ended) await end(); // last: it takes the lock of changes
    });
  }

  #retryOf(name: string | null): RetryPolicy {
    const trigger = name === null ? undefined : this.#triggers.get(name);
    return trigger ? retryOf(trigger) : USUAL_RETRY;
  }

  async #follow(
    db: Queryable,
    run: ClaimedRun,
    result: Pick<RunResult, 'status' | 'errors'> & Partial<Pick<RunResult, 'counts'>>,
  ): Promise<void> {
    const { status, errors } = result;
    finishedRuns[status].value++;
    const trigger = run.triggerName === null ? undefined : this.#triggers.get(run.triggerName);
    if (!trigger) return;
    if (actsAsConfigured(trigger, run))
      await noteResult(
        db,
        storedTrigger(trigger),
        status,
        tookNothing(result) ? (errorText(errors) ?? 'nothing of it could be taken') : null,
      );
    const event = emittedBy(trigger, status);
    if (event === undefined) return;
    const subscribers = this.#options.triggers.filter(
      (one) => one.type === 'internal_event' && one.event === event,
    );
    if (subscribers.length === 0) {
      this.#options.log.debug({ event, runId: run.id }, 'the event has no subscribers');
      return;
    }
    const runs = subscribers.map((subscriber) =>
      runOf(subscriber, {
        cause: { event, run_id: run.id },
        causedBy: nodeKey('run', run.id),
        acting: actingBy(subscriber, run.acting),
      }),
    );
    const paused = await pausedAmong(
      db,
      subscribers.map(({ name }) => name),
    );
    const isHeld = ({ triggerName }: NewRun): boolean => triggerName !== null && paused.has(triggerName);
    for (const next of runs) await insertRun(db, next, isHeld(next) ? 'skipped' : 'queued');
    await insertObservations(
      db,
      runs.map((next) => ({
        triggerName: next.triggerName ?? '',
        kind: 'event',
        verdict: isHeld(next) ? 'paused' : 'fired',
        subject: { event, run_id: run.id },
        runId: next.id,
        project: projectOf(next.acting),
      })),
    );
  }
}
