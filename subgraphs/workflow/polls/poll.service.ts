// One cycle of a polling trigger: every entity that changed and matches fires once
// (docs/reference/workflow.md#poll-cycle).
import { type Acting, actingFor } from '../../../platform/acting.ts';
import type { Logger } from 'pino';
import { eventKey, versionKey } from '../../../platform/causal-links.ts';
import type { BoundEntity } from '../../../platform/cel/bindings.ts';
import { Turn } from '../../../platform/turns.ts';
import { findCursor, keepCursor, type Cursor } from '../cursors/metadata-cursors.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import type { ExecuteAs } from '../deps.ts';
import { type Judgement, judgeEntity, tellsAvailability } from '../observation-log/judge.ts';
import type { NewObservation } from '../observation-log/observation.ts';
import { insertObservations } from '../observation-log/observations.store.ts';
import { configuredActing, runOf } from '../run-records/new-run.ts';
import { insertRun } from '../run-records/run-queue.store.ts';
import { takeFiring } from '../schedules/firings.store.ts';
import { actionDefinition, type ConfiguredTrigger } from '../trigger-model/trigger-definition.ts';
import { isPaused } from '../triggers/pauses.store.ts';
import { bindEntity } from './bind-entity.ts';
import { changedEntities } from './changed-entities.ts';

export type PollTrigger = Extract<ConfiguredTrigger, { type: 'metadata_poll' }>;

export interface PollDeps {
  readonly executeAs: ExecuteAs;
  readonly transact: Transact;
  readonly log: Logger;
  /** The database's time, in milliseconds since 1970. */
  now(): Promise<number>;
}

/**
 * The cursor is stored at the end, after all firings: an interrupted cycle is repeated, and what it has fired
 * does not fire twice. A cycle that finds its trigger paused is interrupted.
 * @throws if the metadata does not answer: then the cursor is unchanged
 */
export async function pollOnce(trigger: PollTrigger, signal: AbortSignal, deps: PollDeps): Promise<void> {
  const execute = deps.executeAs(configuredActing(trigger));
  const { poll } = trigger;
  const stored = await findCursor(execute, trigger.name, signal);
  const start = stored ?? {
    lastUpdatedAt: new Date((await deps.now()) - poll.lookbackSeconds * 1000).toISOString(),
    lastEntityId: null,
  };
  const judge = judgeEntity(poll.filter); // a missing field does not match
  const unmatched: NewObservation[] = [];
  const putDown = async (): Promise<void> => {
    if (unmatched.length > 0) await deps.transact((db) => insertObservations(db, unmatched.splice(0)));
  };

  const turn = new Turn();
  let cursor: Cursor = start;
  const fired = new Set<string>();
  for await (const entity of changedEntities(
    execute,
    {
      entityType: poll.entityType,
      after: start.lastUpdatedAt,
      includeUnavailable: tellsAvailability(poll.filter),
    },
    signal,
  )) {
    if (turn.isOver) await turn.next();
    signal.throwIfAborted();
    cursor = { lastUpdatedAt: entity.updated_at, lastEntityId: entity.id };
    if (fired.has(entity.id)) continue; // it changed again while the pages were read
    const judgement = judge(entity);
    if (judgement.verdict !== 'fired') {
      unmatched.push(observed(trigger, entity, judgement));
      if (unmatched.length >= 500) await putDown();
      continue;
    }
    fired.add(entity.id);
    if (!(await fire(trigger, { entity, judgement, cursor: start.lastUpdatedAt }, deps))) return putDown();
  }
  await putDown();
  if (stored === null || cursor !== start) await keepCursor(execute, trigger.name, cursor, signal);
}

const observed = (
  { name }: PollTrigger,
  { id, version, updated_at: updatedAt, project }: BoundEntity,
  { verdict, reason, seen }: Judgement,
): NewObservation => ({
  triggerName: name,
  kind: 'entity',
  verdict,
  reason,
  seen,
  subject: { entity: { id, version, updated_at: updatedAt } },
  project: project ?? null,
});

/** A resolve runs in the project of its entity; an ingest pulls what its adapter has. */
const actingOn = (trigger: PollTrigger, { project }: BoundEntity): Acting =>
  trigger.action.type === 'resolve' && typeof project === 'string'
    ? actingFor(configuredActing(trigger), [project])
    : configuredActing(trigger);

interface Found {
  readonly entity: BoundEntity;
  readonly judgement: Judgement;
  /** The change after which the cycle reads. */
  readonly cursor: string;
}

/** False where the trigger is paused. */
async function fire(
  trigger: PollTrigger,
  { entity, judgement, cursor }: Found,
  { transact, log }: PollDeps,
): Promise<boolean> {
  const { id, version, updated_at: updatedAt } = entity;
  // An object stays one.
  const action = bindEntity(actionDefinition(trigger.action), entity) as Readonly<Record<string, unknown>>;
  const run = runOf(trigger, {
    cause: { entity: { id, version, updated_at: updatedAt } },
    causedBy: versionKey({ id, version }),
    acting: actingOn(trigger, entity),
    action,
  });
  return transact(async (db) => {
    if (await isPaused(db, trigger.name)) return false;
    const found = { causedBy: eventKey(updatedAt), cursor };
    if (!(await takeFiring(db, trigger.name, `${id}@${updatedAt}`, run.id, found))) {
      log.debug({ trigger: trigger.name, entityId: id }, 'the change has already fired');
      return true;
    }
    await insertRun(db, run);
    await insertObservations(db, [{ ...observed(trigger, entity, judgement), runId: run.id }]);
    return true;
  });
}
