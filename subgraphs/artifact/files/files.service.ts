// Reads stored files, individually and batched for lists of entities.
import DataLoader from 'dataloader';
import { badRequest } from '../../../platform/errors.ts';
import { grouped } from '../../../platform/grouped.ts';
import type { Caller } from '../../../platform/identity.ts';
import { checkPage } from '../../../platform/paging.ts';
import { hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import type { AskPlatform } from '../platform-port.ts';
import { findSchema, noSuchType } from '../registration/entity-schema.ts';
import { type Eviction, type FileVerification, readAge, type Storage } from '../storage/storage.service.ts';
import { type FileOfEntity, findFile, listFilesOfEntities, type StoredFile } from './files.store.ts';

export interface EvictionRequest {
  readonly hash: string | null;
  readonly olderThan: string | null;
  readonly entityType: string | null;
  readonly all: boolean;
}

/** One operation's view of the artifact store. */
export class FileService {
  readonly #db: Queryable;
  readonly #ask: AskPlatform;
  readonly #ofEntities: DataLoader<string, readonly FileOfEntity[]>;

  readonly #storage: Storage;
  readonly #caller: Caller;

  constructor(db: Queryable, ask: AskPlatform, storage: Storage, caller: Caller) {
    this.#db = db;
    this.#ask = ask;
    this.#storage = storage;
    this.#caller = caller;
    this.#ofEntities = new DataLoader(async (ids) => {
      const files = grouped(
        await listFilesOfEntities(db, ids),
        (file) => file.entityId,
        (file) => file,
      );
      return ids.map((id) => files.get(id) ?? []);
    });
  }

  /** One file, including evicted ones; null for an unknown digest. */
  async get(hash: string): Promise<StoredFile | null> {
    return hasNoNul(hash) ? findFile(this.#db, hash) : null;
  }

  /** @throws DomainError `invalid_request` without any selection, `not_found` for an unknown file or type */
  async evict({ hash, olderThan, entityType, all }: EvictionRequest): Promise<Eviction> {
    if (!all && hash === null && olderThan === null && entityType === null)
      throw badRequest('say which files are meant: a hash, older_than, entity_type, or * for all');
    if (entityType !== null && (await findSchema(this.#ask, entityType, this.#caller)) === null)
      throw await noSuchType(this.#ask, entityType, this.#caller);
    return this.#storage.evict(
      hash,
      { unusedSeconds: olderThan === null ? null : readAge(olderThan), entityType },
      this.#caller.actor,
    );
  }

  /** @throws DomainError `invalid_request` for invalid bounds */
  async verify(limit: number, after: string | null): Promise<FileVerification> {
    checkPage({ limit, offset: 0 });
    return this.#storage.verify(after, limit);
  }

  /** The files of an entity's fields, or of the named field. */
  async ofEntity(entityId: string, field: string | null): Promise<readonly StoredFile[]> {
    const files = await this.#ofEntities.load(entityId);
    return field === null ? files : files.filter((file) => file.field === field);
  }
}

/** The slice of the resolvers' context. */
export interface FileSlice {
  readonly files: FileService;
}
