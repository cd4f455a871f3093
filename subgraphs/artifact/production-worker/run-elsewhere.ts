// The run of a production at a remote service, across its attempts.
import { LeaseLostError } from '../../../platform/lease-queue/lease.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { noteRunElsewhere } from '../productions/runs-elsewhere.store.ts';
import type { Runner, Task } from '../runners/runner.ts';
import type { ProductionTask } from './production-task.ts';

/** The fence of a production's first attempt. */
const FIRST_FENCE = '1';

/** Resumes a run that was begun for the same work; ends one for anything else. */
export async function runElsewhere(
  { db, runner }: { readonly db: Queryable; readonly runner: Runner },
  task: ProductionTask,
  { rule, work }: { readonly rule: string; readonly work: string },
): Promise<NonNullable<Task['elsewhere']>> {
  const { runElsewhere: before } = task;
  if (before !== null && before.work !== work) await runner.abandon?.(before.run);
  return {
    begun: before?.work === work ? before.run : null,
    tags: { production: task.id, work },
    account: { actor: task.requester.actor, rule, entity_type: task.entityType },
    isAgain: task.fence !== FIRST_FENCE,
    async note(run) {
      if (await noteRunElsewhere(db, task, { run, work })) return;
      await task.stillOurs();
      throw new LeaseLostError('the run could not be recorded');
    },
  };
}
