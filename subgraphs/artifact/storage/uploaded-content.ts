// What callers upload, on its way into the store, and out of it again if no entity holds it in time.
import type { Transact } from '../../../platform/database/transaction.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { Kept, ObjectStore } from './object-store.ts';
import { isUnused, keptFor, lockObject, markEvicted } from './stored-objects.store.ts';
import { forgetExpired, listExpired, type NotedUpload, noteUploaded } from './uploaded-files.store.ts';
import { withLockRetry } from './with-lock-retry.ts';

/** Contents that are looked at in one go. */
const BATCH = 100;

export class UploadedContent {
  readonly #db: Queryable;
  readonly #transact: Transact;
  readonly objects: () => Promise<ObjectStore>;

  constructor(db: Queryable, transact: Transact, objects: () => Promise<ObjectStore>) {
    this.#db = db;
    this.#transact = transact;
    this.objects = objects;
  }

  /** Takes over a file and records it: its uploader may use it from now on, and it is not evicted meanwhile. */
  async adopt(file: string, kept: Kept, uploaded: Omit<NotedUpload, keyof Kept>): Promise<void> {
    const store = await this.objects();
    // recorded first: from then on no eviction takes it away
    await withLockRetry(this.#transact, (db) => noteUploaded(db, { ...kept, ...uploaded }));
    await store.adopt(file, kept);
  }

  /** Removes content whose uploads have expired and that nobody else needs. Returns how much. */
  async removeExpired(): Promise<number> {
    let removed = 0;
    for (const hash of await listExpired(this.#db, BATCH)) {
      const isRemoved = await this.#transact(async (db) => {
        const kept = await keptFor(db, hash);
        if (kept === 'backup') return false; // it is looked at again
        await lockObject(db, hash);
        if (kept === 'archive' && (await (await this.objects()).check(hash)) === 'sound') return false;
        await forgetExpired(db, hash);
        if (!(await isUnused(db, hash))) return false;
        await markEvicted(db, hash);
        await (await this.objects()).remove(hash);
        return true;
      });
      if (isRemoved) removed++;
    }
    return removed;
  }
}
