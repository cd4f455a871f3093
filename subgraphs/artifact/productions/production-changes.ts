// Follows productions that change, all of them or one, as a caller may see them.
import { notFound } from '../../../platform/errors.ts';
import { type Identity, visibilityKey } from '../../../platform/identity.ts';
import type { Notifier } from '../../../platform/notifier.ts';
import {
  assertKept,
  type ChangePage,
  followChanges,
  lastChange,
  sharedReads,
} from '../../../platform/past/changes.ts';
import { isUnstorable, type Queryable } from '../../../platform/queryable.ts';
import { PRODUCTION } from '../past/past-productions.ts';
import {
  type ChangedProduction,
  changeOf,
  type ProductionChangeFilter,
  productionChangesAfter,
} from './production-changes.store.ts';
import type { Production } from './productions.store.ts';

/** One that is followed, as it is told. */
export type FollowedProduction = Production;

export interface ProductionChange {
  readonly at: string;
  readonly production: Production;
}

export interface ProductionChangesDeps {
  readonly db: Queryable;
  /** Notifies of tables of the component that have changed. */
  readonly changes: Notifier;
  /** Notifies of changed productions, by their ids. */
  readonly progress: Notifier;
}

type Follower = Identity & { readonly signal?: AbortSignal | undefined };
const isOver = ({ status }: Production): boolean => status !== 'queued' && status !== 'running';

/** Lives as long as the component. */
export class ProductionChanges {
  readonly #deps: ProductionChangesDeps;
  readonly #shared = sharedReads<ChangePage<ChangedProduction>>();

  constructor(deps: ProductionChangesDeps) {
    this.#deps = deps;
  }

  /**
   * Every visible production that changes after an instant (null: from now on), without end
   * (docs/reference/artifact.md#following-productions).
   * @throws DomainError `validation_failed` for one after which changes may have been deleted
   */
  async follow(
    filter: ProductionChangeFilter,
    after: string | null,
    follower: Follower,
  ): Promise<AsyncGenerator<ProductionChange, void, undefined>> {
    await assertKept(this.#deps.db, PRODUCTION, after);
    return this.#follow(filter, after, follower);
  }

  async *#follow(
    filter: ProductionChangeFilter,
    after: string | null,
    { signal, ...identity }: Follower,
  ): AsyncGenerator<ProductionChange, void, undefined> {
    if (isUnstorable(filter.entityType) || isUnstorable(filter.project)) return;
    const { db, changes } = this.#deps;
    const alike = JSON.stringify([filter, visibilityKey(identity)]);
    for await (const { changedAt, ...production } of followChanges({
      after,
      last: () => lastChange(db, PRODUCTION),
      page: (place) =>
        this.#shared(`${place} ${alike}`, () => productionChangesAfter(db, identity.projects, place, filter)),
      notifier: changes,
      key: PRODUCTION.name,
      actor: identity.actor,
      signal,
    }))
      yield { at: changedAt, production };
  }

  /**
   * One production: its state, then each change, until it has ended.
   * @param read as the caller sees it
   * @throws DomainError `not_found`
   */
  async one(
    id: string,
    read: (id: string) => Promise<Production | null>,
    signal: AbortSignal | undefined,
  ): Promise<AsyncIterableIterator<Production>> {
    if (!(await read(id))) throw notFound('production', id);
    return this.#one(id, read, signal);
  }

  async *#one(
    id: string,
    read: (id: string) => Promise<Production | null>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Production, void, undefined> {
    const { db, progress } = this.#deps;
    const waiter = await progress.waiter(id, signal);
    try {
      for (let last: string | null | undefined; signal?.aborted !== true;) {
        const change = await changeOf(db, id); // before the state: a change in between is told once more
        const production = await read(id);
        if (production === null) return;
        const isNews = last === undefined || change !== last;
        last = change;
        if (isNews) yield production;
        if (isOver(production)) return;
        await waiter.next();
      }
    } finally {
      await waiter.release();
    }
  }
}
