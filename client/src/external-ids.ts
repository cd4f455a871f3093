// Manages the identifiers that entities have in external systems (docs/reference/metadata.md#external-ids).
import { type CallOptions, instantOf, type Timestamp, type WriteOptions } from './call-options.ts';
import type { Core } from './core.ts';
import { ENTITY, type Entity } from './entity.ts';
import { absentEntity } from './errors/absent-entity.ts';
import { EntityNotFoundError, ExternalIdNotFoundError } from './errors/errors.ts';

export interface ExternalId {
  /** UUID of the record. */
  readonly id: string;
  readonly entityId: string;
  /** The system or kind of identifier; default `default`. */
  readonly idType: string;
  readonly externalId: string;
  readonly createdAt: string;
  /** The time when a corrected value replaced this one; null while it is valid. */
  readonly supersededAt: string | null;
  /** The id of the record with the corrected value. */
  readonly supersededBy: string | null;
}

export interface SupersedeExternalIdOptions extends WriteOptions {
  /** Default: that of the old external id. */
  readonly idType?: string | undefined;
  readonly reason?: string | undefined;
}

export interface FindByExternalIdOptions extends CallOptions {
  readonly idType?: string | undefined;
  /** Returns the entity that had the external id at this time, in its state of that time. */
  readonly asOf?: Timestamp | undefined;
}

export interface ExternalIds {
  /**
   * Returns the external ids of an entity, oldest first; superseded ones only with `includeSuperseded`.
   * @throws EntityNotFoundError
   */
  list(
    entityId: string,
    options?: CallOptions & { readonly includeSuperseded?: boolean | undefined },
  ): Promise<readonly ExternalId[]>;
  /** Returns the external ids that a corrected value has replaced. @throws EntityNotFoundError */
  superseded(entityId: string, options?: CallOptions): Promise<readonly ExternalId[]>;
  /**
   * Registers an external id. If the entity already has it, the existing record is returned.
   * @throws EntityNotFoundError, ValidationError where another entity has it
   */
  register(
    entityId: string,
    externalId: string,
    options?: WriteOptions & { readonly idType?: string | undefined },
  ): Promise<ExternalId>;
  /**
   * Replaces an external id by a corrected value and returns the new record.
   * @throws EntityNotFoundError, ExternalIdNotFoundError, ValidationError
   */
  supersede(
    entityId: string,
    oldExternalId: string,
    newExternalId: string,
    options?: SupersedeExternalIdOptions,
  ): Promise<ExternalId>;
  /** Returns the entity that has an external id. @throws ExternalIdNotFoundError */
  find<Data extends object = Record<string, unknown>>(
    externalId: string,
    options?: FindByExternalIdOptions,
  ): Promise<Entity<Data>>;
}

export interface ExternalIdOperations {
  readonly externalIds: ExternalIds;
}

const RECORD = 'id entityId idType externalId createdAt supersededAt supersededBy';
const LIST = `query ExternalIds($entityId: ID!, $includeSuperseded: Boolean) { records: externalIds(entityId: $entityId, includeSuperseded: $includeSuperseded) { ${RECORD} } }`;
const SUPERSEDED = `query SupersededExternalIds($entityId: ID!) { records: supersededExternalIds(entityId: $entityId) { ${RECORD} } }`;
const REGISTER = `mutation RegisterExternalId($entityId: ID!, $externalId: String!, $idType: String, $context: ProvenanceContext) {
  record: registerExternalId(entityId: $entityId, externalId: $externalId, idType: $idType, context: $context) { ${RECORD} } }`;
const SUPERSEDE = `mutation SupersedeExternalId($entityId: ID!, $oldExternalId: String!, $newExternalId: String!, $idType: String, $reason: String, $context: ProvenanceContext) {
  record: supersedeExternalId(entityId: $entityId, oldExternalId: $oldExternalId, newExternalId: $newExternalId, idType: $idType, reason: $reason, context: $context) { ${RECORD} } }`;
const FIND = `query EntityByExternalId($idType: String, $externalId: String!, $asOf: DateTime) { entity: entityByExternalId(idType: $idType, externalId: $externalId, asOf: $asOf) { ${ENTITY} } }`;

export function externalIdsOf({ transport }: Core): ExternalIdOperations {
  const read = async (
    document: string,
    variables: { readonly entityId: string; readonly includeSuperseded?: boolean | undefined },
    options: CallOptions,
  ): Promise<readonly ExternalId[]> => {
    const { records } = await transport.send<{ records: ExternalId[] | null }>(
      { document, safety: 'read' },
      variables,
      options,
    );
    if (records === null) throw new EntityNotFoundError(null, variables.entityId);
    return records;
  };
  return {
    externalIds: {
      list: (entityId, { includeSuperseded, ...options } = {}) =>
        read(LIST, { entityId, includeSuperseded }, options),
      superseded: (entityId, options = {}) => read(SUPERSEDED, { entityId }, options),
      async register(entityId, externalId, { idType, provenanceContext: context, ...options } = {}) {
        const { record } = await transport.send<{ record: ExternalId }>(
          { document: REGISTER, safety: 'idempotent', explain: absentEntity(null, entityId) },
          { entityId, externalId, idType, context },
          options,
        );
        return record;
      },
      async supersede(
        entityId,
        oldExternalId,
        newExternalId,
        { idType, reason, provenanceContext: context, ...options } = {},
      ) {
        const { record } = await transport.send<{ record: ExternalId }>(
          { document: SUPERSEDE, safety: 'once', explain: absentEntity(null, entityId) },
          { entityId, oldExternalId, newExternalId, idType, reason, context },
          options,
        );
        return record;
      },
      async find<Data extends object>(
        externalId: string,
        { idType, asOf, ...options }: FindByExternalIdOptions = {},
      ) {
        const { entity } = await transport.send<{ entity: Entity<Data> | null }>(
          { document: FIND, safety: 'read' },
          { externalId, idType, asOf: instantOf(asOf) },
          options,
        );
        if (entity === null) throw new ExternalIdNotFoundError(externalId);
        return entity;
      },
    },
  };
}
