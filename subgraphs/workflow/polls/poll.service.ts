// One cycle of a polling trigger: everything that has come about and matches fires once
// (docs/reference/workflow.md#poll-cycle).
import { type Acting, actingFor } from '../../../platform/acting.ts';
import type { Logger } from 'pino';
import { isObject } from '../../../platform/json-object.ts';
import { Turn } from '../../../platform/turns.ts';
import { findCursor, keepCursor, type Cursor } from '../cursors/metadata-cursors.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import type { Execute, ExecuteAs } from '../deps.ts';
import { type Judgement, judgeEntity } from '../observation-log/judge.ts';
import type { NewObservation } from '../observation-log/observation.ts';
import { insertObservations } from '../observation-log/observations.store.ts';
import { configuredActing, runOf } from '../run-records/new-run.ts';
import { insertRun } from '../run-records/run-queue.store.ts';
import { takeFiring } from '../schedules/firings.store.ts';
import { actionDefinition } from '../trigger-model/trigger-definition.ts';
import { isPaused } from '../triggers/pauses.store.ts';
import { bindEntity } from './bind-entity.ts';
import { changedEntities } from './changed-entities.ts';
import { filterOf, type PollFinding, lookbackOf, type PollTrigger } from './poll-trigger.ts';
import { staleResults } from './stale-results.ts';

export interface PollDeps {
  readonly executeAs: ExecuteAs;
  readonly transact: Transact;
  readonly log: Logger;
  /** The database's time, in milliseconds since 1970. */
  now(): Promise<number>;
}

/** What is looked at before the cursor moves. */
const AT_ONCE = 500;

const lookAfter = (
  trigger: PollTrigger,
  execute: Execute,
  after: string,
  signal: AbortSignal,
  executeAs: ExecuteAs,
): AsyncGenerator<PollFinding> =>
  trigger.type === 'event'
    ? staleResults(trigger, execute, after, signal, executeAs)
    : changedEntities(trigger, execute, after, signal, executeAs);

/**
 * The cursor is stored with every {@link AT_ONCE} and at the end, after their firings: an interrupted cycle is repeated from
 * there, and what it has fired does not fire twice. A cycle that finds its trigger paused is interrupted.
 * @throws if the platform does not answer: then the cursor is unchanged
 */
export async function pollOnce(trigger: PollTrigger, signal: AbortSignal, deps: PollDeps): Promise<void> {
  const execute = deps.executeAs(configuredActing(trigger));
  const stored = await findCursor(execute, trigger.name, signal);
  const start = stored ?? {
    lastUpdatedAt: new Date((await deps.now()) - lookbackOf(trigger) * 1000).toISOString(),
    lastEntityId: null,
  };
  const judge = judgeEntity(filterOf(trigger)); // a missing field does not match
  const unmatched: NewObservation[] = [];
  const putDown = async (): Promise<void> => {
    if (unmatched.length > 0) await deps.transact((db) => insertObservations(db, unmatched.splice(0)));
  };

  const turn = new Turn();
  let cursor: Cursor = start;
  const fired = new Set<string>();
  let looked = 0;
  for await (const found of lookAfter(trigger, execute, start.lastUpdatedAt, signal, deps.executeAs)) {
    if (turn.isOver) await turn.next();
    signal.throwIfAborted();
    if (looked > 0 && looked % AT_ONCE === 0) {
      await putDown();
      await keepCursor(execute, trigger.name, cursor, signal);
    }
    looked++;
    cursor = { lastUpdatedAt: found.at, lastEntityId: found.entity.id };
    if (fired.has(found.once)) continue;
    const judgement = judge(found.entity);
    if (judgement.verdict !== 'fired') {
      unmatched.push(observed(trigger, found, judgement));
      continue;
    }
    fired.add(found.once);
    if (!(await fire(trigger, found, judgement, deps))) return putDown();
  }
  await putDown();
  if (stored === null || cursor !== start) await keepCursor(execute, trigger.name, cursor, signal);
}

const observed = (
  { name }: PollTrigger,
  { observed: seenAs }: PollFinding,
  { verdict, reason, seen }: Judgement,
): NewObservation => ({
  ...seenAs,
  triggerName: name,
  verdict,
  reason,
  seen,
});

/** A resolve runs in the project of its entity; an ingest pulls what its adapter has. */
const actingOn = (trigger: PollTrigger, { actsIn }: PollFinding): Acting =>
  trigger.action.type === 'resolve' && actsIn !== null
    ? actingFor(configuredActing(trigger), [actsIn])
    : configuredActing(trigger);

/** Bound to the entity. What is made anew is made with the parameters that it had, where the action gives no others. */
function actionOn(
  { action }: PollTrigger,
  { entity, madeBy }: PollFinding,
): Readonly<Record<string, unknown>> {
  const bound = bindEntity(actionDefinition(action), entity) as Readonly<Record<string, unknown>>; // an object stays one
  if (action.type !== 'resolve' || !madeBy) return bound;
  const isAnew = [entity.entity_type, madeBy.entityType].includes(action.entityType);
  const given = isObject(bound['parameters']) ? bound['parameters'] : {};
  if (!isAnew) return bound;
  const asMade = Object.keys(madeBy.parameters).filter((name) => !Object.hasOwn(given, name));
  return {
    ...bound,
    parameters: { ...madeBy.parameters, ...given },
    ...(asMade.length === 0 ? {} : { as_made: asMade }), // rules may have no such inputs any more
  };
}

/** False where the trigger is paused. */
async function fire(
  trigger: PollTrigger,
  found: PollFinding,
  judgement: Judgement,
  { transact, log }: PollDeps,
): Promise<boolean> {
  const { entity, cause, causedBy, firingKey, foundBy } = found;
  const action = actionOn(trigger, found);
  const run = runOf(trigger, { cause, causedBy, acting: actingOn(trigger, found), action });
  return transact(async (db) => {
    if (await isPaused(db, trigger.name)) return false;
    if (!(await takeFiring(db, trigger.name, firingKey, run.id, foundBy))) {
      log.debug({ trigger: trigger.name, entityId: entity.id }, 'this has already fired');
      return true;
    }
    await insertRun(db, run);
    await insertObservations(db, [{ ...observed(trigger, found, judgement), runId: run.id }]);
    return true;
  });
}
