// Writes of single entities, as decisions under the log's lock: create or merge, and update.
import { isSameJson } from '../../../platform/canonical-json.ts';
import { DomainError, invalid } from '../../../platform/errors.ts';
import { PLATFORM_PROJECT } from '../../../platform/identity.ts';
import { assertAllowed, assertMember } from '../../../platform/permissions.ts';
import { orMeant } from '../../../platform/suggestions.ts';
import { type Author, type EntityState, type Write, type WriteView, sizeOf } from '../log/write.ts';
import {
  type EntityData,
  type EntityType,
  initialData,
  mergedData,
  ownValue,
} from '../schema-model/entity-type.ts';
import { instantFaults, withInstants } from '../schema-model/instants.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { type UniqueKey, uniqueKeys } from '../schema-model/unique-key.ts';
import { searchText } from '../search-text.ts';
import { entityNotFound } from './entity-not-found.ts';
import { assertMayWriteType, projectOf } from './project-of.ts';
import { assertTargets, idsToExist } from '../reference-checks/must-exist.ts';
import { isVisible } from '../reading/visibility.ts';

export interface IngestRequest {
  readonly entityType: string;
  readonly id: string;
  /** False for a generated id, which no entity can have. */
  readonly mayExist: boolean;
  readonly data: EntityData;
  readonly author: Author;
  /** The required version of the entity; null or absent for any, or none. */
  readonly ifVersion?: WantedVersion;
  /** Whether the entity must exist, or must not; null or absent for either. */
  readonly ifExists?: boolean | null;
}

export interface UpdateRequest {
  readonly entityType: string;
  readonly id: string;
  readonly data: EntityData;
  readonly ifVersion: WantedVersion;
  readonly author: Author;
}

/** The required version of an entity, or several of them (If-Match); null for any. */
export type WantedVersion = number | readonly number[] | null;

/** The end of the message about an unknown type: a suggestion. */
export const meantType = (catalogue: SchemaCatalogue, name: string): string =>
  orMeant(catalogue.suggestions.for(name));

const unknownType = (catalogue: SchemaCatalogue, name: string): DomainError =>
  invalid(`unknown entity type: ${name}${meantType(catalogue, name)}`, { entity_type: name });

export function typeNamed(catalogue: SchemaCatalogue, name: string): EntityType {
  const type = catalogue.get(name);
  if (!type) throw unknownType(catalogue, name);
  return type;
}

/**
 * Reserves the unique values of `next` for the entity and releases those it had.
 * @throws DomainError `validation_failed` if another entity has one
 */
function settleUniques(
  view: WriteView,
  type: EntityType,
  id: string,
  before: EntityData,
  next: EntityData,
): void {
  if (type.uniqueFields.length === 0) return;
  const [had, has] = [uniqueKeys(type, before), uniqueKeys(type, next)];
  const same = (a: (typeof had)[number], b: (typeof had)[number]): boolean =>
    a.scope === b.scope && a.field === b.field && a.hash.equals(b.hash);
  for (const key of has) {
    if (had.some((h) => same(h, key))) continue;
    const holder = view.holder(key);
    if (holder !== undefined && holder !== id)
      throw invalid(`field ${key.field} must be unique: another ${key.scope} has this value`, {
        field: key.field,
        entity_type: type.name,
      });
    view.takeUnique(key, id);
  }
  for (const key of had) if (!has.some((h) => same(h, key))) view.freeUnique(key);
}

/**
 * docs/reference/metadata.md#moving-an-entity: a move takes a project lead of both projects; shared entities
 * belong to none.
 * @throws DomainError `insufficient_role`, `project_scope_denied`
 */
function assertMayMove(author: Author, ...projects: readonly (string | null)[]): void {
  for (const project of projects) if (project !== null) assertMember(author, project);
  assertAllowed(author, 'metadata:move');
}

/**
 * Merges into an existing entity; an unchanged one is answered as it is
 * (docs/reference/metadata.md#writes-that-change-nothing).
 */
function merge(view: WriteView, present: EntityState, supplied: EntityData, author: Author): EntityState {
  const type = typeNamed(view.catalogue, present.entityType);
  if (present.project === PLATFORM_PROJECT) assertMayWriteType(author, type.name, present.id);
  const data = mergedData(present.data, withInstants(type, supplied));
  const changedFields = Object.keys(supplied).filter(
    (key) =>
      !Object.hasOwn(present.data, key) || !isSameJson(ownValue(present.data, key), ownValue(data, key)),
  );
  if (changedFields.length === 0) return present;
  view.validate({ operation: 'update', type, entityId: present.id, data, previous: present.data });
  assertTargets(view, type, present.id, data, changedFields, author);
  const project = projectOf(type, data);
  if (project !== present.project) assertMayMove(author, present.project, project);
  settleUniques(view, type, present.id, present.data, data);
  return view.update(present.id, { data, project, searchText: searchText(type, data), changedFields });
}

/**
 * Unique values that a write may conflict with: those of the named type and, since the entity may have one,
 * of every subtype.
 */
function possibleUniques(
  catalogue: SchemaCatalogue,
  type: EntityType | undefined,
  data: EntityData,
): UniqueKey[] {
  return (type?.selfAndSubtypes ?? []).flatMap((name) => {
    const subtype = catalogue.get(name);
    return subtype ? uniqueKeys(subtype, withInstants(subtype, data)) : [];
  });
}

/** docs/reference/metadata.md#ingest: creates, or merges if the id exists. */
export function ingest({
  entityType,
  id,
  mayExist,
  data,
  author,
  ifVersion = null,
  ifExists = null,
}: IngestRequest): Write<EntityState> {
  return {
    author,
    size: sizeOf(data),
    data,
    needs(catalogue) {
      const type = typeNamed(catalogue, entityType);
      const entities = [...(mayExist ? [id] : []), ...idsToExist(catalogue, type, initialData(type, data))];
      return {
        ...(entities.length > 0 ? { entities } : {}),
        uniques: possibleUniques(catalogue, type, data),
      };
    },
    decide(view) {
      const present = view.entity(id);
      if (present) {
        if (!isVisible(author, present.project)) throw entityNotFound(id, entityType);
        const { catalogue } = view;
        if (
          !catalogue.isA(present.entityType, entityType) &&
          !catalogue.isA(entityType, present.entityType)
        ) {
          throw invalid(`entity ${id} exists with type ${present.entityType}, not ${entityType}`, {
            entity_id: id,
            entity_type: entityType,
          });
        }
        if (ifExists === false)
          throw new DomainError('precondition_failed', `entity ${id} exists already`, {
            version: present.version,
          });
        checkVersion(present, ifVersion);
        return merge(view, present, data, author);
      }
      if (ifVersion !== null)
        throw new DomainError(
          'precondition_failed',
          `entity ${id} does not exist, so it is not at version ${versionsIn(ifVersion)}`,
        );
      if (ifExists === true) throw new DomainError('precondition_failed', `entity ${id} does not exist`);
      const type = typeNamed(view.catalogue, entityType);
      assertMayWriteType(author, type.name, id);
      const whole = withInstants(type, initialData(type, data));
      view.validate({ operation: 'create', type, entityId: id, data: whole, previous: null });
      assertTargets(view, type, id, whole, Object.keys(whole), author);
      const project = projectOf(type, whole);
      if (project !== null) assertMember(author, project);
      settleUniques(view, type, id, {}, whole);
      return view.create({ id, entityType, data: whole, project }, searchText(type, whole));
    },
  };
}

/** Creates, and refuses an id that is taken, whether the author may see that entity or not. */
export function create(request: IngestRequest): Write<EntityState> {
  const merging = ingest(request);
  const { id } = request;
  return {
    ...merging,
    decide(view) {
      if (view.entity(id))
        throw new DomainError('conflict', `entity already exists: ${id}`, {
          reason: 'entity_exists',
          entity_id: id,
        });
      return merging.decide(view);
    },
  };
}

/**
 * The entity, if the author may see it and it has the type.
 * @throws DomainError `not_found` otherwise, without telling which
 */
export function presentEntity(
  view: WriteView,
  author: Author,
  id: string,
  entityType: string | null,
): EntityState {
  const present = view.entity(id);
  const fits =
    present &&
    isVisible(author, present.project) &&
    (entityType === null || view.catalogue.isA(present.entityType, entityType));
  if (!fits) throw entityNotFound(id, entityType);
  return present;
}

const versionsIn = (wanted: number | readonly number[]): string =>
  typeof wanted === 'number' ? String(wanted) : wanted.join(' or ');

/** @throws DomainError `precondition_failed` if the entity does not have the version in If-Match */
export function checkVersion(present: EntityState, ifVersion: WantedVersion): void {
  const wanted = typeof ifVersion === 'number' ? [ifVersion] : ifVersion;
  if (wanted !== null && !wanted.includes(present.version)) {
    throw new DomainError(
      'precondition_failed',
      `entity ${present.id} is at version ${present.version}, not ${versionsIn(wanted)}`,
      { version: present.version },
    );
  }
}

/** docs/reference/metadata.md#update: only the supplied fields change. */
export function update({ entityType, id, data, ifVersion, author }: UpdateRequest): Write<EntityState> {
  return {
    author,
    size: sizeOf(data),
    data,
    needs(catalogue) {
      const type = catalogue.get(entityType);
      return {
        entities: [id, ...idsToExist(catalogue, type, data)],
        uniques: possibleUniques(catalogue, type, data),
      };
    },
    decide(view) {
      const present = presentEntity(view, author, id, entityType);
      checkVersion(present, ifVersion);
      return merge(view, present, data, author);
    },
  };
}

/** Rewrites the instants of a stored entity in their stored form; null if the entity no longer exists. */
export function keptAsInstants(
  id: string,
  entityType: string,
  data: EntityData,
  author: Author,
): Write<EntityState | null> {
  return {
    author,
    size: sizeOf(data),
    data,
    needs: (catalogue) => ({
      entities: [id],
      uniques: possibleUniques(catalogue, catalogue.get(entityType), data),
    }),
    decide(view) {
      const present = view.entity(id);
      if (!present) return null;
      const { otherwise } = instantFaults(typeNamed(view.catalogue, present.entityType), present.data);
      return merge(
        view,
        present,
        Object.fromEntries(otherwise.map((field) => [field, ownValue(present.data, field)])),
        author,
      );
    },
  };
}
