// The workflow's part of causal chains: runs, and what fired them (docs/reference/metadata.md#why). What fired a run is
// there for whoever sees a run that it fired.
import {
  type CausalLink,
  type CausalLinks,
  eventKey,
  fullKeys,
  idsOf,
  internalEventKey,
  type LinkQuestion,
  namedIn,
  NO_LINKS,
  nodeKey,
  tickKey,
  together,
} from '../../../platform/causal-links.ts';
import type { Caller } from '../../../platform/identity.ts';
import { canonicalInstant } from '../../../platform/instant.ts';
import type { Past } from '../../../platform/past/past.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { isUuid } from '../../../platform/uuid.ts';
import * as store from './causal-links.store.ts';
import {
  causesOf,
  deliveryKey,
  effectOf,
  emittedFor,
  eventOf,
  fired,
  isCause,
  outdated,
  pollOf,
  RETENTION,
  retentionNode,
  runKey,
  runNode,
  sent,
  staleResultNode,
  tickNode,
  toldBy,
} from './fired-by.ts';

export class CausalLinkService {
  readonly #db: Queryable;
  readonly #caller: Caller;
  readonly #past: Past;
  /** Asked for once in an operation. */
  #kept: Promise<Readonly<Record<string, string>> | null> | undefined;

  constructor(db: Queryable, past: Past, caller: Caller) {
    this.#db = db;
    this.#past = past;
    this.#caller = caller;
  }

  /** As of an instant: what there was then, also where no past states are kept of then, because nothing told here changes. */
  async of(question: LinkQuestion): Promise<CausalLinks> {
    const { keys, direction, asOf } = question;
    if (asOf !== null) await this.#past.instantIfKept(asOf);
    return together(
      await Promise.all([
        this.#retention(keys),
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

  async #retention(keys: readonly string[]): Promise<CausalLinks> {
    this.#kept ??= store.findKeptSince(this.#db);
    const kept = await this.#kept;
    const since = kept?.['runs'];
    return {
      nodes: keys.includes(RETENTION) ? [retentionNode(kept)] : [],
      links: [],
      ...(since === undefined ? {} : { keptSince: since }),
    };
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
    if (keys.length === 0) return NO_LINKS;
    const runs = await this.#fired(keys, { ...question, limit: 1, skip: 0 });
    const seen = new Set(runs.map(({ cause }) => cause));
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
      nodes: found.map(staleResultNode),
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
    return {
      nodes,
      links: runs.map(({ delivery, runId }) => fired(deliveryKey(delivery), runId)),
      more: fullKeys(runs, ({ delivery }) => deliveryKey(delivery), question),
    };
  }

  /** Of runs what they fired by no event: that stands between. */
  async #fired(causes: readonly string[], question: LinkQuestion): Promise<readonly store.FiredRun[]> {
    if (causes.length === 0) return [];
    const events = causes.map((key) => (key.startsWith('run:') ? '' : null));
    return store.listFired(this.#db, causes, question, this.#caller.projects, events);
  }

  async #internalEvents(question: LinkQuestion): Promise<CausalLinks> {
    const asked = namedIn(question.keys, 'internal_event');
    if (asked.length === 0) return NO_LINKS;
    const isBackward = question.direction === 'BACKWARD';
    // backward the event alone is told, by the first run that it fired
    const runs = await store.listFired(
      this.#db,
      asked.map(({ id }) => runKey(id)),
      isBackward ? { ...question, limit: 1, skip: 0 } : question,
      this.#caller.projects,
      asked.map(({ name }) => name),
    );
    const keyOf = (run: store.FiredRun): string => eventOf(run)?.key ?? '';
    const first = new Map(runs.toReversed().map((run) => [keyOf(run), run]));
    return {
      nodes: [...first.values()].flatMap((run) => eventOf(run) ?? []),
      links: isBackward
        ? [...first.values()].flatMap(emittedFor)
        : runs.map((run) => fired(keyOf(run), run.runId)),
      more: isBackward ? [] : fullKeys(runs, keyOf, question),
    };
  }

  async #effects(question: LinkQuestion): Promise<CausalLinks> {
    const { projects } = this.#caller;
    const [db, causes] = [this.#db, question.keys.filter(isCause)];
    const emitters = causes.filter((key) => key.startsWith('run:'));
    const requests = idsOf(question.keys, 'request').filter(isUuid);
    const times = idsOf(question.keys, 'event');
    const changes = question.keys.filter((key) => /^(?:version|rule):/.test(key));
    const [runs, emitted, deliveries, polls, stale] = await Promise.all([
      this.#fired(causes, question),
      emitters.length === 0 ? [] : store.listEmitted(db, emitters, question, projects),
      requests.length === 0 ? [] : store.listSent(db, requests, question, projects),
      times.length === 0 ? [] : store.listPollsOfEvents(db, times, question, projects),
      changes.length === 0 ? [] : store.listStaleResultsOf(db, changes, question, projects),
    ]);
    const foundBy = ({ time }: store.FiringOfPoll): string => eventKey(time);
    return {
      nodes: [],
      links: [
        ...runs.flatMap(effectOf),
        ...emitted.map(({ cause, event }): CausalLink => {
          const effect = internalEventKey(event, cause.slice('run:'.length));
          return { cause, effect, kind: 'EMITTED' };
        }),
        ...deliveries.flatMap(sent),
        ...polls.map((poll) => ({ cause: foundBy(poll), effect: pollOf(poll), kind: 'FOUND' as const })),
        ...stale.map((one) => outdated(one.cause, one)),
      ],
      more: [
        ...fullKeys(runs, ({ cause }) => cause, question),
        ...fullKeys(emitted, ({ cause }) => cause, question),
        ...fullKeys(deliveries, ({ requestId }) => nodeKey('request', requestId ?? ''), question),
        ...fullKeys(polls, foundBy, question),
        ...fullKeys(stale, ({ cause }) => cause, question),
      ],
    };
  }
}

/** The slice of the resolvers' context. */
export interface CausalLinkSlice {
  readonly causalLinks: CausalLinkService;
}
