// Entities that refer to others by a field, page by page: what is asked of many entities of one operation is
// read together (docs/reference/metadata.md#typed-references-back).
import type { Identity } from '../../../platform/identity.ts';
import type { EntityPage, EntityService, Listing } from '../entities/entities.service.ts';
import type { ListRequest } from '../entities/list-request.ts';
import { cursorsOf } from '../entities/page-cursor.ts';
import type { PageRequest, PageRow } from '../reading/page-request.ts';
import type { ReferringField } from './referring.store.ts';

export interface ReferringDeps {
  readonly entities: Pick<EntityService, 'plan' | 'list'>;
  pages(
    ids: readonly string[],
    field: ReferringField,
    request: PageRequest,
  ): Promise<ReadonlyMap<string, PageRow[]>>;
  totals(
    ids: readonly string[],
    field: ReferringField,
    request: PageRequest,
  ): Promise<ReadonlyMap<string, number>>;
}

/** The same page of what refers to each of several entities. */
export interface ReferringRequest {
  readonly field: ReferringField;
  readonly list: ListRequest;
}

/** Statements read the pages of at most so many entities. */
const AT_ONCE = 100;

export class ReferringService {
  readonly #deps: ReferringDeps;
  constructor(deps: ReferringDeps) {
    this.#deps = deps;
  }

  /**
   * A page for each id, empty where nothing refers to it.
   * @throws DomainError `validation_failed` as a listing
   */
  async pages(
    ids: readonly string[],
    { field, list }: ReferringRequest,
    identity: Identity,
    listing: Listing,
  ): Promise<ReadonlyMap<string, EntityPage>> {
    const page = await this.#deps.entities.plan(list, identity);
    const found = new Map<string, EntityPage>();
    if (page.residual !== null) {
      // checked row by row, within one allowance for all of them
      for (const id of ids) {
        const fields = [...list.fields, { name: field.name, values: [id] }];
        found.set(id, await this.#deps.entities.list({ ...list, fields }, identity, listing));
      }
      return found;
    }
    for (let i = 0; i < ids.length; i += AT_ONCE) {
      const some = ids.slice(i, i + AT_ONCE);
      const rows = await this.#deps.pages(some, field, { ...page, limit: page.limit + 1 });
      let totals: Promise<ReadonlyMap<string, number>> | undefined;
      const total = async (id: string): Promise<number> =>
        (await (totals ??= this.#deps.totals(some, field, { ...page, after: null }))).get(id) ?? 0;
      const cursorOf = cursorsOf(page);
      for (const id of some) {
        const own = rows.get(id) ?? [];
        const shown = own.slice(0, page.limit);
        const last = shown.at(-1);
        found.set(id, {
          rows: shown,
          at: page.at,
          limit: page.limit,
          offset: page.offset,
          warnings: page.warnings,
          cursorOf,
          nextCursor: own.length > shown.length && last ? cursorOf(last) : null,
          total: () => total(id),
        });
      }
    }
    return found;
  }
}
