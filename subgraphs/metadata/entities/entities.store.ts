// SQL of entity reads: by id, with many requests in one statement, and in pages; of the present, or as of a
// moment.
import type { Pool } from 'pg';
import { readingFor, readShared, TooMuchAtOnce } from '../../../platform/budget/bounded-query.ts';
import { coalesceApart, shareEqual } from '../../../platform/coalesce.ts';
import { type Identity, isPlatformService, visibilityKey } from '../../../platform/identity.ts';
import type { Reads } from '../../../platform/database/replicas.ts';
import type { Connections } from '../../../platform/database/transaction.ts';
import { listed, prepared } from '../../../platform/prepared.ts';
import { type Queryable, rowsAsText } from '../../../platform/queryable.ts';
import { countAt } from '../log/counts.store.ts';
import { isSettled, readSettled } from '../reading/settle.ts';
import { eventsAt, stateOf } from '../reading/states.ts';
import type { Moment } from '../reading/timeline.ts';
import { withinTime } from '../within-time.ts';
import type { EntityJson } from './entity-json.ts';
import type { EntityRow } from '../reading/entity-record.ts';
import { EntityCache } from './entity-cache.ts';
import { isCached, PageCache, type PageStatement, textPageOf, type PageTexts } from './page-cache.ts';
import { type Pack, PACKED_ENTITIES_SQL, PACKS_SQL, unpackEntities } from './packed-entities.ts';
import { keptQuery, type KeptRow, manySql, newsAmong } from './kept-query.ts';
import { LackingStore } from './lacking.store.ts';
import { pageSql, pageTextSql } from './page-sql.ts';
import { countSql, countUpToSql, keptCountSql, matchingSql } from './count-sql.ts';
import type { Matches, PagePlan, PageRequest, PageRow, TextPage } from '../reading/page-request.ts';
import { isVisible, visibleSql } from '../reading/visibility.ts';
import { type PlannedNode, planOfStatement } from './plan.store.ts';
import { walkPage } from './walk.store.ts';

/** Maximum bytes of a statement for several callers. */
const MAX_SHARED_BYTES = 16 * 1024 * 1024;

/** A state is visible to those who could see it while it was valid, whatever project the entity is in now. */
function manyAtSql(identity: Identity, params: unknown[]): string {
  return `SELECT ${PACKED_ENTITIES_SQL} FROM metadata.entity b CROSS JOIN ${stateOf('$2::bigint')} ${eventsAt('$2::bigint')}
    WHERE b.id = ANY(${listed(1)}) AND b.first_event <= $2::bigint AND ${visibleSql(identity, 'e', params)} ${PACKS_SQL}`;
}

/** Those of the entities that there are and that the identity may see, by id. */
export async function findEntities(
  db: Queryable,
  ids: readonly string[],
  identity: Identity,
  at: Moment,
): Promise<ReadonlyMap<string, EntityRow>> {
  const values: unknown[] = at === null ? [ids] : [ids, at];
  const given = values.length;
  const text = at === null ? manySql(identity, values) : manyAtSql(identity, values);
  const { rows } = await db.query<Pack>({
    name: `entities-${values.length === given ? 'all' : 'scoped'}${at === null ? '' : '-at'}`,
    text,
    values,
    types: rowsAsText,
  });
  return unpackEntities(rows);
}

/**
 * Of an instant a later answer must be the same; and what the platform's services decide by, such as what has changed since
 * they looked last, would be missed for good (docs/operations.md#reads-by-replicas).
 */
const mustBeExact = ({ at, identity }: Pick<PageRequest, 'at' | 'identity'>): boolean =>
  at !== null || identity.isExact === true || isPlatformService(identity);

function textPageIn({ rows: [row] }: { readonly rows: readonly PageTexts[] }): TextPage {
  if (!row) throw new Error('the statement of a page returned no row');
  return textPageOf(row);
}

async function countNow(on: Connections, request: Matches): Promise<number> {
  const values: unknown[] = [];
  const text = countSql(request, values);
  const { rows } = await on.query<{ n: string }>({ text, values, types: rowsAsText });
  return Number(rows[0]?.n ?? 0);
}

export class EntityStore {
  readonly #pool: Pool;
  readonly #reads: Reads;
  /**
   * One coalescing reader per set of projects, so that no request is answered with another's rights. Groups
   * of 16 keep the database busy while the next group is collected.
   */
  readonly #readers = coalesceApart<string, EntityRow | null>({ max: 16, inFlight: 2 });

  readonly #shared = shareEqual();
  #kept = new EntityCache();
  readonly #pages = new PageCache();
  readonly #lacking = new LackingStore();

  constructor(pool: Pool, reads: Reads = (read) => read(pool)) {
    this.#pool = pool;
    this.#reads = reads;
  }

  /** One entity that the identity may see; requests of one tick share a statement. */
  find(id: string, identity: Identity, at: Moment): Promise<EntityRow | null> {
    if (at !== null) return this.findMany([id], identity, at).then(([row]) => row ?? null);
    const { actor, roles, projects, budget } = identity;
    const found = this.#readers(visibilityKey(identity), (ids) =>
      this.#findShared(ids, { actor, roles, projects }),
    )(id); // a cached entity is only returned if the identity may see it
    return budget === undefined
      ? found
      : found.then((row) => {
          if (row !== null && !budget.read(row.data.length)) throw budget.reason;
          return row;
        });
  }

  /** Reads many entities together, or each by itself if they are too large for that. */
  async #findShared(ids: readonly string[], identity: Identity): Promise<(EntityRow | null)[]> {
    try {
      return await this.#findKept(ids, identity);
    } catch (error) {
      if (!(error instanceof TooMuchAtOnce)) throw error;
      const found: (EntityRow | null)[] = [];
      for (const id of ids) found.push(...(await this.#findKept([id], identity)));
      return found;
    }
  }

  /**
   * Like {@link findMany}, of the present: the statement reports which cached entities have changed, and
   * reads the others, which are then cached. Both happen in one snapshot, which is later than the requests.
   */
  async #findKept(ids: readonly string[], identity: Identity): Promise<(EntityRow | null)[]> {
    const kept = this.#kept;
    const since = kept.position;
    // entities that are cached but invisible to the identity are queried like missing ones, so that the
    // response time does not distinguish the two
    const lacking = new Set(
      ids.filter((id) => {
        const row = kept.get(id);
        return row === undefined || !isVisible(identity, row.project);
      }),
    );
    const query = keptQuery([...lacking], since, identity);
    const { rows } = await (lacking.size > 1
      ? readShared<KeptRow>(this.#pool, query, MAX_SHARED_BYTES)
      : this.#pool.query<KeptRow>(query)); // a single entity has no limit
    const read = unpackEntities(rows.filter((row) => row.packed !== null));
    const isSameServer = kept.take(since, newsAmong(rows), read.values());
    if (!isSameServer && this.#kept === kept) this.#kept = new EntityCache();
    const found = ids.map((id) => {
      if (lacking.has(id)) return read.get(id) ?? null;
      return isSameServer ? kept.get(id) : undefined;
    });
    const forgotten = ids.filter((_, i) => found[i] === undefined);
    const readAgain = forgotten.length === 0 ? [] : await this.findMany(forgotten, identity, null);
    return found.map((row) => {
      const known = row === undefined ? (readAgain.shift() ?? null) : row;
      return known !== null && isVisible(identity, known.project) ? known : null;
    });
  }

  /** Results by position: null where there is no entity or it is invisible. */
  async findMany(ids: readonly string[], identity: Identity, at: Moment): Promise<(EntityRow | null)[]> {
    const byId = await findEntities(readingFor(this.#pool, identity), ids, identity, at);
    return ids.map((id) => byId.get(id) ?? null);
  }

  /**
   * One page, in order.
   * @param isShown false if most rows are only examined: then the budget counts the rows that are shown
   */
  async page(request: PageRequest, isShown = true): Promise<PageRow[]> {
    const { rows } = await withinTime(
      this.#reads(
        (one) =>
          readSettled(one, request, async (on, known) => {
            const values: unknown[] = [];
            const { text, isSteady } = pageSql(await this.#lacking.beside(on, known), values);
            const query = isSteady ? prepared(text, values) : { text, values };
            return readingFor(on, request.identity, isShown).query<PageRow>({ ...query, types: rowsAsText });
          }),
        mustBeExact(request),
      ),
    );
    return rows;
  }

  /** A long page in batches, until the signal. */
  walk(request: PageRequest, signal: AbortSignal): AsyncIterable<readonly PageRow[]> {
    return walkPage(this.#pool, request, signal);
  }

  /** Of the present, counted up to `most`; null of the past. */
  async countUpTo(request: PageRequest, most: number): Promise<number | null> {
    if (request.at !== null) return null;
    const { rows } = await withinTime(
      this.#reads(
        (one) =>
          readSettled(one, request, (on, known) => {
            const values: unknown[] = [];
            const text = countUpToSql(known, most, values);
            return on.query<{ n: string }>({ text, values, types: rowsAsText });
          }),
        mustBeExact(request),
      ),
    );
    return Number(rows[0]?.n ?? 0);
  }

  /**
   * One page as JSON text of `json` (entity-json.ts); equal requests of one tick share a statement, as their
   * answers are equal.
   */
  textPage(request: PageRequest, json: EntityJson): Promise<TextPage> {
    const isExact = mustBeExact(request);
    const reads: Reads = (read) => withinTime(this.#reads(read, isExact));
    if (!isSettled(request))
      return reads((one) =>
        readSettled(one, request, async (on, known) => {
          const values: unknown[] = [];
          const { text } = pageTextSql(known, json, values);
          return textPageIn(await on.query<PageTexts>({ text, values, types: rowsAsText }));
        }),
      );
    const values: unknown[] = [];
    const { text, isSteady } = pageTextSql(request, json, values);
    const key = `${text} ${JSON.stringify(values)}`;
    const statement = async (on: Queryable): Promise<PageStatement> => {
      const known = await this.#lacking.beside(on, request);
      if (known === request) return { text, values, types: request.types };
      const more: unknown[] = [];
      return { text: pageTextSql(known, json, more).text, values: more, types: request.types };
    };
    return this.#shared(`${isExact} ${key}`, async () => {
      if (isCached(request, isSteady)) return this.#pages.read(key, statement, reads);
      const answer = await reads(async (on) => {
        const { text: asked, values: given } = await statement(on);
        const query = isSteady ? prepared(asked, given) : { text: asked, values: given };
        return on.query<PageTexts>({ ...query, types: rowsAsText });
      });
      return textPageIn(answer);
    });
  }

  /**
   * The number of entities: taken from the stored counts if only type, project and availability decide, else
   * counted.
   */
  total(request: Matches): Promise<number> {
    const kept = request.conditions.length === 0;
    if (kept && request.at !== null) {
      const { at } = request;
      return this.#reads((on) => countAt(on, { ...request, at }), true);
    }
    const isExact = mustBeExact(request);
    if (!isSettled(request))
      return withinTime(this.#reads((one) => readSettled(one, request, countNow), isExact));
    const values: unknown[] = [];
    const text = kept ? keptCountSql(request, values) : countSql(request, values);
    return this.#shared(`${isExact} ${text} ${JSON.stringify(values)}`, async () => {
      const { rows } = await withinTime(
        this.#reads(
          (on) =>
            on.query<{ n: string | null }>({
              ...(kept ? prepared(text, values) : { text, values }),
              types: rowsAsText,
            }),
          isExact,
        ),
      );
      return Number(rows[0]?.n ?? 0);
    });
  }

  /**
   * The planner's estimate of the number of entities, within what the stored counts allow; without conditions
   * these are exact and cost as little.
   */
  async estimate(request: Matches): Promise<number> {
    const most = await this.total({ ...request, conditions: [] });
    if (request.conditions.length === 0) return most;
    const { rows } = await withinTime(
      readSettled(this.#pool, request, (on, known) => {
        const values: unknown[] = [];
        const text = `EXPLAIN (FORMAT JSON) ${matchingSql(known, values)}`;
        return on.query<{ 'QUERY PLAN': readonly { Plan: PlannedNode }[] }>(text, values);
      }),
    );
    return Math.min(most, rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0);
  }

  /** PostgreSQL's plan for the page. */
  planOf(request: PageRequest): Promise<PagePlan> {
    return withinTime(
      readSettled(this.#pool, request, (on, known) => {
        const values: unknown[] = [];
        return planOfStatement(on, known, pageSql(known, values).text, values);
      }),
    );
  }
}
