// Metadata's part of causal chains: entities, their versions and fields, and the events behind them
// (docs/reference/metadata.md#why).
import {
  type CausalLink,
  type CausalLinks,
  type CausalNode,
  eventKey,
  fieldKey,
  fieldsIn,
  fullKeys,
  idsOf,
  nodeKey,
  type LinkQuestion,
  NO_LINKS,
  together,
  versionKey,
  versionsIn,
} from '../../../platform/causal-links.ts';
import type { Identity } from '../../../platform/identity.ts';
import { instantPart } from '../../../platform/paging.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { Instants, Moment } from '../reading/timeline.ts';
import { isUuid } from '../../../platform/uuid.ts';
import * as store from './causal-links.store.ts';

function nodeOf(key: string, { id, entityType, version, at, actor }: store.CausedEntity): CausalNode {
  const details = { entity_id: id, entity_type: entityType, version };
  return { key, name: id, at, actor, details };
}

/** Of a version: its event, and the version before or after it. */
function linksOfVersion(
  row: store.CausedEntity,
  direction: LinkQuestion['direction'],
): readonly CausalLink[] {
  const { id, version, at } = row;
  const key = versionKey(row);
  if (direction === 'FORWARD')
    return [{ cause: key, effect: versionKey({ id, version: version + 1 }), kind: 'FOLLOWS' }];
  const made: CausalLink = { cause: eventKey(at), effect: key, kind: 'MADE' };
  return version === 1
    ? [made]
    : [made, { cause: versionKey({ id, version: version - 1 }), effect: key, kind: 'FOLLOWS' }];
}

/** Of an event: what it was written for, or the version that it made. */
function linksOfEvent(event: store.CausedEvent, direction: LinkQuestion['direction']): readonly CausalLink[] {
  const { at, entityId, version, cause, requestId } = event;
  const key = eventKey(at);
  if (direction === 'FORWARD')
    return entityId === null || version === null
      ? []
      : [{ cause: key, effect: versionKey({ id: entityId, version }), kind: 'MADE' }];
  const origin = cause ?? (requestId === null ? null : nodeKey('request', requestId));
  return origin === null ? [] : [{ cause: origin, effect: key, kind: 'WROTE' }];
}

function eventNode(event: store.CausedEvent): CausalNode {
  const { at, eventType, eventId, entityId, entityType, actor, requestId, context, version } = event;
  return {
    key: eventKey(at),
    name: eventType,
    at,
    actor,
    details: {
      event_id: eventId,
      entity_id: entityId,
      entity_type: entityType,
      version,
      request_id: requestId,
      context,
    },
  };
}

/** A question's nodes of one kind; nothing is asked of the database where there are none. */
const ofKind = async <Id>(
  ids: readonly Id[],
  answer: (ids: readonly Id[]) => Promise<CausalLinks>,
): Promise<CausalLinks> => (ids.length === 0 ? NO_LINKS : answer(ids));

export class CausalLinkService {
  readonly #db: Queryable;
  readonly #identity: Identity;
  readonly #timeline: Instants;

  constructor(db: Queryable, timeline: Instants, identity: Identity) {
    this.#db = db;
    this.#timeline = timeline;
    this.#identity = identity;
  }

  /** As of an instant: what there was then, as it was, to whoever saw it then. */
  async of(question: LinkQuestion): Promise<CausalLinks> {
    const { keys, direction, asOf } = question;
    const at = asOf === null ? null : await this.#timeline.moment(asOf);
    const isBackward = direction === 'BACKWARD';
    return together(
      await Promise.all([
        ofKind(idsOf(keys, 'entity'), (ids) => this.#entities(ids, question, at)),
        ofKind(versionsIn(keys), (versions) => this.#versions(versions, question)),
        ofKind(fieldsIn(keys), (fields) => this.#fields(fields, question, at)),
        ofKind(idsOf(keys, 'event').filter(instantPart), (times) => this.#events(times, question)),
        ...(isBackward ? [] : [this.#written(question)]),
      ]),
    );
  }

  async #entities(ids: readonly string[], question: LinkQuestion, at: Moment): Promise<CausalLinks> {
    const [entities, versions] = await Promise.all([
      store.listEntities(this.#db, ids, at, this.#identity),
      store.listNewestVersions(this.#db, ids, question, this.#identity),
    ]);
    return {
      nodes: entities.map((row) => nodeOf(nodeKey('entity', row.id), row)),
      links: versions.map((version): CausalLink => {
        const [entity, own] = [nodeKey('entity', version.id), versionKey(version)];
        return question.direction === 'BACKWARD'
          ? { cause: own, effect: entity, kind: 'VERSION' }
          : { cause: entity, effect: own, kind: 'VERSION' };
      }),
      more: fullKeys(versions, ({ id }) => nodeKey('entity', id), question),
    };
  }

  async #versions(
    versions: readonly { readonly id: string; readonly version: number }[],
    question: LinkQuestion,
  ): Promise<CausalLinks> {
    const { direction } = question;
    const rows = await store.listCausedVersions(this.#db, versions, question, this.#identity);
    const first = new Map<string, CausalNode>();
    for (const row of rows) {
      const key = versionKey(row);
      if (!first.has(key)) first.set(key, nodeOf(key, row));
    }
    // the events behind versions are read with them
    const events = direction === 'BACKWARD' ? rows.filter(({ isEventSeen }) => isEventSeen) : [];
    return {
      nodes: [...first.values(), ...events.map(eventNode)],
      links: [
        ...rows.flatMap((row) => linksOfVersion(row, direction)),
        ...events.flatMap((event) => linksOfEvent(event, direction)),
      ],
      also: events.map(({ at }) => eventKey(at)),
      more: fullKeys(rows, versionKey, question),
    };
  }

  async #fields(
    fields: readonly { readonly id: string; readonly field: string }[],
    question: LinkQuestion,
    at: Moment,
  ): Promise<CausalLinks> {
    const [rows, setters] = await Promise.all([
      store.listFields(this.#db, fields, at, this.#identity),
      question.direction === 'BACKWARD'
        ? store.listSetters(this.#db, fields, question, this.#identity)
        : Promise.resolve([]),
    ]);
    return {
      nodes: rows.map(({ id, field, entityType, version, value }) => ({
        key: fieldKey({ id, field }),
        name: field,
        at: null,
        actor: null,
        details: { entity_id: id, entity_type: entityType, version, value },
      })),
      links: setters.map(({ at: time, ...field }) => ({
        cause: eventKey(time),
        effect: fieldKey(field),
        kind: 'SET',
      })),
      more: fullKeys(setters, fieldKey, question),
    };
  }

  async #events(times: readonly string[], question: LinkQuestion): Promise<CausalLinks> {
    const events = await store.listEvents(this.#db, times, question, this.#identity);
    return {
      nodes: events.map(eventNode),
      links: events.flatMap((event) => linksOfEvent(event, question.direction)),
    };
  }

  /** Events of requests, runs and productions, which belong to others. */
  async #written(question: LinkQuestion): Promise<CausalLinks> {
    const requests = idsOf(question.keys, 'request').filter(isUuid);
    const causes = question.keys.filter((key) => key.startsWith('run:') || key.startsWith('production:'));
    const [by, on] = await Promise.all([
      requests.length === 0 ? [] : store.listWrittenBy(this.#db, requests, question, this.#identity),
      causes.length === 0 ? [] : store.listWrittenFor(this.#db, causes, question, this.#identity),
    ]);
    const links = [...by, ...on].map(({ key, at }): CausalLink => ({
      cause: key,
      effect: eventKey(at),
      kind: 'WROTE',
    }));
    return { nodes: [], links, more: [by, on].flatMap((rows) => fullKeys(rows, ({ key }) => key, question)) };
  }
}

/** The slice of the resolvers' context. */
export interface CausalLinkSlice {
  readonly causalLinks: CausalLinkService;
}
