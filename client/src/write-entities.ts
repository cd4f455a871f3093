// Writing one entity: create, update, delete, ingest, supersede (spec 2 «Client library operations»).
import type { ValidatedWriteOptions, WriteOptions } from './call-options.ts';
import type { Core } from './core.ts';
import { apart, ENTITY, type Entity } from './entity.ts';
import { absentEntity } from './errors/absent-entity.ts';
import { assertFields } from './json-data.ts';
import { uuidv7 } from './uuid.ts';
import { assertOfType } from './read-entities.ts';
import type { WriteOperation } from './validation/pipeline.ts';

export interface CreateOptions extends ValidatedWriteOptions {
  /** 1 to 200 visible characters without `/` and `\`, and neither `.` nor `..`; a UUIDv7 where it is not given. */
  readonly id?: string | undefined;
}

export interface UpdateOptions extends ValidatedWriteOptions {
  /** Refuses the update unless the entity has this version. */
  readonly ifVersion?: number | undefined;
}

export interface DeleteOptions extends UpdateOptions {
  /** Recorded with the event. */
  readonly reason?: string | undefined;
}

export interface SupersedeOptions extends WriteOptions {
  readonly reason?: string | undefined;
}

/** An entity that another has taken the place of. */
export interface Supersession<Data extends object = Record<string, unknown>> {
  readonly superseded: Entity<Data>;
  readonly replacement: Entity<Data>;
}

/** Writes ask the client's validators first; what they and the server's refuse is a ValidationFailure. */
export interface EntityWrites {
  /**
   * Creates an entity; an id of your own must be free.
   * @throws ValidationFailure, SchemaError for an unknown type, ConflictError where the id is taken
   */
  create<Data extends object = Record<string, unknown>>(
    entityType: string,
    data: Data,
    options?: CreateOptions,
  ): Promise<Entity<Data>>;
  /** Creates an entity, or merges into the one that has the id already. @throws ValidationFailure, SchemaError */
  ingest<Data extends object = Record<string, unknown>>(
    entityType: string,
    data: Partial<Data>,
    options?: CreateOptions,
  ): Promise<Entity<Data>>;
  /** Changes the supplied fields; null clears one. @throws EntityNotFoundError, ValidationFailure, PreconditionFailedError */
  update<Data extends object = Record<string, unknown>>(
    entityType: string,
    entityId: string,
    data: Changes<Data>,
    options?: UpdateOptions,
  ): Promise<Entity<Data>>;
  /** Makes an entity unavailable: nothing is ever removed. @throws EntityNotFoundError, ValidationFailure, PreconditionFailedError */
  delete<Data extends object = Record<string, unknown>>(
    entityType: string,
    entityId: string,
    options?: DeleteOptions,
  ): Promise<Entity<Data>>;
  /**
   * Puts another entity into an entity's place: the events on both, the `superseded_by` relationship and the old one's availability
   * are written together or not at all. @throws EntityNotFoundError, ValidationError, RelationshipExistsError where it has been done
   */
  supersedeEntity<Data extends object = Record<string, unknown>>(
    entityType: string,
    entityId: string,
    replacementId: string,
    options?: SupersedeOptions,
  ): Promise<Supersession<Data>>;
}

/** Some of the fields, and null for those to be cleared. */
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

/** A write that names a version can succeed once only; without one, making it twice leaves what making it once leaves. */
const safety = (ifVersion: number | undefined): 'once' | 'idempotent' =>
  ifVersion === undefined ? 'idempotent' : 'once';

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
    // an id that is made here is nobody else's: to merge into it is to create it, also when it is sent again
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
    async supersedeEntity<Data extends object>(
      entityType: string,
      id: string,
      replacementId: string,
      { reason, provenanceContext: context, ...options }: SupersedeOptions = {},
    ) {
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
    },
  };
}
