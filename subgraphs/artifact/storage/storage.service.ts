// The artifact store for the rest of the component: content, its records, and the entities that refer to it.
import type { StoredContent } from '../../../platform/component.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import { DomainError, invalid, notFound } from '../../../platform/errors.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { storedFileAddress } from '../../../platform/stored-file-address.ts';
import { setAvailability } from '../as-service.ts';
import type { AskPlatform } from '../platform-port.ts';
import {
  type ContentHash,
  ContentMissing,
  type ContentPart,
  type Kept,
  type LinkedFile,
  type ObjectStore,
  readHash,
  type Soundness,
} from './object-store.ts';
import { backupUnderWay } from './backup-under-way.ts';
import { type LeftFile, notArchived, whyLeft } from './left-files.ts';
import { withLockRetry } from './with-lock-retry.ts';
import {
  type EntityFile,
  entitiesBackedBy,
  type EvictionFilter,
  findEntityFiles,
  type FoundFile,
  forgetHolds,
  holdObjectsOf,
  isKnownObject,
  keptFor,
  listEvictable,
  listLeft,
  listObjects,
  lockObject,
  markEvicted,
  noteObject,
  noteServed,
  touchObjects,
} from './stored-objects.store.ts';

export interface Eviction {
  readonly evicted: number;
  readonly bytes: number;
  /** Matching content that is kept, with reasons; the list is truncated. */
  readonly left: readonly LeftFile[];
  readonly leftTotal: number;
}
export interface FileVerification {
  readonly checked: number;
  readonly missing: readonly ContentHash[];
  readonly damaged: readonly ContentHash[];
  readonly last: ContentHash | null;
}

export interface StorageDeps {
  readonly db: Queryable;
  /** Commits the changes of `work`, or none of them. */
  readonly transact: Transact;
  readonly ask: AskPlatform;
  readonly open: () => Promise<ObjectStore>;
  /** The server's public address, without a trailing slash; known once it listens. */
  readonly publicUrl: () => string;
}

const BATCH = 500;
/** Maximum listed; the rest is only counted. */
const MAX_LEFT_LISTED = 1000;

export class Storage {
  readonly #deps: StorageDeps;
  #store: Promise<ObjectStore> | undefined;
  #evicting: Promise<unknown> = Promise.resolve();

  constructor(deps: StorageDeps) {
    this.#deps = deps;
  }

  /** The store itself; opened on first use. */
  objects(): Promise<ObjectStore> {
    this.#store ??= this.#deps.open().catch((fault: unknown) => {
      this.#store = undefined;
      throw fault;
    });
    return this.#store;
  }

  /** The public address of a file, which is its `uri` in entities. */
  addressOf(hash: ContentHash): string {
    return storedFileAddress(this.#deps.publicUrl(), hash);
  }

  /** Whether the store has, or had, the content. */
  isKnown(hash: ContentHash): Promise<boolean> {
    return isKnownObject(this.#deps.db, hash);
  }

  /**
   * A part of a file, for sending it: that counts as a use. Nothing is checked but its size: reading it all
   * first would delay every download.
   * @throws DomainError `not_found`
   */
  content(hash: ContentHash, part: ContentPart): Promise<StoredContent> {
    return this.#serve(hash, async () => (await this.objects()).read(hash, part));
  }

  /**
   * What gives out an address of a file at the store itself, which counts as a use; undefined where it gives out none. It
   * throws DomainError `not_found`.
   */
  async linking(): Promise<((hash: ContentHash, file: LinkedFile) => Promise<string>) | undefined> {
    const { link } = await this.objects();
    return link && ((hash, file) => this.#serve(hash, () => link(hash, file)));
  }

  async #serve<T>(hash: ContentHash, work: () => Promise<T>): Promise<T> {
    try {
      const served = await work();
      await noteServed(this.#deps.db, hash);
      return served;
    } catch (fault) {
      if (!(fault instanceof ContentMissing)) throw fault;
      throw new DomainError(
        'not_found',
        `${hash} is no longer in the artifact store as it was`,
        {},
        { cause: fault },
      );
    }
  }

  /** Copies a file in and records it. It is not evicted while the production is in progress. */
  async keep(
    file: string,
    productionId: string,
    mediaType: string | null = null,
  ): Promise<Kept & { readonly uri: string }> {
    const store = await this.objects();
    for (let tries = 1; ; tries++) {
      const kept = await store.keep(file);
      await withLockRetry(this.#deps.transact, (db) => noteObject(db, kept, mediaType, productionId));
      if ((await store.check(kept.hash)) === 'sound') return { ...kept, uri: this.addressOf(kept.hash) };
      // once, because it may have been evicted in between
      if (tries === 3) throw new Error(`${kept.hash} could not be kept in the store`);
    }
  }

  /**
   * Lost or altered files of these entities.
   * @param isUsed whether the intact ones are used now
   */
  async unsound(
    entityIds: readonly string[],
    isUsed = true,
  ): Promise<readonly { readonly file: EntityFile; readonly is: Exclude<Soundness, 'sound'> }[]> {
    const store = await this.objects();
    const files = (await findEntityFiles(this.#deps.db, entityIds)).filter(({ source }) => source === null);
    const found = await Promise.all(files.map(async (file) => ({ file, is: await store.check(file.hash) })));
    if (isUsed)
      await touchObjects(
        this.#deps.db,
        found.filter(({ is }) => is === 'sound').map(({ file }) => file.hash),
      );
    return found.flatMap(({ file, is }) => (is === 'sound' ? [] : [{ file, is }]));
  }

  /**
   * Holds the files of these entities while the production is in progress. True if some were not held by it
   * before: these may just have been evicted.
   */
  async hold(productionId: string, entityIds: readonly string[]): Promise<boolean> {
    return (
      entityIds.length > 0 &&
      (await withLockRetry(this.#deps.transact, (db) => holdObjectsOf(db, productionId, entityIds))) > 0
    );
  }

  filesOf(entityIds: readonly string[]): Promise<FoundFile[]> {
    return findEntityFiles(this.#deps.db, entityIds);
  }

  /**
   * Removes content from the store; the entities that refer to it stay, unavailable, with an event that says
   * so (docs/reference/artifact.md#eviction). Content that a production in progress needs or has made is
   * kept.
   * @param hash one content; null for all that match the rest of the filter
   * @throws DomainError `not_found` for unknown content, `conflict` while a backup is under way
   */
  async evict(hash: string | null, filter: Omit<EvictionFilter, 'hash'>, actor: string): Promise<Eviction> {
    const one = hash === null ? null : readHash(hash);
    if (hash !== null && one === null)
      throw invalid('hash must be sha256: followed by 64 hexadecimal digits');
    if (one !== null && !(await isKnownObject(this.#deps.db, one))) throw notFound('stored file', one);
    await forgetHolds(this.#deps.db);
    let [evicted, bytes, unarchived] = [0, 0, 0];
    const waiting: LeftFile[] = [];
    for (let after: ContentHash | null = null; ;) {
      const batch: readonly Kept[] = await listEvictable(
        this.#deps.db,
        { ...filter, hash: one },
        after,
        BATCH,
      );
      for (const kept of batch) {
        after = kept.hash;
        const outcome = await this.#inTurn(() => this.#evictOne({ ...filter, hash: kept.hash }, actor));
        if (outcome === 'not archived') {
          if (one !== null) throw backupUnderWay();
          unarchived++;
          if (waiting.length < MAX_LEFT_LISTED) waiting.push(notArchived(kept));
        }
        if (outcome !== 'evicted') continue;
        evicted++;
        bytes += kept.size;
      }
      if (batch.length < BATCH) break;
    }
    const { left, total } = await listLeft(this.#deps.db, { ...filter, hash: one }, MAX_LEFT_LISTED);
    return {
      evicted,
      bytes,
      left: [...left.map((file) => ({ ...file, reason: whyLeft(file) })), ...waiting].slice(
        0,
        MAX_LEFT_LISTED,
      ),
      leftTotal: total + unarchived,
    };
  }

  /**
   * Reads all content, or as much as `limit` says, and reports what is missing or damaged.
   * @param after the hash of the last content of an earlier verification
   */
  async verify(after: string | null, limit: number): Promise<FileVerification> {
    const store = await this.objects();
    const objects = await listObjects(this.#deps.db, after, limit);
    const missing: ContentHash[] = [];
    const damaged: ContentHash[] = [];
    for (const { hash } of objects) {
      const is = await store.check(hash);
      if (is !== 'sound') (is === 'missing' ? missing : damaged).push(hash);
    }
    return {
      checked: objects.length,
      missing,
      damaged,
      last: objects.length < limit ? null : (objects.at(-1)?.hash ?? null),
    };
  }

  /** In sequence: each occupies a connection to the database, and needs further ones meanwhile. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#evicting.then(work);
    this.#evicting = turn.catch(() => undefined); // the caller receives the error
    return turn;
  }

  /**
   * Marks the entities as unavailable first, then removes the content, so that an interrupted eviction can be
   * repeated. A transaction that adds or holds the same content waits for the row lock and checks again;
   * earlier ones are seen under the lock.
   */
  #evictOne(
    filter: EvictionFilter & { readonly hash: ContentHash },
    actor: string,
  ): Promise<'evicted' | 'left' | 'not archived'> {
    const { hash } = filter;
    return this.#deps.transact(async (db) => {
      const kept = await keptFor(db, hash);
      if (kept === 'backup') throw backupUnderWay();
      await lockObject(db, hash);
      if ((await listEvictable(db, filter, null, 1)).length === 0) return 'left';
      const store = await this.objects();
      if (kept === 'archive' && (await store.check(hash)) === 'sound') return 'not archived';
      const backed = await entitiesBackedBy(db, hash);
      for (const type of new Set(backed.map(({ entityType }) => entityType))) {
        const ids = backed.filter(({ entityType }) => entityType === type).map(({ entityId }) => entityId);
        await setAvailability(
          this.#deps.ask,
          type,
          ids,
          false,
          `its file ${hash} was evicted from the artifact store`,
          { evicted: hash, requested_by: actor },
        );
      }
      await markEvicted(db, hash); // first: without the lock nothing may be removed
      await store.remove(hash);
      return 'evicted';
    });
  }
}
