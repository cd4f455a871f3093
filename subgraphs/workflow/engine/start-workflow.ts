// Starts the active parts of the workflow: the workers first, then what queues runs.
import { inTransaction, type Transact } from '../../../platform/database/transaction.ts';
import { storedTrigger } from '../trigger-model/trigger-definition.ts';
import { rememberTriggers } from '../triggers/triggers.store.ts';
import { startJobs } from '../jobs/start-jobs.ts';
import { retentionJobs, type Retention } from '../runs/retention-jobs.ts';
import { pollJobs } from '../polls/poll-jobs.ts';
import { tickJobs } from '../schedules/tick-jobs.ts';
import type { Execute } from '../deps.ts';
import { type Engine, type EngineOptions, startEngine } from './engine.ts';

export interface WorkflowOptions extends EngineOptions {
  /** For operations that only administrators may run: registering the cursors' schema. */
  readonly executeAsAdmin: Execute;
  /** Retention in days. */
  readonly retention?: Retention;
}

export async function startWorkflow(options: WorkflowOptions): Promise<Engine> {
  const { pool, triggers, log } = options;
  await rememberTriggers(pool, triggers.map(storedTrigger));
  const engine = await startEngine(options);
  const transact: Transact = (work) => inTransaction(pool, work);
  const stop = new AbortController();
  const jobs = await startJobs({
    pool,
    log,
    watch: options.watch,
    kinds: [
      tickJobs({ db: pool, transact, triggers, log }),
      retentionJobs(
        pool,
        options.retention ?? { runs: 90, firings: 90, observations: 14, deliveries: 14, past: 90 },
        log,
      ),
      pollJobs({
        pool,
        transact,
        executeAs: options.executeAs,
        executeAsAdmin: options.executeAsAdmin,
        triggers,
        stop: stop.signal,
        log,
      }),
    ],
  });
  return {
    async close() {
      stop.abort(new Error('the server was stopped'));
      await jobs.close();
      await engine.close();
    },
  };
}
