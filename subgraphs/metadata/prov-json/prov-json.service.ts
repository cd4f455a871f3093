// The provenance of entities as a PROV document, for callers that may see the entities.
import { invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import { hasNoNul } from '../../../platform/queryable.ts';
import { entityNotFound } from '../entities/entity-not-found.ts';
import type { Moment } from '../reading/timeline.ts';
import type { EventRange } from './prov-json.store.ts';
import { type LoggedEvent, provDocument, type ProvDocument } from './prov-document.ts';

const MAX_ENTITIES = 100;
const MAX_EVENTS = 20_000;

export interface ProvJsonDeps {
  /** Whether the caller sees each entity, or saw it up to the moment; by position. */
  areVisible(entityIds: readonly string[], identity: Identity, at: Moment): Promise<readonly boolean[]>;
  eventsOf(entityIds: readonly string[], range: EventRange, identity: Identity): Promise<LoggedEvent[]>;
}

export class ProvJsonService {
  readonly #deps: ProvJsonDeps;
  constructor(deps: ProvJsonDeps) {
    this.#deps = deps;
  }

  /**
   * Of the events up to the moment.
   * @throws DomainError `not_found` for an entity that the caller cannot see; `validation_failed` for too
   * many entities or events
   */
  async document(entityIds: readonly string[], identity: Identity, at: Moment): Promise<ProvDocument> {
    const ids = [...new Set(entityIds)];
    if (ids.length > MAX_ENTITIES)
      throw invalid(`a document may cover at most ${MAX_ENTITIES} entities, not ${ids.length}`, {
        field: 'entityIds',
      });
    const visible = ids.every(hasNoNul) ? await this.#deps.areVisible(ids, identity, at) : ids.map(hasNoNul);
    const hidden = ids.find((_, i) => visible[i] !== true);
    if (hidden !== undefined) throw entityNotFound(hidden);
    const events = await this.#deps.eventsOf(ids, { limit: MAX_EVENTS + 1, at }, identity);
    if (events.length > MAX_EVENTS)
      throw invalid(`these entities have more than ${MAX_EVENTS} events: request fewer entities`, {
        field: 'entityIds',
      });
    return provDocument(events);
  }
}

/** The slice of the resolvers' context. */
export interface ProvJsonSlice {
  readonly provJson: ProvJsonService;
}
