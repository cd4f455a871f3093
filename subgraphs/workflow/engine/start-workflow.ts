// Starts everything of the workflow that acts by itself: workers first, then whoever gives them work.
import { inTransaction } from '../transaction.ts';
import { STATUS_OF_TYPE, triggerDefinition } from '../triggers/trigger-definition.ts';
import { rememberTriggers } from '../triggers/triggers.store.ts';
import { startPoller } from '../polls/poller.ts';
import { startScheduler } from '../schedules/scheduler.ts';
import type { Transact } from './settle.ts';
import { type Engine, type EngineOptions, startEngine } from './engine.ts';

export interface WorkflowOptions extends EngineOptions {
  /** The same as `execute`, for what only administrators may do: the cursors' schema. */
  readonly executeAsAdmin: EngineOptions['execute'];
}

export async function startWorkflow(options: WorkflowOptions): Promise<Engine> {
  const { pool, triggers, log } = options;
  await rememberTriggers(pool, triggers.map((trigger) => ({
    name: trigger.name, type: trigger.type, definition: triggerDefinition(trigger), status: STATUS_OF_TYPE[trigger.type],
  })));
  const engine = await startEngine(options);
  const transact: Transact = (work) => inTransaction(pool, work);
  const scheduler = await startScheduler({ db: pool, transact, triggers, log });
  const poller = startPoller({ pool, transact, execute: options.execute, executeAsAdmin: options.executeAsAdmin, triggers, log });
  return {
    async close() {
      await Promise.all([scheduler.close(), poller.close()]);
      await engine.close();
    },
  };
}
