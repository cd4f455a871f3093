// Full-text search over the string fields of entities (docs/reference/metadata.md#search).
import { invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import { checkPage, decodeCursor, encodeCursor } from '../../../platform/paging.ts';
import { isMoment, isPosition } from '../reading/moment-cursor.ts';
import type { Moment } from '../reading/timeline.ts';
import { type Cut, cut } from '../cut-list.ts';
import { typeNamed } from '../entities/entity-writes.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { searchText } from '../search-text.ts';
import { readQuery } from './search-query.ts';
import {
  type EndedRow,
  type EndedText,
  MAX_ENDED,
  MAX_RANKED,
  type SearchRequest,
  type SearchScope,
} from './search.store.ts';
import type { HitRow } from './hit-row.ts';

export interface SearchDeps {
  readonly catalogue: () => SchemaCatalogue;
  readonly search: (request: SearchRequest, ended: readonly EndedText[]) => Promise<HitRow[]>;
  readonly endedSince: (scope: SearchScope, at: string) => Promise<EndedRow[]>;
}

export interface Search {
  readonly entityType: string;
  readonly q: string;
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
  /** A warning about the answer; null for none. */
  readonly warning: string | null;
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
    { entityType, q, limit, offset, cursor, includeUnavailable, at: asked }: Search,
    identity: Identity,
  ): Promise<Hits> {
    checkPage({ limit, offset }, invalid);
    const catalogue = this.#deps.catalogue();
    if (entityType === '') throw invalid('entity_type is required', { field: 'entity_type' });
    const type = typeNamed(catalogue, entityType);
    const [score, position, moment = asked ?? ''] = (
      decodeCursor(cursor, [isScore, isPosition, isMoment], invalid) ?? []
    ).map(String);
    const at = moment === '' ? null : moment;
    const after = score === undefined || position === undefined ? null : { score, position };
    const query = readQuery(q);
    if (query === null) return { items: [], nextCursor: null, at, warning: null };
    const scope: SearchScope = { types: type.selfAndSubtypes, availableOnly: !includeUnavailable, identity };
    const ended = at === null ? [] : await this.#endedTexts(scope, at, catalogue);
    const rows = await this.#deps.search(
      { ...scope, query, limit: limit + 1, offset: after === null ? offset : 0, after, at },
      ended,
    );
    const isCut = Number(rows[0]?.found ?? 0) > MAX_RANKED;
    return {
      ...cut(rows, limit, (last) => encodeCursor([last.score, last.position, moment])),
      at,
      warning: isCut
        ? `more than ${MAX_RANKED} entities match, and only ${MAX_RANKED} of them are ranked: add words to narrow the search`
        : null,
    };
  }

  /** Search words of past states are not stored: they are computed with today's schemas. */
  async #endedTexts(scope: SearchScope, at: string, catalogue: SchemaCatalogue): Promise<EndedText[]> {
    const states = await this.#deps.endedSince(scope, at);
    if (states.length > MAX_ENDED)
      throw invalid(
        `more than ${MAX_ENDED} entities of the type have changed since as_of: search in a more recent past, or list with a filter`,
        { field: 'as_of' },
      );
    return states.flatMap(({ id, entity_type, data }) => {
      const type = catalogue.get(entity_type);
      return type ? [{ id, text: searchText(type, data) }] : [];
    });
  }
}

/** The slice of the resolvers' context. */
export interface SearchSlice {
  readonly search: SearchService;
}
