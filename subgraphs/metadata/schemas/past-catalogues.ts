// Schemas as they were: a few revisions, since an operation as of a time asks for the same one in many fields.
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../../platform/queryable.ts';
import { findRevisionAt, readCatalogueOf } from '../log/schemas.store.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';

const MAX_KEPT = 4;

export class PastCatalogues {
  readonly #db: Queryable;
  readonly #present: () => SchemaCatalogue;
  /** By database server and revision: after a failover the same revision may stand for other schemas. */
  readonly #kept = new LRUCache<string, Promise<SchemaCatalogue>>({ max: MAX_KEPT });

  constructor(db: Queryable, present: () => SchemaCatalogue) {
    this.#db = db;
    this.#present = present;
  }

  /** The schemas as they were at a position of the log. */
  async at(position: string): Promise<SchemaCatalogue> {
    const present = this.#present();
    const revision = await findRevisionAt(this.#db, position);
    if (revision === present.revision) return present;
    const key = `${present.server} ${revision}`;
    const kept = this.#kept.get(key) ?? readCatalogueOf(this.#db, revision);
    this.#kept.set(key, kept);
    kept.catch(() => this.#kept.delete(key)); // it is read again for the next who asks
    return kept;
  }
}
