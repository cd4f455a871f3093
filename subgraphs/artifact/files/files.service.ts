// Reads stored files, individually and batched for lists of entities.
import { isDeepStrictEqual } from 'node:util';
import DataLoader from 'dataloader';
import { attachment } from '../../../platform/attachment.ts';
import { badRequest, DomainError, notFound } from '../../../platform/errors.ts';
import { grouped } from '../../../platform/grouped.ts';
import type { Caller } from '../../../platform/identity.ts';
import { mediaTypeOf } from '../../../platform/media-type.ts';
import { checkPage } from '../../../platform/paging.ts';
import { hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import { storedHashIn } from '../../../platform/stored-file-address.ts';
import { foundByIds } from '../in-filters.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import { findSchema, noSuchType } from '../registration/entity-schema.ts';
import { readAge } from '../storage/read-age.ts';
import { type Eviction, type FileVerification, type Storage } from '../storage/storage.service.ts';
import { readHash } from '../storage/object-store.ts';
import { type StoreUsage, type TypeUsage, usageByType, countUsage } from '../storage/store-usage.store.ts';
import { findUploaded } from '../storage/uploaded-files.store.ts';
import { NamedFiles } from './named-files.ts';
import {
  type FileOfEntity,
  findFile,
  type Holder,
  listFilesOfEntities,
  listHolders,
  type StoredFile,
} from './files.store.ts';

const VISIBLE = `query VisibleHolders($filter: String!, $limit: Int!) {
  entities(filter: $filter, limit: $limit, includeUnavailable: true) { items { id } }
}`;
const FIELDS = 'query EntityOfFile($id: ID!, $asOf: DateTime) { entity(id: $id, asOf: $asOf) { data } }';
/** Holders of a file that are read at once. */
const HOLDERS = 100;
export interface EvictionRequest {
  readonly hash: string | null;
  readonly olderThan: string | null;
  readonly entityType: string | null;
  readonly all: boolean;
}

/** Whether a name is that of a file within a field, beside or before it: `bams[0]`, `report.plot`, `vcf/x.tbi`, `uri@3`. */
const isWithin = (field: string): boolean => /[[./@]/.test(field);

type Data = Readonly<Record<string, unknown>>;

/** The value of a field, or of an item of it: `bams[0]`. */
function valueOf(data: Data, field: string): unknown {
  const [, list, index] = /^([^[]+)\[(\d+)\]$/.exec(field) ?? [];
  const value = Object.hasOwn(data, list ?? field) ? data[list ?? field] : undefined;
  if (list === undefined) return value;
  return Array.isArray(value) ? value[Number(index)] : undefined;
}

/** One operation's view of the artifact store. */
export class FileService {
  readonly #db: Queryable;
  readonly #ask: AskPlatform;
  readonly #ofEntities: DataLoader<string, readonly FileOfEntity[]>;

  readonly #named: NamedFiles;
  readonly #storage: Storage;
  readonly #caller: Caller;

  constructor(db: Queryable, ask: AskPlatform, storage: Storage, caller: Caller) {
    this.#db = db;
    this.#ask = ask;
    this.#storage = storage;
    this.#caller = caller;
    this.#named = new NamedFiles(ask, caller);
    this.#ofEntities = new DataLoader(async (ids) => {
      const files = grouped(
        await listFilesOfEntities(db, ids),
        (file) => file.entityId,
        (file) => file,
      );
      return ids.map((id) => files.get(id) ?? []);
    });
  }

  /**
   * One file, including evicted ones; null for an unknown digest, and if the caller can see no entity that
   * holds it and has not uploaded it (docs/reference/artifact.md#who-may-read-a-file).
   */
  async get(hash: string): Promise<StoredFile | null> {
    const known = readHash(hash.toLowerCase());
    const file = known === null ? null : await findFile(this.#db, known);
    const holder =
      file && ((await findUploaded(this.#db, file.hash, this.#caller)) ?? (await this.#holderOf(file.hash)));
    return file && holder && { ...file, name: holder.name };
  }

  /** A file that the caller has uploaded. @throws DomainError `not_found` if it has just expired */
  async uploaded(hash: string): Promise<StoredFile> {
    const [file, own] = await Promise.all([
      findFile(this.#db, hash),
      findUploaded(this.#db, hash, this.#caller),
    ]);
    if (file === null || own === null) throw notFound('uploaded file', hash);
    return { ...file, name: own.name };
  }

  /**
   * The stored file that a field holds, or held at that time; null if the caller cannot see the entity, or could not.
   * @throws DomainError `not_found` if the field holds no stored file
   */
  async ofField(entityId: string, field: string, asOf: string | null): Promise<StoredFile | null> {
    if (!hasNoNul(entityId)) return null;
    const data = await this.#dataOf(entityId, asOf);
    if (data === null) return null;
    const value = valueOf(data, field);
    const named = typeof value === 'string' ? storedHashIn(value) : null;
    const [file] = (await this.#isOfNow(entityId, field, data, asOf))
      ? await this.#filesIn(entityId, field)
      : [];
    if (file !== undefined && (isWithin(field) || file.hash === named || file.source === value)) return file;
    const other = named && (await this.get(named));
    if (other) return { ...other, field };
    throw new DomainError('not_found', `${field} of entity ${entityId} holds no stored file`);
  }

  async #dataOf(entityId: string, asOf: string | null): Promise<Data | null> {
    const variables = { id: entityId, asOf };
    const entity = await question<{ readonly data: Data } | null>(
      this.#ask,
      FIELDS,
      'entity',
      variables,
      this.#caller,
    );
    return entity?.data ?? null;
  }

  /** Whether what is recorded of a field, and of what lies within or beside it, is what was there then. */
  async #isOfNow(entityId: string, field: string, then: Data, asOf: string | null): Promise<boolean> {
    if (asOf === null) return true;
    const whole = field.split(/[[./@]/, 1)[0] ?? field;
    const now = await this.#dataOf(entityId, null);
    return now !== null && isDeepStrictEqual(valueOf(now, whole), valueOf(then, whole));
  }

  addressOf(hash: string): string {
    return this.#storage.addressOf(hash);
  }

  /** Where the store itself gives out the file; null where it does not, or the caller may not read the file. */
  async linkTo({ hash, size, name = null, mediaType, evictedAt }: StoredFile): Promise<string | null> {
    if (evictedAt !== null) return null;
    const link = await this.#storage.linking();
    if (link === undefined || (await this.get(hash)) === null) return null;
    return link(hash, {
      size,
      mediaType: mediaTypeOf({ name, mediaType }),
      disposition: attachment(name ?? hash.replace('sha256:', '')),
    });
  }

  /** The first holder of the file that the caller can see. */
  async #holderOf(hash: string): Promise<Holder | null> {
    for (let after = ''; ;) {
      const holders = await listHolders(this.#db, hash, after, HOLDERS);
      const seen = await this.#visible(holders.map(({ entityId }) => entityId));
      for (const holder of holders)
        if (seen.has(holder.entityId) && (!holder.isNamed || (await this.#named.has({ ...holder, hash }))))
          return holder;
      const last = holders.at(-1);
      if (last === undefined || holders.length < HOLDERS) return null;
      after = last.entityId;
    }
  }

  async #visible(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await foundByIds<{ readonly id: string }>(ids, (wanted) =>
      question(this.#ask, VISIBLE, 'entities', wanted, this.#caller),
    );
    return new Set(found.map(({ id }) => id));
  }

  async #filesIn(entityId: string, field: string): Promise<readonly FileOfEntity[]> {
    return this.#named.shown((await this.#ofEntities.load(entityId)).filter((file) => file.field === field));
  }

  /** @throws DomainError `invalid_request` without any selection, `not_found` for an unknown file or type */
  async evict({ hash, olderThan, entityType, all }: EvictionRequest): Promise<Eviction> {
    if (!all && hash === null && olderThan === null && entityType === null)
      throw badRequest('name the files: give a hash, older_than, entity_type, or * for all files');
    await this.#assertType(entityType);
    return this.#storage.evict(
      hash,
      { unusedSeconds: olderThan === null ? null : readAge(olderThan), entityType },
      this.#caller.actor,
    );
  }

  /** @throws DomainError `invalid_request` for an age that is none, `not_found` for an unknown type */
  async usage(olderThan: string | null, entityType: string | null): Promise<StoreUsage> {
    const unusedSeconds = olderThan === null ? null : readAge(olderThan);
    await this.#assertType(entityType);
    return countUsage(this.#db, { unusedSeconds, entityType });
  }

  usageByType(): Promise<TypeUsage[]> {
    return usageByType(this.#db);
  }

  async #assertType(entityType: string | null): Promise<void> {
    if (entityType !== null && (await findSchema(this.#ask, entityType, this.#caller)) === null)
      throw await noSuchType(this.#ask, entityType, this.#caller);
  }

  /** @throws DomainError `invalid_request` for invalid bounds */
  async verify(limit: number, after: string | null): Promise<FileVerification> {
    checkPage({ limit, offset: 0 });
    return this.#storage.verify(after, limit);
  }

  /** The files of an entity's fields, or of the named field. */
  async ofEntity(entityId: string, field: string | null): Promise<readonly StoredFile[]> {
    return field === null
      ? this.#named.shown(await this.#ofEntities.load(entityId))
      : this.#filesIn(entityId, field);
  }
}

/** The slice of the resolvers' context. */
export interface FileSlice {
  readonly files: FileService;
}
