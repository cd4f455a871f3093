// External ids: register, supersede, list, find an entity by one (docs/reference/metadata.md#external-ids).
import { grouped } from '../../../platform/grouped.ts';
import type { Identity } from '../../../platform/identity.ts';
import type { Batched } from '../../../platform/keyed-loader.ts';
import { hasNoNul } from '../../../platform/queryable.ts';
import type { Moment } from '../reading/timeline.ts';
import type { EntityRow } from '../reading/entity-record.ts';
import type { Author, Write, Written } from '../log/write.ts';
import { register, supersede } from './external-id-writes.ts';
import { checkExternalId, checkIdType, DEFAULT_TYPE } from './external-id.ts';
import type { ExternalIdRecord, Standing } from './external-id-record.ts';

/** The methods of its stores that the service uses. */
export interface ExternalIdDeps {
  readonly entity: (id: string, identity: Identity, at?: Moment) => Promise<EntityRow | null>;
  readonly recordsOf: (
    entityIds: readonly string[],
    standing: Standing,
    at?: Moment,
  ) => Promise<ExternalIdRecord[]>;
  readonly recordById: (id: string) => Promise<ExternalIdRecord | null>;
  readonly ownerOf: (idType: string, value: string, at: Moment) => Promise<string | null>;
  /** Those that the caller can see. */
  readonly ownersOfAnyType: (value: string, identity: Identity, at: Moment) => Promise<string[]>;
  write<Result>(write: Write<Result>): Promise<Written<Result>>;
}

export interface SupersedeArguments {
  readonly entityId: string;
  readonly oldExternalId: string;
  readonly newExternalId: string;
  /** Null for that of the old one. */
  readonly idType: string | null;
  readonly reason: string | null;
}

export class ExternalIdService {
  readonly #deps: ExternalIdDeps;
  constructor(deps: ExternalIdDeps) {
    this.#deps = deps;
  }

  /**
   * @throws DomainError `not_found` for the entity; `validation_failed`, also (reason `external_id_taken`) if
   * another entity has the value
   */
  async register(entityId: string, value: string, idType: string, author: Author): Promise<ExternalIdRecord> {
    checkExternalId(value);
    checkIdType(idType);
    return this.#written(await this.#deps.write(register({ entityId, key: { idType, value }, author })));
  }

  /**
   * @throws DomainError `not_found` for entity or old value (reason `external_id_not_found`);
   * `validation_failed` like {@link register}
   */
  async supersede(request: SupersedeArguments, author: Author): Promise<ExternalIdRecord> {
    const { entityId, oldExternalId, newExternalId, reason } = request;
    checkExternalId(oldExternalId, 'old_external_id');
    checkExternalId(newExternalId, 'new_external_id');
    const idType = request.idType ?? (await this.#typeOf(entityId, oldExternalId));
    checkIdType(idType);
    const [old, replacement] = [
      { idType, value: oldExternalId },
      { idType, value: newExternalId },
    ];
    return this.#written(await this.#deps.write(supersede({ entityId, old, replacement, reason, author })));
  }

  /** Oldest first; null if the caller can see no such entity. */
  async of(
    entityId: string,
    standing: Standing,
    identity: Identity,
    at: Moment = null,
  ): Promise<ExternalIdRecord[] | null> {
    return (await this.#deps.entity(entityId, identity, at)) === null
      ? null
      : this.#deps.recordsOf([entityId], standing, at);
  }

  /** The same for many entities whose visibility has been checked, by their ids. */
  async ofMany(
    entityIds: readonly string[],
    standing: Standing,
    at: Moment = null,
  ): Promise<ReadonlyMap<string, ExternalIdRecord[]>> {
    return grouped(
      await this.#deps.recordsOf(entityIds, standing, at),
      (record) => record.entityId,
      (record) => record,
    );
  }

  /**
   * The entity that has the value at the moment: under the type, or, for `default`, as the only one under any
   * type. Entities that the caller cannot see do not count, as if they were not there.
   */
  async entityBy(
    idType: string,
    value: string,
    identity: Identity,
    at: Moment = null,
  ): Promise<EntityRow | null> {
    if (!hasNoNul(idType) || !hasNoNul(value)) return null;
    const owner = await this.#deps.ownerOf(idType, value, at);
    const found = owner === null ? null : await this.#deps.entity(owner, identity, at);
    if (found !== null || idType !== DEFAULT_TYPE) return found;
    const [only, another] = await this.#deps.ownersOfAnyType(value, identity, at);
    return only === undefined || another !== undefined ? null : this.#deps.entity(only, identity, at);
  }

  /** The type under which an entity has a value: `default` if it has it there, or nowhere. */
  async #typeOf(entityId: string, value: string): Promise<string> {
    if (!hasNoNul(entityId)) return DEFAULT_TYPE;
    const types = (await this.#deps.recordsOf([entityId], 'active'))
      .filter((r) => r.externalId === value)
      .map((r) => r.idType);
    return types.includes(DEFAULT_TYPE) ? DEFAULT_TYPE : (types[0] ?? DEFAULT_TYPE);
  }

  async #written({ result }: Written<string>): Promise<ExternalIdRecord> {
    const record = await this.#deps.recordById(result);
    if (!record) throw new Error(`external id record ${result} was written but cannot be found`);
    return record;
  }
}

/** The slice of the resolvers' context. */
export interface ExternalIdSlice {
  readonly externalIds: ExternalIdService;
  /** External ids of the operation's entities, batched. */
  readonly externalIdsOf: Batched<{ readonly standing: Standing; readonly at: Moment }, ExternalIdRecord[]>;
}
