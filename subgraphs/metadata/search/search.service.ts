// Full-text search over the string fields of entities (docs/reference/metadata.md#search).
import { invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import { checkPage, decodeCursor } from '../../../platform/paging.ts';
import { isMoment, isPosition, writeMomentCursor } from '../reading/moment-cursor.ts';
import type { Moment } from '../reading/timeline.ts';
import { type Cut, cut } from '../cut-list.ts';
import { typeNamed } from '../entities/entity-writes.ts';
import type { EntityService } from '../entities/entities.service.ts';
import { refuseResidue } from '../entities/refuse-residue.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { readQuery } from './search-query.ts';
import { MAX_RANKED, type SearchRequest } from './search.store.ts';
import type { HitRow } from './hit-row.ts';

export interface SearchDeps {
  readonly catalogue: () => SchemaCatalogue;
  readonly search: (request: SearchRequest) => Promise<HitRow[]>;
  readonly plan: EntityService['plan'];
}

export interface Search {
  readonly entityType: string;
  readonly q: string;
  /** CEL; null for none. */
  readonly filter: string | null;
  readonly limit: number;
  readonly offset: number;
  /** The end of an earlier page; null for the beginning. It carries its moment with it. */
  readonly cursor: string | null;
  readonly includeUnavailable: boolean;
  readonly at: Moment;
}

export interface Hits extends Cut<HitRow> {
  /** The moment of the states; null for the present. */
  readonly at: Moment;
  readonly warnings: readonly string[];
}

const isScore = (value: unknown): boolean =>
  typeof value === 'string' && /^\d[\d.e+-]{0,30}$/.test(value) && Number.isFinite(Number(value));

export class SearchService {
  readonly #deps: SearchDeps;
  constructor(deps: SearchDeps) {
    this.#deps = deps;
  }

  /** Best first, ties in order of creation. @throws DomainError `validation_failed` */
  async search(
    { entityType, q, filter, limit, offset, cursor, includeUnavailable, at: asked }: Search,
    identity: Identity,
  ): Promise<Hits> {
    checkPage({ limit, offset }, invalid);
    const catalogue = this.#deps.catalogue();
    if (entityType === '') throw invalid('entity_type is required', { field: 'entity_type' });
    typeNamed(catalogue, entityType);
    const [score, position, moment = asked ?? ''] = (
      decodeCursor(cursor, [isScore, isPosition, isMoment], invalid) ?? []
    ).map(String);
    const at = moment === '' ? null : moment;
    const after = score === undefined || position === undefined ? null : { score, position };
    const query = readQuery(q);
    if (query === null) return { items: [], nextCursor: null, at, warnings: [] };
    const listed = { entityType, filter, fields: [], limit, offset, cursor: null, orderBy: null };
    const page = await this.#deps.plan({ ...listed, includeUnavailable, at }, identity);
    refuseResidue(page, 'a search');
    const { types, conditions, availableOnly } = page;
    const rows = await this.#deps.search({
      ...{ types, conditions, availableOnly, identity, query, after, at },
      ...{ limit: limit + 1, offset: after === null ? offset : 0 },
    });
    const isCut = Number(rows[0]?.found ?? 0) > MAX_RANKED;
    return {
      ...cut(rows, limit, (last) => writeMomentCursor([last.score, last.position], at)),
      at,
      warnings: isCut
        ? [
            ...page.warnings,
            `more than ${MAX_RANKED} entities match, and only ${MAX_RANKED} of them are ranked: add words to narrow the search`,
          ]
        : page.warnings,
    };
  }
}

/** The slice of the resolvers' context. */
export interface SearchSlice {
  readonly search: SearchService;
}
