// Writes single entities: create, update, delete, ingest, supersede
// (docs/reference/metadata.md#client-operations).
import type { ValidatedWriteOptions, WriteOptions } from './call-options.ts';
import type { Core } from './core.ts';
import { apart, ENTITY, type Entity } from './entity.ts';
import { absentEntity } from './errors/absent-entity.ts';
import { assertFields } from './json-data.ts';
import { uuidv7 } from './uuid.ts';
import { assertOfType } from './read-entities.ts';
import type { WriteOperation } from './validation/pipeline.ts';

export interface CreateOptions extends ValidatedWriteOptions {
  /** 1 to 200 visible characters without `/` and `\`, and neither `.` nor `..`. Default: a new UUIDv7. */
  readonly id?: string | undefined;
}

export interface UpdateOptions extends ValidatedWriteOptions {
  /** The update is rejected unless the entity has this version. */
  readonly ifVersion?: number | undefined;
}

export interface DeleteOptions extends UpdateOptions {
  /** Recorded with the event. */
  readonly reason?: string | undefined;
}

export interface SupersedeOptions extends WriteOptions {
  readonly reason?: string | undefined;
}

/** The result of replacing an entity by another one. */
export interface Supersession<Data extends object = Record<string, unknown>> {
  readonly superseded: Entity<Data>;
  readonly replacement: Entity<Data>;
}

/**
 * Writes run the client's validators first. If these or the server's validators reject the data, the write
 * throws a ValidationFailure.
 */
export interface EntityWrites {
  /**
   * Creates an entity. If `id` is given, it must not be in use.
   * @throws ValidationFailure, SchemaError for an unknown type, ConflictError where the id is in use
   */
  create<Data extends object = Record<string, unknown>>(
    entityType: string,
    data: Data,
    options?: CreateOptions,
  ): Promise<Entity<Data>>;
  /**
   * Creates an entity, or merges the data into the existing entity with this id.
   * @throws ValidationFailure, SchemaError
   */
  ingest<Data extends object = Record<string, unknown>>(
    entityType: string,
    data: Partial<Data>,
    options?: CreateOptions,
  ): Promise<Entity<Data>>;
  /**
   * Changes the given fields; null clears a field.
   * @throws EntityNotFoundError, ValidationFailure, PreconditionFailedError
   */
  update<Data extends object = Record<string, unknown>>(
    entityType: string,
    entityId: string,
    data: Changes<Data>,
    options?: UpdateOptions,
  ): Promise<Entity<Data>>;
  /**
   * Makes an entity unavailable. Its data is not removed.
   * @throws EntityNotFoundError, ValidationFailure, PreconditionFailedError
   */
  delete<Data extends object = Record<string, unknown>>(
    entityType: string,
    entityId: string,
    options?: DeleteOptions,
  ): Promise<Entity<Data>>;
  /**
   * Replaces an entity by another one. One transaction writes the events of both entities, the
   * `superseded_by` relationship and the availability of the old entity.
   * @throws EntityNotFoundError, ValidationError, ConflictError where the entity was already superseded
   */
  supersedeEntity<Data extends object = Record<string, unknown>>(
    entityType: string,
    entityId: string,
    replacementId: string,
    options?: SupersedeOptions,
  ): Promise<Supersession<Data>>;
}

/** Some of the fields; null clears a field. */
export type Changes<Data extends object> = { readonly [Field in keyof Data]?: Data[Field] | null };

const INGEST = `mutation IngestEntity($entityType: String!, $id: ID!, $data: JSON!, $context: ProvenanceContext, $bypass: Boolean) {
  entity: ingestEntity(entityType: $entityType, id: $id, data: $data, context: $context, bypassValidation: $bypass) { ${ENTITY} } }`;
const CREATE = INGEST.replace('mutation IngestEntity', 'mutation CreateEntity').replace(
  'ingestEntity(',
  'createEntity(',
);
const UPDATE = `mutation UpdateEntity($entityType: String!, $id: ID!, $data: JSON!, $ifVersion: Int, $context: ProvenanceContext, $bypass: Boolean) {
  entity: updateEntity(entityType: $entityType, id: $id, data: $data, ifVersion: $ifVersion, context: $context, bypassValidation: $bypass) { ${ENTITY} } }`;
const DELETE = `mutation DeleteEntity($id: ID!, $entityType: String!, $ifVersion: Int, $reason: String, $context: ProvenanceContext, $bypass: Boolean) {
  entity: deleteEntity(id: $id, entityType: $entityType, ifVersion: $ifVersion, reason: $reason, context: $context, bypassValidation: $bypass) { ${ENTITY} } }`;
const SUPERSEDE = `mutation SupersedeEntity($id: ID!, $replacementId: ID!, $reason: String, $context: ProvenanceContext) {
  supersession: supersedeEntity(id: $id, replacementId: $replacementId, reason: $reason, context: $context) { superseded { ${ENTITY} } replacement { ${ENTITY} } } }`;
const TYPE = 'query TypeOf($id: ID!) { entity(id: $id) { entityType } }';

/**
 * A write with an expected version can succeed only once. Without one, repeating the write leaves the same
 * state.
 */
const safety = (ifVersion: number | undefined): 'once' | 'idempotent' =>
  ifVersion === undefined ? 'idempotent' : 'once';

async function supersede<Data extends object>(
  transport: Core['transport'],
  entityType: string,
  id: string,
  replacementId: string,
  { reason, provenanceContext: context, ...options }: SupersedeOptions,
): Promise<Supersession<Data>> {
  const { entity } = await transport.send<{ entity: { entityType: string } | null }>(
    { document: TYPE, safety: 'read' },
    { id },
    options,
  );
  await assertOfType(transport, entityType, id, entity?.entityType, options);
  const { supersession } = await transport.send<{ supersession: Supersession<Data> }>(
    { document: SUPERSEDE, safety: 'once', explain: absentEntity(null, id, replacementId) },
    { id, replacementId, reason, context },
    options,
  );
  return supersession;
}

export function entityWritesOf(core: Core): EntityWrites {
  const { transport, validators } = core;

  /** @throws ValidationFailure */
  const check = async (
    operation: WriteOperation,
    entityType: string,
    entityId: string | null,
    data: Record<string, unknown>,
    bypass: boolean,
  ): Promise<void> => {
    if (!bypass) await validators.execute({ operation, entityType, entityId, data });
  };

  const write = async <Data extends object>(
    operation: 'create' | 'ingest',
    entityType: string,
    data: object,
    { id: given, provenanceContext: context, bypassValidation: bypass = false, ...options }: CreateOptions,
  ): Promise<Entity<Data>> => {
    assertFields(data, 'data');
    const { id, fields } = apart(data, given);
    await check(operation, entityType, id ?? null, fields, bypass);
    // A generated id is unique, so merging creates the entity, and a retry is safe.
    const how =
      operation === 'create' && id !== undefined
        ? { document: CREATE, safety: 'once' as const }
        : { document: INGEST, safety: 'idempotent' as const };
    const { entity } = await transport.send<{ entity: Entity<Data> }>(
      how,
      { entityType, id: id ?? uuidv7(), data: fields, context, bypass },
      options,
    );
    return entity;
  };

  return {
    create: (entityType, data, options = {}) => write('create', entityType, data, options),
    ingest: (entityType, data, options = {}) => write('ingest', entityType, data, options),
    async update<Data extends object>(
      entityType: string,
      id: string,
      data: Changes<Data>,
      {
        ifVersion,
        provenanceContext: context,
        bypassValidation: bypass = false,
        ...options
      }: UpdateOptions = {},
    ) {
      assertFields(data, 'data');
      await check('update', entityType, id, { ...data }, bypass);
      const { entity } = await transport.send<{ entity: Entity<Data> }>(
        { document: UPDATE, safety: safety(ifVersion), explain: absentEntity(entityType, id) },
        { entityType, id, data, ifVersion, context, bypass },
        options,
      );
      return entity;
    },
    async delete<Data extends object>(
      entityType: string,
      id: string,
      {
        ifVersion,
        reason,
        provenanceContext: context,
        bypassValidation: bypass = false,
        ...options
      }: DeleteOptions = {},
    ) {
      await check('delete', entityType, id, {}, bypass);
      const { entity } = await transport.send<{ entity: Entity<Data> }>(
        { document: DELETE, safety: safety(ifVersion), explain: absentEntity(entityType, id) },
        { entityType, id, ifVersion, reason, context, bypass },
        options,
      );
      return entity;
    },
    supersedeEntity: (entityType, id, replacementId, options = {}) =>
      supersede(transport, entityType, id, replacementId, options),
  };
}
