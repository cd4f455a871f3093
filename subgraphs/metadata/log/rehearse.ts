// Decides a write without making it: nothing is locked, nothing is written.
import type { WithLogView } from './open-log.ts';
import { type Validate, WorkingSet } from './working-set.ts';
import type { Write } from './write.ts';

/** Returns what the write would return. @throws what it would throw, and what `validate` throws */
export const rehearse = <Result>(
  withLogView: WithLogView,
  write: Write<Result>,
  validate: Validate,
): Promise<Result> =>
  withLogView(async (log) => {
    const catalogue = await log.catalogue();
    const set = new WorkingSet(catalogue, await log.load([write.needs(catalogue)]), validate);
    return set.attempt(write.author, (view) => write.decide(view));
  });
