// Nodes and links of runs, and of what fired them, from the rows that tell of them.
import {
  type CausalLink,
  type CausalNode,
  internalEventKey,
  type NamedId,
  namedIn,
  nodeKey,
  pollKey,
  retentionKey,
  tickKey,
} from '../../../platform/causal-links.ts';
import { canonicalInstant } from '../../../platform/instant.ts';
import type * as store from './causal-links.store.ts';

export const runKey = (id: string): string => nodeKey('run', id);
export const deliveryKey = (id: string): string => nodeKey('delivery', id);
export const fired = (cause: string, runId: string): CausalLink => ({
  cause,
  effect: runKey(runId),
  kind: 'FIRED',
});
export const pollOf = ({ triggerName, time }: store.FiringOfPoll): string => pollKey(triggerName, time);

export const isCause = (key: string): boolean =>
  /^(?:request|run|production|tick|version|stale_result):/.test(key);

export const runNode = (run: store.CausedRun): CausalNode => {
  const { id, at, actor, triggerName, triggerType, adapter, project, requestId } = run;
  return {
    key: runKey(id),
    name: triggerName ?? 'submitted',
    at,
    actor,
    details: {
      run_id: id,
      trigger_name: triggerName,
      trigger_type: triggerType,
      adapter,
      project,
      request_id: requestId,
    },
  };
};

/** Between a run and what caused it: what a poll has found, and an event that a run emitted. */
function between({ causedBy, event, found, triggerName }: store.FiredBy): string | null {
  if (found !== null && triggerName !== null) return pollKey(triggerName, found.slice('event:'.length));
  if (event !== null && causedBy !== null) return internalEventKey(event, causedBy.slice('run:'.length));
  return causedBy;
}

/** Its key has milliseconds. */
export function tickNode({ name, id }: NamedId): CausalNode {
  const tick = canonicalInstant(id) ?? id;
  return { key: tickKey(name, id), name, at: tick, actor: null, details: { trigger_name: name, tick } };
}

export const RETENTION = retentionKey('workflow');
export const retentionNode = (kept: Readonly<Record<string, string>> | null): CausalNode => ({
  key: RETENTION,
  name: 'workflow',
  at: kept?.['runs'] ?? null,
  actor: null,
  details: { component: 'workflow', kept_since: kept ?? {} },
});

/** The internal event that fired a run. */
export function eventOf({ causedBy, event, emittedAt }: store.FiredBy): CausalNode | null {
  if (event === null || causedBy === null) return null;
  const emitter = causedBy.slice('run:'.length);
  return {
    key: internalEventKey(event, emitter),
    name: event,
    at: emittedAt,
    actor: null,
    details: { event, run_id: emitter },
  };
}

export function emittedFor(run: store.FiredBy): readonly CausalLink[] {
  const node = eventOf(run);
  return node === null || run.causedBy === null
    ? []
    : [{ cause: run.causedBy, effect: node.key, kind: 'EMITTED' }];
}

export function toldBy(run: store.FiredBy): readonly CausalNode[] {
  const event = eventOf(run);
  if (event !== null) return [event];
  return namedIn(run.causedBy === null ? [] : [run.causedBy], 'tick').map(tickNode);
}

/** A delivery stands between a run and the request that sent it, but not between it and one that delivers again. */
const isSentBy = ({ sentBy, causedBy }: store.FiredBy): boolean =>
  sentBy !== null && causedBy === nodeKey('request', sentBy);

export function causesOf(run: store.CausedRun): readonly CausalLink[] {
  const cause = isSentBy(run) ? null : between(run);
  return [
    ...(run.delivery === null ? [] : [fired(deliveryKey(run.delivery), run.id)]),
    ...(cause === null ? [] : [fired(cause, run.id)]),
    ...(run.isCut ? [{ cause: RETENTION, effect: runKey(run.id), kind: 'EXPIRED' as const }] : []),
  ];
}

/** From what fired a run, but by an event, to it or to the poll that stands between. */
export function effectOf(run: store.FiredRun): readonly CausalLink[] {
  if (isSentBy(run)) return [];
  const { cause, found, runId } = run;
  return found === null ? [fired(cause, runId)] : [{ cause, effect: between(run) ?? cause, kind: 'FOUND' }];
}

export const sent = ({ id, requestId }: store.SentDelivery): readonly CausalLink[] =>
  requestId === null ? [] : [{ cause: nodeKey('request', requestId), effect: deliveryKey(id), kind: 'SENT' }];

export const staleResultNode = ({
  key,
  triggerName,
  since,
  entityId,
  productionId,
}: store.StaleFound): CausalNode => ({
  key,
  name: entityId,
  at: since,
  actor: null,
  details: { trigger_name: triggerName, entity_id: entityId, production_id: productionId },
});

/** From what has changed to the result; the version of the result itself was found to be stale. */
export const outdated = (cause: string, { key, result }: store.StaleFound): CausalLink => ({
  cause,
  effect: key,
  kind: cause === result ? 'FOUND' : 'OUTDATED',
});
