// The runs of entities, batched over operations: the workflow's part of queries that span metadata and
// workflow.
import type { Pool } from 'pg';
import { readShared, TooMuchAtOnce } from '../../../platform/budget/bounded-query.ts';
import { coalesceApart } from '../../../platform/coalesce.ts';
import { grouped } from '../../../platform/grouped.ts';
import { type Identity, visibilityKey } from '../../../platform/identity.ts';
import type { PageBounds } from '../../../platform/paging.ts';
import type { Run } from './run.ts';
import { runsOfEntitiesQuery, type RunOfEntity } from './runs.store.ts';

/** Maximum bytes of a statement for many operations; beyond it each operation reads for itself. */
const MAX_SHARED_BYTES = 2 * 1024 * 1024;

interface Found {
  readonly runs: readonly Run[];
  /** Its share of the statement's bytes. */
  readonly bytes: number;
}

/** Lives as long as the component. Only operations with equal rights share a statement. */
export class EntityRuns {
  readonly #pool: Pool;
  readonly #readers = coalesceApart<string, Found>({ max: 200, inFlight: 4 });

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * The newest runs that wrote or produced the entity, as the identity may see them; null if they are too
   * large to be read together with others.
   */
  async of(
    entityId: string,
    page: PageBounds,
    identity: Identity,
    asOf: string | null,
  ): Promise<readonly Run[] | null> {
    const { projects, budget } = identity;
    const alike = `${page.limit} ${page.offset} ${asOf ?? ''} ${visibilityKey(identity)}`;
    const read = this.#readers(alike, async (ids) => {
      const query = runsOfEntitiesQuery(projects, [...new Set(ids)], page, asOf);
      const { rows, bytes } = await readShared<RunOfEntity>(this.#pool, query, MAX_SHARED_BYTES);
      const runs = grouped(
        rows,
        (run) => run.entityId,
        (run): Run => run,
      );
      return ids.map((id) => {
        const own = runs.get(id) ?? [];
        return { runs: own, bytes: rows.length === 0 ? 0 : (bytes * own.length) / rows.length };
      });
    });
    try {
      const { runs, bytes } = await read(entityId);
      if (budget?.read(bytes) === false) throw budget.reason;
      return runs;
    } catch (error) {
      if (error instanceof TooMuchAtOnce) return null;
      throw error;
    }
  }
}
