// Attaches files to fields of entities, in the caller's name (docs/reference/artifact.md#attaching-a-file).
import { randomUUID } from 'node:crypto';
import { DomainError, invalid, notFound } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import { hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import { storedFileAddress } from '../../../platform/stored-file-address.ts';
import type { StoredFile } from '../files/files.store.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import { type EntityField, type EntitySchema, findSchema } from '../registration/entity-schema.ts';
import { readHash } from '../storage/object-store.ts';
import { projectIn } from '../storage/given-in.ts';
import { reserve } from '../storage/uploaded-files.store.ts';
import { beginAttachment, forgetAttachment, noteAttachment } from './attachments.store.ts';

const ENTITY = 'query EntityToAttachTo($id: ID!) { entity(id: $id) { id entityType version data } }';
const UPDATE = `mutation AttachFile($entityType: String!, $id: ID!, $data: JSON!, $versions: [Int!], $context: ProvenanceContext) {
  updateEntity(entityType: $entityType, id: $id, data: $data, ifVersionIn: $versions, context: $context) { version }
}`;
/** Seconds for which the content stays in any case while it is attached. */
const RESERVED_SECONDS = 3600;
const MAX_NAME = 1000;
/** Of a write that others overtake. */
const MAX_ATTEMPTS = 30;

interface Entity {
  readonly id: string;
  readonly entityType: string;
  readonly version: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A field of an entity that can hold a file. */
interface Place {
  readonly entity: Entity;
  readonly schema: EntitySchema;
  readonly name: string;
  /** Of a list; null for a field with one value. */
  readonly index: number | null;
}

/** What is told of a file. */
interface TellingFile {
  readonly hash: string;
  readonly size: number;
  readonly name: string | null;
}

export interface AttachRequest {
  readonly entityId: string;
  readonly field: string;
  readonly hash: string;
  readonly name: string | null;
  readonly versions: readonly number[] | null;
  /** JSON, or its text. */
  readonly context: unknown;
}

export interface AttachedFile {
  readonly entityId: string;
  readonly field: string;
  readonly version: number;
  readonly changed: boolean;
  readonly file: StoredFile;
}

export interface AttachDeps {
  readonly db: Queryable;
  readonly ask: AskPlatform;
  readonly publicUrl: () => string;
  /** A file that the caller may use; null for any other. */
  readonly usable: (hash: string) => Promise<StoredFile | null>;
}

export class AttachmentService {
  readonly #deps: AttachDeps;
  readonly #caller: Caller;

  constructor(deps: AttachDeps, caller: Caller) {
    this.#deps = deps;
    this.#caller = caller;
  }

  /**
   * Whether a file can be attached there, before it has come.
   * @throws DomainError `not_found`, `validation_failed`
   */
  async check(entityId: string, field: string): Promise<void> {
    await this.#place(entityId, field);
  }

  /**
   * The write is the caller's own, with its provenance. What is refused there leaves everything as it was.
   * @throws DomainError `not_found` for file and entity, `validation_failed` for the field, and as metadata
   * refuses the write
   */
  async attach({
    entityId,
    field,
    hash: named,
    name,
    versions,
    context,
  }: AttachRequest): Promise<AttachedFile> {
    const hash = readHash(named.toLowerCase());
    if (hash === null)
      throw invalid('hash must be sha256: followed by 64 hexadecimal digits', { field: 'hash' });
    const file = await this.#deps.usable(hash);
    if (file === null) throw notFound('stored file', hash);
    if (name !== null) checkName(name);
    await this.#place(entityId, field);
    const kept = await reserve(this.#deps.db, hash, this.#caller, RESERVED_SECONDS);
    if (kept === null) throw new DomainError('not_found', `${hash} is no longer in the artifact store`);
    const chosen = name ?? file.name ?? kept.name;
    const told = { hash, size: kept.size, name: chosen };
    const id = randomUUID();
    const { entity, version } = await this.#write(
      { id, entityId, field, versions },
      told,
      context ?? { file: { field, ...told } },
    );
    const isNoted = await noteAttachment(this.#deps.db, id, {
      entityId: entity.id,
      entityType: entity.entityType,
      field,
      hash,
      name: chosen,
      uploadedBy: this.#caller.actor,
      entityVersion: version,
      givenIn: projectIn(entity.data),
    });
    if (!isNoted)
      throw new DomainError('conflict', `${hash} was evicted while it was being attached: upload it again`);
    return {
      entityId: entity.id,
      field,
      version,
      changed: version !== entity.version,
      file: { ...file, name: chosen, field },
    };
  }

  /**
   * Writes at the version that was read, as a list is written whole; where somebody else was first, and the
   * caller did not ask for a version, once more. It is recorded before: if nobody hears how the write ended,
   * `settleAttachments` finds out.
   */
  async #write(
    request: Pick<AttachRequest, 'entityId' | 'field' | 'versions'> & { readonly id: string },
    told: TellingFile,
    context: unknown,
  ): Promise<{ readonly entity: Entity; readonly version: number }> {
    const { id, entityId, field, versions } = request;
    for (let attempt = 1; ; attempt++) {
      const place = await this.#place(entityId, field);
      const { entity } = place;
      if (versions?.includes(entity.version) === false)
        throw new DomainError(
          'precondition_failed',
          `entity ${entity.id} is at version ${entity.version}, not ${versions.join(' or ')}`,
          { version: entity.version },
        );
      await beginAttachment(this.#deps.db, {
        id,
        entityId: entity.id,
        entityType: entity.entityType,
        field,
        hash: told.hash,
        name: told.name,
        uploadedBy: this.#caller.actor,
        fromVersion: entity.version,
        givenIn: projectIn(entity.data),
      });
      try {
        const { version } = await question<{ readonly version: number }>(
          this.#deps.ask,
          UPDATE,
          'updateEntity',
          {
            entityType: entity.entityType,
            id: entity.id,
            data: dataWith(place, storedFileAddress(this.#deps.publicUrl(), told.hash), told),
            versions: [entity.version],
            context,
          },
          this.#caller,
        );
        return { entity, version };
      } catch (thrown) {
        const isOvertaken = thrown instanceof DomainError && thrown.code === 'precondition_failed';
        if (isOvertaken && versions === null && attempt < MAX_ATTEMPTS) continue;
        if (isRefused(thrown)) await forgetAttachment(this.#deps.db, id);
        throw thrown;
      }
    }
  }

  async #place(entityId: string, field: string): Promise<Place> {
    const entity = hasNoNul(entityId)
      ? await question<Entity | null>(this.#deps.ask, ENTITY, 'entity', { id: entityId }, this.#caller)
      : null;
    if (entity === null) throw notFound('entity', entityId);
    const [, name = '', item] = /^([^[\]./]+)(?:\[(\d{1,6})\])?$/.exec(field) ?? [];
    const schema = await findSchema(this.#deps.ask, entity.entityType, this.#caller);
    const known = schema?.fields.get(name);
    if (schema === null || known === undefined)
      throw invalid(`${entity.entityType} has no field ${field}; fields for files: ${fileFields(schema)}`, {
        field,
      });
    if (known.type !== 'uri')
      throw invalid(
        `field ${name} of ${entity.entityType} has the type ${known.type}, not uri; fields for files: ${fileFields(schema)}`,
        { field },
      );
    const index = item === undefined ? null : Number(item);
    checkIndex(known, index, listIn(entity, name).length, field);
    return { entity, schema, name, index };
  }
}

/** What metadata says of a write that it did not make; after anything else it may have been made. */
const REFUSALS: ReadonlySet<string> = new Set([
  'precondition_failed',
  'validation_failed',
  'not_found',
  'forbidden',
]);
const isRefused = (thrown: unknown): boolean => thrown instanceof DomainError && REFUSALS.has(thrown.code);

const listIn = ({ data }: Entity, name: string): readonly unknown[] => {
  const value = Object.hasOwn(data, name) ? data[name] : undefined;
  return Array.isArray(value) ? value : [];
};

/** @throws DomainError `validation_failed` */
function checkIndex({ name, many }: EntityField, index: number | null, length: number, field: string): void {
  if (many && index === null)
    throw invalid(`field ${name} is a list: name an item of it, ${name}[0] to ${name}[${length}]`, { field });
  if (!many && index !== null) throw invalid(`field ${name} is not a list`, { field });
  if (index !== null && index > length)
    throw invalid(`field ${name} has ${length} items: the next one is ${name}[${length}]`, { field });
}

const fileFields = (schema: EntitySchema | null): string => {
  const names = [...(schema?.fields.values() ?? [])]
    .filter(({ type }) => type === 'uri')
    .map(({ name }) => name);
  return names.length === 0 ? 'none' : names.join(', ');
};

/** @throws DomainError `validation_failed` */
export function checkName(name: string): void {
  if (name === '' || name.length > MAX_NAME || !hasNoNul(name) || !name.isWellFormed())
    throw invalid(`the name of a file has 1 to ${MAX_NAME} characters, none of them U+0000`, {
      field: 'name',
    });
}

/** The fields to write: the file's address, and beside `uri` what describes the file, where the type has it. */
function dataWith(
  { entity, schema, name, index }: Place,
  address: string,
  file: TellingFile,
): Readonly<Record<string, unknown>> {
  if (index !== null) return { [name]: listIn(entity, name).toSpliced(index, 1, address) };
  if (name !== 'uri') return { [name]: address };
  const told: readonly (readonly [string, string, unknown])[] = [
    ['size', 'int', file.size],
    ['sha256', 'string', file.hash.slice('sha256:'.length)],
    ['checksum', 'string', file.hash],
    ['file_name', 'string', file.name],
  ];
  const described = told.filter(([field, type, value]) => {
    const known = schema.fields.get(field);
    return value !== null && known?.type === type && !known.many;
  });
  return { uri: address, ...Object.fromEntries(described.map(([field, , value]) => [field, value])) };
}

/** The slice of the resolvers' context. */
export interface AttachmentSlice {
  readonly attachments: AttachmentService;
}
