// The workflow's part of causal chains: runs, and what fired them (docs/reference/metadata.md#why). What fired a run is
// there for whoever sees a run that it fired.
import {
  type CausalLink,
  type CausalLinks,
  type CausalNode,
  eventKey,
  idsOf,
  internalEventKey,
  type LinkQuestion,
  type NamedId,
  namedIn,
  NO_LINKS,
  nodeKey,
  pollKey,
  tickKey,
  together,
} from '../../../platform/causal-links.ts';
import type { Caller } from '../../../platform/identity.ts';
import { canonicalInstant } from '../../../platform/instant.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { isUuid } from '../../../platform/uuid.ts';
import * as store from './causal-links.store.ts';

const runKey = (id: string): string => nodeKey('run', id);
const deliveryKey = (id: string): string => nodeKey('delivery', id);
const fired = (cause: string, runId: string): CausalLink => ({
  cause,
  effect: runKey(runId),
  kind: 'FIRED',
});
const pollOf = ({ triggerName, time }: store.FiringOfPoll): string => pollKey(triggerName, time);

const isCause = (key: string): boolean => /^(?:request|run|production|tick|version|stale_result):/.test(key);

const runNode = (run: store.CausedRun): CausalNode => {
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

const tickNode = ({ name, id }: NamedId): CausalNode => ({
  key: tickKey(name, id),
  name,
  at: id,
  actor: null,
  details: { trigger_name: name, tick: id },
});

/** The internal event that fired a run. */
function eventOf({ causedBy, event, emittedAt }: store.FiredBy): CausalNode | null {
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

function emittedFor(run: store.FiredBy): readonly CausalLink[] {
  const node = eventOf(run);
  return node === null || run.causedBy === null
    ? []
    : [{ cause: run.causedBy, effect: node.key, kind: 'EMITTED' }];
}

function toldBy(run: store.FiredBy): readonly CausalNode[] {
  const event = eventOf(run);
  if (event !== null) return [event];
  return namedIn(run.causedBy === null ? [] : [run.causedBy], 'tick').map(tickNode);
}

/** A delivery stands between a run and the request that sent it, but not between it and one that delivers again. */
const isSentBy = ({ sentBy, causedBy }: store.FiredBy): boolean =>
  sentBy !== null && causedBy === nodeKey('request', sentBy);

function causesOf(run: store.CausedRun): readonly CausalLink[] {
  const cause = isSentBy(run) ? null : between(run);
  return [
    ...(run.delivery === null ? [] : [fired(deliveryKey(run.delivery), run.id)]),
    ...(cause === null ? [] : [fired(cause, run.id)]),
  ];
}

/** From what fired a run to it, or to what stands between. */
function effectOf(run: store.FiredRun): readonly CausalLink[] {
  if (isSentBy(run)) return [];
  const { cause, found, event } = run;
  const effect = between(run);
  if (effect === null || effect === cause) return [fired(cause, run.runId)];
  if (found !== null) return [{ cause, effect, kind: 'FOUND' }];
  return event === null ? [] : [{ cause, effect, kind: 'EMITTED' }];
}

export class CausalLinkService {
  readonly #db: Queryable;
  readonly #caller: Caller;

  constructor(db: Queryable, caller: Caller) {
    this.#db = db;
    this.#caller = caller;
  }

  async of(question: LinkQuestion): Promise<CausalLinks> {
    const { keys, direction } = question;
    return together(
      await Promise.all([
        this.#runs(idsOf(keys, 'run'), question),
        this.#ticks(question),
        this.#polls(question),
        this.#deliveries(idsOf(keys, 'delivery'), question),
        this.#staleResults(idsOf(keys, 'stale_result'), question),
        this.#internalEvents(question),
        direction === 'FORWARD' ? this.#effects(question) : NO_LINKS,
      ]),
    );
  }

  async #runs(ids: readonly string[], question: LinkQuestion): Promise<CausalLinks> {
    if (ids.length === 0) return NO_LINKS;
    const runs = await store.listCausedRuns(this.#db, ids, question, this.#caller.projects);
    if (question.direction === 'FORWARD') return { nodes: runs.map(runNode), links: [] };
    // what a run itself tells of what fired it
    const told = new Map(runs.flatMap((run) => toldBy(run).map((node) => [node.key, node] as const)));
    return {
      nodes: [...runs.map(runNode), ...told.values()],
      links: [...runs.flatMap(causesOf), ...runs.flatMap(emittedFor)],
      also: [...told.keys()],
    };
  }

  async #ticks(question: LinkQuestion): Promise<CausalLinks> {
    const ticks = namedIn(question.keys, 'tick');
    const keys = ticks.map(({ name, id }) => tickKey(name, id));
    const seen = new Set((await this.#fired(keys, { ...question, limit: 1 })).map(({ cause }) => cause));
    const nodes = ticks.map(tickNode);
    return { nodes: nodes.filter(({ key }) => seen.has(key)), links: [] };
  }

  async #polls(question: LinkQuestion): Promise<CausalLinks> {
    const asked = namedIn(question.keys, 'poll').filter(({ id }) => canonicalInstant(id) === id);
    if (asked.length === 0) return NO_LINKS;
    const polls = await store.listPolls(this.#db, asked, question, this.#caller.projects);
    return {
      nodes: polls.map((poll) => ({
        key: pollOf(poll),
        name: poll.triggerName,
        at: poll.at,
        actor: null,
        details: { trigger_name: poll.triggerName, cursor: poll.cursor, found: eventKey(poll.time) },
      })),
      links: polls.flatMap((poll): readonly CausalLink[] =>
        question.direction === 'FORWARD'
          ? [fired(pollOf(poll), poll.runId)]
          : [eventKey(poll.time), poll.version].flatMap((cause) =>
              cause === null ? [] : [{ cause, effect: pollOf(poll), kind: 'FOUND' as const }],
            ),
      ),
    };
  }

  /** Those that a trigger found, for whoever sees a run of it. */
  async #staleResults(ids: readonly string[], question: LinkQuestion): Promise<CausalLinks> {
    if (ids.length === 0) return NO_LINKS;
    const keys = ids.map((id) => nodeKey('stale_result', id));
    const found = await store.listStaleResults(this.#db, keys, question, this.#caller.projects);
    return {
      nodes: found.map(({ key, triggerName, since, entityId, productionId }) => ({
        key,
        name: entityId,
        at: since,
        actor: null,
        details: { trigger_name: triggerName, entity_id: entityId, production_id: productionId },
      })),
      links: found.flatMap((one) =>
        question.direction === 'FORWARD' ? [] : one.causes.map((cause) => outdated(cause, one)),
      ),
    };
  }

  async #deliveries(ids: readonly string[], question: LinkQuestion): Promise<CausalLinks> {
    if (ids.length === 0) return NO_LINKS;
    const { projects } = this.#caller;
    const deliveries = await store.listCausedDeliveries(this.#db, ids, question, projects);
    const nodes = deliveries.map(({ id, triggerName, at }) => ({
      key: deliveryKey(id),
      name: triggerName,
      at,
      actor: null,
      details: { delivery_id: id, trigger_name: triggerName },
    }));
    if (question.direction === 'BACKWARD') return { nodes, links: deliveries.flatMap(sent) };
    const seen = deliveries.map(({ id }) => id);
    const runs = await store.listRunsOfDeliveries(this.#db, seen, question, projects);
    return { nodes, links: runs.map(({ delivery, runId }) => fired(deliveryKey(delivery), runId)) };
  }

  async #internalEvents(question: LinkQuestion): Promise<CausalLinks> {
    const asked = namedIn(question.keys, 'internal_event');
    const emitters = [...new Set(asked.map(({ id }) => runKey(id)))];
    const wanted = new Set(asked.map(({ name, id }) => internalEventKey(name, id)));
    const nodes = new Map<string, CausalNode>();
    const links: CausalLink[] = [];
    for (const run of await this.#fired(emitters, question)) {
      const node = eventOf(run);
      if (node === null || !wanted.has(node.key)) continue;
      if (!nodes.has(node.key) && question.direction === 'BACKWARD') links.push(...emittedFor(run));
      nodes.set(node.key, node);
      if (question.direction === 'FORWARD') links.push(fired(node.key, run.runId));
    }
    return { nodes: [...nodes.values()], links };
  }

  async #effects(question: LinkQuestion): Promise<CausalLinks> {
    const { projects } = this.#caller;
    const requests = idsOf(question.keys, 'request').filter(isUuid);
    const times = idsOf(question.keys, 'event');
    const changes = question.keys.filter((key) => /^(?:version|rule):/.test(key));
    const [runs, deliveries, polls, stale] = await Promise.all([
      this.#fired(question.keys.filter(isCause), question),
      requests.length === 0 ? [] : store.listSent(this.#db, requests, question, projects),
      times.length === 0 ? [] : store.listPollsOfEvents(this.#db, times, question, projects),
      changes.length === 0 ? [] : store.listStaleResultsOf(this.#db, changes, question, projects),
    ]);
    return {
      nodes: [],
      links: [
        ...runs.flatMap(effectOf),
        ...deliveries.flatMap(sent),
        ...polls.map((poll) => ({
          cause: eventKey(poll.time),
          effect: pollOf(poll),
          kind: 'FOUND' as const,
        })),
        ...stale.map((one) => outdated(one.cause, one)),
      ],
    };
  }

  async #fired(causes: readonly string[], question: LinkQuestion): Promise<readonly store.FiredRun[]> {
    return causes.length === 0 ? [] : store.listFired(this.#db, causes, question, this.#caller.projects);
  }
}

/** From what has changed to the result; the version of the result itself was found to be stale. */
const outdated = (cause: string, { key, result }: store.StaleFound): CausalLink => ({
  cause,
  effect: key,
  kind: cause === result ? 'FOUND' : 'OUTDATED',
});

const sent = ({ id, requestId }: store.SentDelivery): readonly CausalLink[] =>
  requestId === null ? [] : [{ cause: nodeKey('request', requestId), effect: deliveryKey(id), kind: 'SENT' }];

/** The slice of the resolvers' context. */
export interface CausalLinkSlice {
  readonly causalLinks: CausalLinkService;
}
