// Which entities lack a value of an indexed field. The index has no entries for them, and where they are few, finding them
// means walking through whole types; so the first of them are kept, with the place in the log at which they were read
// (docs/decisions/0130-orders-by-fields-that-entities-may-lack.md).
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../../platform/queryable.ts';
import { NEWEST_EVENT } from '../reading/log-server.ts';
import type { Lacking, PageRequest } from '../reading/page-request.ts';
import { withinTime } from '../within-time.ts';
import { lackingSql } from './apart-sql.ts';

/** Maximum entities that are kept of a field and its types. */
const MOST = 1000;
/** If fewer of a cut list are left, it is read anew. */
const FEWEST = 250;
/** The statement of a page looks through what has changed since; after this time that is done once for all pages. */
const FRESH_MS = 1000;
/**
 * A cut list that is older is read anew, and later the longer that took: where such entities are many, the first of them cost
 * less than what may have changed since.
 */
const OLD_MS = 5000;
/** Times as long as reading it took. */
const OLD_READS = 200;
const MAX_LISTS = 200;

interface Kept extends Lacking {
  readonly readAt: number;
  /** Milliseconds that reading all of it took. */
  readonly fullReadMs: number;
}

export class LackingStore {
  readonly #kept = new LRUCache<string, Kept>({ max: MAX_LISTS });
  readonly #reading = new Map<string, Promise<Kept | undefined>>();

  /** The request with what is known of its first entities without a value, if its page begins among them. */
  async beside(db: Queryable, request: PageRequest): Promise<PageRequest> {
    const { types, order, after, at } = request;
    const [first] = order;
    if (first?.apart === undefined || at !== null) return request;
    const key = JSON.stringify([first.apart.held, types]);
    const begins = after === null ? !first.descending : after[0] === '0';
    const kept = begins ? await this.#fresh(key, db, request) : this.#kept.get(key);
    return kept === undefined ? request : { ...request, lacking: kept };
  }

  async #fresh(key: string, db: Queryable, request: PageRequest): Promise<Kept | undefined> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && performance.now() - kept.readAt < FRESH_MS) return kept;
    const underWay = this.#reading.get(key);
    if (underWay !== undefined) return underWay.catch(() => kept); // its own caller is told
    const isOld =
      kept !== undefined &&
      kept.upTo !== null &&
      performance.now() - kept.readAt > Math.max(OLD_MS, OLD_READS * kept.fullReadMs);
    const reading = this.#read(db, request, isOld ? undefined : kept);
    this.#reading.set(key, reading);
    try {
      const read = await reading;
      if (read !== undefined) this.#kept.set(key, read);
      return read;
    } finally {
      this.#reading.delete(key);
    }
  }

  /** Undefined for an empty log. */
  async #read(db: Queryable, request: PageRequest, kept: Kept | undefined): Promise<Kept | undefined> {
    const params: unknown[] = [];
    const readAt = performance.now();
    const { rows } = await withinTime(
      db.query<{ mark: string | null; creations: string[] | null }>(
        `SELECT ${NEWEST_EVENT.newest} AS mark, (${lackingSql(request, kept, MOST + 1, params)}) AS creations`,
        params,
      ),
    );
    const [row] = rows;
    if (row === undefined || row.mark === null) return undefined;
    const { mark, creations } = row;
    // null where the log is another one than that of what was kept
    if (kept !== undefined && (creations === null || (kept.upTo !== null && creations.length < FEWEST)))
      return this.#read(db, request, undefined);
    const found = (creations ?? []).slice(0, MOST);
    const isCut = (creations ?? []).length > MOST;
    return {
      mark,
      creations: found,
      upTo: isCut ? (found.at(-1) ?? null) : (kept?.upTo ?? null),
      readAt,
      fullReadMs: kept?.fullReadMs ?? performance.now() - readAt,
    };
  }
}
