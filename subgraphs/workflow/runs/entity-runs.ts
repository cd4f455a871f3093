// The runs of entities, read for many operations at once: the other half of every question that spans metadata and workflow.
import { coalesceApart } from '../../../platform/coalesce.ts';
import { grouped } from '../../../platform/grouped.ts';
import { type Identity, visibilityKey } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { Run } from './run.ts';
import { listRunsOfEntities } from './runs.store.ts';

/** Lives as long as the component. Only operations of equal rights share a statement. */
export class EntityRuns {
  readonly #db: Queryable;
  readonly #readers = coalesceApart<string, readonly Run[]>({ max: 200, inFlight: 4 });

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** The newest runs that wrote or produced the entity, as the identity may see them. */
  of(entityId: string, limit: number, identity: Identity): Promise<readonly Run[]> {
    const { projects } = identity;
    return this.#readers(`${limit} ${visibilityKey(identity)}`, async (ids) => {
      const runs = grouped(
        await listRunsOfEntities(this.#db, projects, [...new Set(ids)], limit),
        (run) => run.entityId,
        (run): Run => run,
      );
      return ids.map((id) => runs.get(id) ?? []);
    })(entityId);
  }
}
