// How many entities of each type were created on each of the last days (docs/reference/metadata.md#growth).
import { badRequest } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import type { CreatedRow } from './growth.store.ts';

export interface GrowthDeps {
  readonly read: (days: number, project: string | null, identity: Identity) => Promise<readonly CreatedRow[]>;
}

export interface TypeGrowth {
  readonly entityType: string;
  readonly created: readonly number[];
}

export interface EntityGrowth {
  readonly from: string;
  readonly isComplete: boolean;
  readonly types: readonly TypeGrowth[];
}

/** How many of the newest entities are counted: more would take longer than a page may. */
export const MAX_COUNTED = 200_000;
const MAX_DAYS = 366;

export class GrowthService {
  readonly #deps: GrowthDeps;

  constructor(deps: GrowthDeps) {
    this.#deps = deps;
  }

  /** @throws DomainError `invalid_request` for other than 1 to 366 days */
  async of(days: number, project: string | null, identity: Identity): Promise<EntityGrowth> {
    if (days < 1 || days > MAX_DAYS) throw badRequest(`days must be from 1 to ${MAX_DAYS}`);
    const rows = await this.#deps.read(days, project, identity);
    const counts = new Map<string, number[]>();
    let counted = 0;
    for (const { entityType, day, created } of rows) {
      if (entityType === null) continue; // the row that says when the days begin
      const ofType = counts.get(entityType) ?? Array.from({ length: days }, () => 0);
      ofType[day - 1] = created;
      counts.set(entityType, ofType);
      counted += created;
    }
    return {
      from: rows[0]?.from ?? '',
      isComplete: counted < MAX_COUNTED,
      types: [...counts].map(([entityType, created]) => ({ entityType, created })),
    };
  }
}

/** The slice of the resolvers' context. */
export interface GrowthSlice {
  readonly growth: GrowthService;
}
