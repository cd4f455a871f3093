// Decides writes without making them: nothing is locked, nothing is written.
import { setImmediate as turn } from 'node:timers/promises';
import type { LogView, WithLogView } from './open-log.ts';
import { NOT_READ, unchanged } from './pending.ts';
import { attempt } from './settle.ts';
import { type Validate, WorkingSet } from './working-set.ts';
import type { Needs, Write } from './write.ts';

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

/** Decides one write of many; large entities are read for it alone, and not kept as long as they are as stored. */
async function decided<Result>(
  log: LogView,
  set: WorkingSet,
  write: Write<Result>,
  need: Needs,
): Promise<Result | Error> {
  const large = need.entities?.filter((id) => set.entities.get(id)?.loaded?.data === NOT_READ) ?? [];
  const without = large.flatMap((id) => set.entities.get(id) ?? []);
  if (large.length > 0)
    for (const entity of (await log.load([{ entities: large }])).entities)
      set.entities.set(entity.id, unchanged(entity));
  const result = attempt(() => set.attempt(write.author, (view) => write.decide(view)));
  for (const work of without)
    if (!set.touched.has(work.current.id) || result instanceof Error) set.entities.set(work.current.id, work);
  return result;
}

/** Writes that are decided before others have a turn. */
const AT_ONCE = 128;

/**
 * Returns what the writes would return if they were made in this order, each seeing what those before it do:
 * outcomes by position. All of it is decided on one snapshot.
 */
export const rehearseAll = <Result>(
  withLogView: WithLogView,
  writes: readonly Write<Result>[],
  validate: Validate,
): Promise<readonly (Result | Error)[]> =>
  withLogView(async (log) => {
    const catalogue = await log.catalogue();
    const needs = writes.map((write) => attempt(() => write.needs(catalogue)));
    const loaded = await log.load(
      needs.filter((need): need is Needs => !(need instanceof Error)),
      'left out',
    );
    const set = new WorkingSet(catalogue, loaded, validate);
    const outcomes: (Result | Error)[] = [];
    for (const [i, write] of writes.entries()) {
      const need = needs[i] ?? new Error('a write without needs');
      outcomes.push(need instanceof Error ? need : await decided(log, set, write, need));
      set.events.length = 0; // they are never written
      if (i % AT_ONCE === AT_ONCE - 1) await turn();
    }
    return outcomes;
  });
