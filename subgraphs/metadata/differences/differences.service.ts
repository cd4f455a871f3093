// What differs in a set of entities between two moments, in pages and as lines of any number.
import { ENTITY_COLUMNS } from '../../../platform/entity-columns.ts';
import { invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import { checkPage, decodeCursor, encodeCursorAnew } from '../../../platform/paging.ts';
import type { EntityService, Listing } from '../entities/entities.service.ts';
import type { FieldFilter, PlannedPage } from '../entities/list-request.ts';
import type { ExportBlock } from '../exports/exports.service.ts';
import { RESIDUE_LIMITS, ResidueAllowance, ResidueCheck } from '../filters/check-residue.ts';
import { EntityRecord } from '../reading/entity-record.ts';
import { isPosition } from '../reading/moment-cursor.ts';
import type { Instants } from '../reading/timeline.ts';
import type { ChangedEntity, ComparedSets, LogSpan } from './differences.store.ts';
import { dataPatch } from './entity-diff.ts';
import { readQuery } from '../search/search-query.ts';
import type { WordsCheck } from '../search/states-holding.ts';
import { type EntityDifference, type SetWalk, walkSets } from './set-differences.ts';

export interface DifferenceDeps {
  readonly entities: Pick<EntityService, 'plan' | 'getMany'>;
  readonly changed: (
    sets: ComparedSets,
    span: LogSpan,
    identity: Identity,
  ) => Promise<readonly ChangedEntity[]>;
  readonly holding: WordsCheck;
}

/** A set, as a list is asked for it, and the instants. */
export interface SetRequest {
  readonly entityType: string | null;
  readonly filter: string | null;
  /** The words of a search; null and empty for none. */
  readonly q: string | null;
  readonly fields: readonly FieldFilter[];
  readonly includeUnavailable: boolean;
  readonly from: string;
  /** Null for the present. */
  readonly to: string | null;
}

export interface EntityDifferencePage {
  readonly items: readonly EntityDifference[];
  readonly nextCursor: string | null;
  readonly warnings: readonly string[];
}

type Asking = Pick<Listing, 'signal' | 'allowance'> & { readonly timeline: Instants };

/** The positions that are compared, and the one after which a page begins. */
interface Place {
  readonly from: string;
  readonly to: string;
  readonly after: string;
}

const STATE_COLUMNS = ENTITY_COLUMNS.filter(({ name }) =>
  ['id', 'entity_type', 'version', 'is_available'].includes(name),
);

const stateOfLine = (record: EntityRecord | null): object | null =>
  record && Object.fromEntries(STATE_COLUMNS.map(({ name, field }) => [name, record[field]]));

/** Of the values that it tells, in characters; those of both states are in it. */
const sizeOf = ({ differences }: EntityDifference): number => JSON.stringify(differences).length;

/** An item as REST answers it. */
const lineOf = ({ entityId, entityType, kind, before, after, differences }: EntityDifference): string =>
  `${JSON.stringify({
    entity_id: entityId,
    entity_type: entityType,
    kind,
    before: stateOfLine(before),
    after: stateOfLine(after),
    differences,
    json_patch: dataPatch(differences),
  })}\n`;

export class DifferenceService {
  readonly #deps: DifferenceDeps;
  constructor(deps: DifferenceDeps) {
    this.#deps = deps;
  }

  /** @throws DomainError `validation_failed` for bounds, cursors, names and filters, as a listing */
  async page(
    request: SetRequest,
    { first, after }: { readonly first: number; readonly after: string | null },
    identity: Identity,
    asking: Asking,
  ): Promise<EntityDifferencePage> {
    checkPage({ limit: first, offset: 0 }, (message) => invalid(message.replace('limit', 'first')));
    const place = await placed(request, after, asking.timeline);
    const page = await this.#plan(request, place, identity);
    const found: EntityDifference[] = [];
    const walk = this.#walk(page, { ...place, q: request.q }, first + 1, identity, asking);
    for await (const some of walkSets(walk)) {
      found.push(...some);
      if (found.length > first) break;
    }
    const items = found.slice(0, first);
    if (walk.checksEach) for (const item of items) identity.budget?.read(sizeOf(item));
    const last = found.length > first ? items.at(-1) : undefined;
    const nextCursor = last === undefined ? null : encodeCursorAnew([place.from, place.to, last.position]);
    return { items, nextCursor, warnings: page.warnings };
  }

  /**
   * All of it, a batch in memory at a time. The log before both positions is never written again: it needs no snapshot.
   * @throws DomainError `validation_failed` as {@link page}
   */
  async lines(
    request: SetRequest,
    { actor, roles, projects }: Identity, // without the budget of an operation, which takes all at once
    asking: Asking,
  ): Promise<AsyncIterableIterator<ExportBlock>> {
    const identity = { actor, roles, projects };
    const place = await placed(request, null, asking.timeline);
    const page = await this.#plan(request, place, identity);
    const walk = this.#walk(page, { ...place, q: request.q }, Infinity, identity, asking);
    async function* blocks(): AsyncGenerator<ExportBlock, void, undefined> {
      const { warnings } = page;
      if (warnings.length > 0) yield { lines: '', count: 0, warnings };
      for await (const some of walkSets(walk))
        yield { lines: some.map(lineOf).join(''), count: some.length, warnings: [] };
    }
    return blocks();
  }

  /** The set as a list of then is planned, but for its words. */
  #plan(request: SetRequest, { from }: Place, identity: Identity): Promise<PlannedPage> {
    const { entityType, filter, fields, includeUnavailable } = request;
    const list = { limit: 1, offset: 0, cursor: null, orderBy: null, at: from };
    return this.#deps.entities.plan({ entityType, filter, fields, includeUnavailable, ...list }, identity);
  }

  #walk(
    { residual, ...scope }: PlannedPage,
    { after, q, ...between }: Place & Pick<SetRequest, 'q'>,
    first: number,
    identity: Identity,
    { signal, allowance = new ResidueAllowance() }: Asking,
  ): SetWalk {
    const { changed, entities, holding } = this.#deps;
    const sets = { scope, ...between };
    const words = q ? readQuery(q) : undefined;
    const checksEach = residual !== null || words !== undefined;
    // most states that are checked one by one are let go: those that are shown count
    const { actor, roles, projects } = identity;
    const reader = checksEach ? { actor, roles, projects } : identity;
    return {
      sets,
      after,
      first,
      checksEach,
      residue: residual === null ? null : new ResidueCheck(residual, allowance),
      holding: words === undefined ? null : bounded((states) => holding(words, states)),
      signal,
      changed: (span) => changed(sets, span, identity),
      states: async (ids, at) => {
        const found = ids.length === 0 ? [] : await entities.getMany(ids, reader, at);
        const rows = found.filter((row) => row !== null);
        return {
          records: new Map(rows.map((row) => [row.id, new EntityRecord(row, at)])),
          characters: rows.reduce((sum, { data }) => sum + data.length, 0),
        };
      },
    };
  }
}

/** For one walk: as many states as a filter may check row by row. @throws DomainError `validation_failed` beyond them */
function bounded(holding: NonNullable<SetWalk['holding']>): NonNullable<SetWalk['holding']> {
  const { candidates: allowed } = RESIDUE_LIMITS;
  let candidates = 0;
  return (states) => {
    candidates += states.length;
    if (candidates > allowed)
      throw invalid(
        `q: more than ${allowed} states would have to be looked at for the words; compare moments that are nearer to each other, or narrow it by entity_type or a filter that the database can evaluate`,
        { limit: 'candidates', allowed },
      );
    return holding(states);
  };
}

/**
 * A cursor carries both moments with it. Positions that the log does not have yet would make a walk without end.
 * @throws DomainError `validation_failed` for another list's
 */
async function placed(request: SetRequest, cursor: string | null, timeline: Instants): Promise<Place> {
  const parts = decodeCursor(cursor, [isPosition, isPosition, isPosition], invalid)?.map(String);
  if (parts !== undefined) {
    const [from = '0', to = '0', after = '0'] = parts;
    const newest = BigInt(await timeline.position(null));
    if (parts.some((position) => BigInt(position) > newest))
      throw invalid('cursor does not come from this list');
    return { from, to, after };
  }
  const [from, to] = await Promise.all([timeline.position(request.from), timeline.position(request.to)]);
  return { from, to, after: BigInt(from) < BigInt(to) ? from : to };
}

/** The slice of the resolvers' context. */
export interface DifferenceSlice {
  readonly setDifferences: DifferenceService;
}
