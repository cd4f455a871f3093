// The state of a batch of writes in memory, under the log's lock: the loaded data and the decisions so far.
// Each write can be undone on its own.
import { randomUUID } from 'node:crypto';
import { type GivenState, nextState } from '../../../platform/entity-columns.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import type { ValidatedWrite } from '../schema-model/validator.ts';
import type { UniqueKey } from '../schema-model/unique-key.ts';
import { changesOf, updatePayload } from './event-payload.ts';
import { type EntityWork, type Loaded, NOT_READ, type PendingEvent, unchanged } from './pending.ts';
import { ExternalIdWork } from './external-id-work.ts';
import { RelationshipWork } from './relationship-work.ts';
import { UndoLog } from './undo-log.ts';
import { UniqueWork } from './unique-work.ts';
import {
  type Author,
  type EntityEventType,
  type EntityState,
  type ExternalIdKey,
  type ExternalIdState,
  type InstanceEventType,
  type RelationshipKey,
  type WriteView,
  relationshipId,
} from './write.ts';

/** Validates a write before it is made. @throws ValidationFailed */
export type Validate = (write: ValidatedWrite, author: Author) => void;

const read = ({ id, data }: EntityState): EntityData => {
  if (data === NOT_READ) throw new Error(`a write changes entity ${id} without having needed its data`);
  return data;
};

export class WorkingSet implements WriteView {
  readonly catalogue: SchemaCatalogue;
  readonly events: PendingEvent[] = [];
  readonly entities = new Map<string, EntityWork>();
  readonly relationships: RelationshipWork;
  readonly externalIds: ExternalIdWork;
  readonly uniques: UniqueWork;

  /** Ids of the entities that the latest attempt changed. */
  readonly touched = new Set<string>();
  readonly #validate: Validate | undefined;
  #author: Author | undefined;
  readonly #undo = new UndoLog();

  /** @param validate without it every write is valid */
  constructor(catalogue: SchemaCatalogue, loaded: Loaded, validate?: Validate) {
    this.catalogue = catalogue;
    this.#validate = validate;
    for (const entity of loaded.entities) this.entities.set(entity.id, unchanged(entity));
    this.relationships = new RelationshipWork(loaded.relationships, this.#undo);
    this.externalIds = new ExternalIdWork(loaded.externalIds, this.#undo);
    this.uniques = new UniqueWork(loaded.uniques, this.#undo);
  }

  /** Runs one write; if it throws, the set is as before. */
  attempt<Result>(author: Author, decide: (view: WriteView) => Result): Result {
    const undo = this.begin(author);
    try {
      return decide(this);
    } catch (error) {
      undo();
      throw error;
    }
  }

  /** Begins a write; what is returned undoes it. */
  begin(author: Author): () => void {
    this.#author = author;
    this.#undo.clear();
    this.touched.clear();
    const before = this.events.length;
    return () => {
      this.#undo.rollBack();
      this.events.length = before;
    };
  }

  entity(id: string): EntityState | undefined {
    return this.entities.get(id)?.current;
  }
  relationship(key: RelationshipKey): { metadata: unknown } | undefined {
    return this.relationships.get(key);
  }
  successors(id: string): readonly string[] {
    return this.relationships.successors(id);
  }
  externalId(key: ExternalIdKey): ExternalIdState | undefined {
    return this.externalIds.get(key);
  }
  holder(key: UniqueKey): string | undefined {
    return this.uniques.holder(key);
  }

  validate(write: ValidatedWrite): void {
    this.#validate?.(write, this.#writer());
  }

  create(entity: GivenState, searchText: string): EntityState {
    const { actor } = this.#writer();
    const state: EntityState = { ...entity, ...nextState({ before: null, data: entity.data, actor }) };
    const at = { ordinal: this.#append('EntityCreated', state, { initial_state: state.data }) };
    this.#undo.set(this.entities, state.id, {
      loaded: null,
      current: state,
      first: at,
      since: at,
      last: at,
      changes: null,
      searchText,
      closed: [],
    });
    return state;
  }

  update(
    id: string,
    next: {
      data: EntityState['data'];
      project: string | null;
      searchText: string;
      changedFields: readonly string[];
    },
  ): EntityState {
    const work = this.#work(id);
    const state: EntityState = {
      ...work.current,
      data: next.data,
      project: next.project,
      ...nextState({ before: work.current, data: next.data, actor: this.#writer().actor }),
    };
    const { changes } = work;
    this.#advance(
      work,
      'EntityUpdated',
      state,
      updatePayload({ previous: read(work.current), next: next.data, changedFields: next.changedFields }),
      next.searchText,
    );
    work.changes = { ...changes, ...changesOf({ next: next.data, changedFields: next.changedFields }) };
    return state;
  }

  setAvailability(id: string, current: boolean, reason: string | null): EntityState {
    const work = this.#work(id);
    const { entityType } = work.current;
    const data = read(work.current);
    const type = this.catalogue.get(entityType);
    if (!current && work.current.isAvailable && type)
      this.validate({ operation: 'delete', type, entityId: id, data, previous: data });
    const state: EntityState = { ...work.current, isAvailable: current };
    this.#advance(work, 'AvailabilityChanged', state, {
      previous: work.current.isAvailable,
      current,
      reason,
    });
    return state;
  }

  record(type: EntityEventType, entityId: string, payload: Readonly<Record<string, unknown>>): void {
    const work = this.#work(entityId);
    this.#advance(work, type, work.current, payload);
  }

  recordInstance(type: InstanceEventType, payload: Readonly<Record<string, unknown>>): void {
    this.events.push({ type, entityId: null, entityType: null, author: this.#writer(), payload });
  }

  relate(key: RelationshipKey, metadata: unknown): void {
    this.relationships.assertMay('make', key);
    const [source, target] = [this.#work(key.sourceId), this.#work(key.targetId)];
    this.record('RelationshipCreated', key.sourceId, {
      relationship: key.type,
      from_id: key.sourceId,
      from_type: source.current.entityType,
      to_id: key.targetId,
      to_type: target.current.entityType,
      properties: metadata ?? {},
    });
    const ordinal = this.events.length;
    this.relationships.make({ key, metadata, createdBy: this.#writer().actor, ordinal });
  }

  unrelate(key: RelationshipKey, reason: string | null): void {
    this.relationships.assertMay('end', key);
    this.record('RelationshipRemoved', key.sourceId, {
      relationship_id: relationshipId(key),
      relationship: key.type,
      reason,
    });
    this.relationships.end({ key, ordinal: this.events.length });
  }

  addExternalId(entityId: string, key: ExternalIdKey): string {
    const recordId = randomUUID();
    this.record('ExternalIdAdded', entityId, { system: key.idType, external_id: key.value });
    this.externalIds.add({ ...key, recordId, entityId, ordinal: this.events.length });
    return recordId;
  }

  supersedeExternalId(old: ExternalIdKey, replacement: ExternalIdKey, reason: string | null): string {
    const record = this.externalIds.ending(old);
    const present = this.externalId(replacement);
    const successor = present?.recordId ?? randomUUID();
    this.record('ExternalIdSuperseded', record.entityId, {
      old_external_id_record_id: record.recordId,
      new_external_id_record_id: successor,
      system: old.idType,
      old_value: old.value,
      new_value: replacement.value,
      reason,
    });
    const ordinal = this.events.length;
    this.externalIds.end(old, { recordId: record.recordId, successor, ordinal });
    if (!present)
      this.externalIds.add({ ...replacement, recordId: successor, entityId: record.entityId, ordinal });
    return successor;
  }

  takeUnique(key: UniqueKey, entityId: string): void {
    this.uniques.take(key, entityId);
  }

  freeUnique(key: UniqueKey): void {
    this.uniques.free(key);
  }

  #writer(): Author {
    if (!this.#author) throw new Error('a view is used outside a write');
    return this.#author;
  }

  #work(id: string): EntityWork {
    const work = this.entities.get(id);
    if (!work) throw new Error(`a write changes entity ${id} without having needed it`);
    return work;
  }

  #append(type: EntityEventType, state: EntityState, payload: Readonly<Record<string, unknown>>): number {
    this.touched.add(state.id);
    return this.events.push({
      type,
      entityId: state.id,
      entityType: state.entityType,
      author: this.#writer(),
      payload,
    });
  }

  /** Adds an event about an entity: if it changes the state, the previous state ends at the event. */
  #advance(
    work: EntityWork,
    type: EntityEventType,
    state: EntityState,
    payload: Readonly<Record<string, unknown>>,
    searchText?: string,
  ): void {
    const ordinal = this.#append(type, state, payload);
    const { current, since, last, changes, searchText: searchBefore } = work;
    const ends = state !== current;
    if (ends) {
      work.closed.push({
        state: current,
        first: work.first,
        from: since,
        to: ordinal,
        isLoaded: current === work.loaded,
      });
      work.current = state;
      work.since = { ordinal };
    }
    work.last = { ordinal };
    if (searchText !== undefined) work.searchText = searchText;
    this.#undo.push(() => {
      if (ends) work.closed.pop();
      Object.assign(work, { current, since, last, changes, searchText: searchBefore });
    });
  }
}
