// The runs of entities, read for many operations at once: the other half of every question that spans metadata and workflow.
import { LRUCache } from 'lru-cache';
import { coalesce } from '../../../platform/coalesce.ts';
import { grouped } from '../../../platform/grouped.ts';
import { type Identity, visibilityKey } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { Run } from './run.ts';
import { listRunsOfEntities } from './runs.store.ts';

type Reader = (entityId: string) => Promise<readonly Run[]>;

/** Lives as long as the component. Only operations of equal rights share a statement. */
export class EntityRuns {
  readonly #db: Queryable;
  readonly #readers = new LRUCache<string, Reader>({ max: 500 });

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** The newest runs that wrote or produced the entity, as the identity may see them. */
  of(entityId: string, limit: number, identity: Identity): Promise<readonly Run[]> {
    const key = `${limit} ${visibilityKey(identity)}`;
    let reader = this.#readers.get(key);
    if (reader === undefined) {
      const { projects } = identity;
      reader = coalesce(async (ids: readonly string[]) => {
        const runs = grouped(await listRunsOfEntities(this.#db, projects, [...new Set(ids)], limit), (run) => run.entityId, (run): Run => run);
        return ids.map((id) => runs.get(id) ?? []);
      }, { max: 200, inFlight: 4 });
      this.#readers.set(key, reader);
    }
    return reader(entityId);
  }
}
