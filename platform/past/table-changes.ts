// The rows of one table that change, told to each follower as far as it may see them.
import { shareUnderWay } from '../coalesce.ts';
import { type Identity, visibilityKey } from '../identity.ts';
import type { Notifier } from '../notifier.ts';
import { isUnstorable, type Queryable } from '../queryable.ts';
import { assertKept, type ChangePage, followChanges, lastChange } from './changes.ts';
import type { PastTable } from './past-rows.ts';

export type Follower = Identity & { readonly signal?: AbortSignal | undefined };

/** A row, and when it changed last. */
export type Changed<Row> = Row & { readonly changedAt: string };

export interface TableChangesDeps<Row, Filter> {
  readonly db: Queryable;
  /** Notifies of tables of the component that have changed. */
  readonly notifier: Notifier;
  readonly table: PastTable;
  /** The visible rows that have changed after a time. */
  readonly page: (
    db: Queryable,
    projects: Identity['projects'],
    after: string,
    filter: Filter,
  ) => Promise<ChangePage<Changed<Row>>>;
}

/** Lives as long as the component. */
export class TableChanges<Row, Filter extends { readonly [Name in keyof Filter]: string | null }> {
  readonly #deps: TableChangesDeps<Row, Filter>;
  readonly #shared = shareUnderWay<ChangePage<Changed<Row>>>();

  constructor(deps: TableChangesDeps<Row, Filter>) {
    this.#deps = deps;
  }

  /**
   * Every visible row that changes after an instant (null: from now on), without end.
   * @throws DomainError `validation_failed` for one after which changes may have been deleted
   */
  async follow(
    filter: Filter,
    after: string | null,
    follower: Follower,
  ): Promise<AsyncGenerator<Changed<Row>, void, undefined>> {
    await assertKept(this.#deps.db, this.#deps.table, after);
    return this.#follow(filter, after, follower);
  }

  async *#follow(
    filter: Filter,
    after: string | null,
    { signal, ...identity }: Follower,
  ): AsyncGenerator<Changed<Row>, void, undefined> {
    if (Object.values<string | null>(filter).some(isUnstorable)) return;
    const { db, notifier, table, page } = this.#deps;
    const alike = JSON.stringify([filter, visibilityKey(identity)]);
    yield* followChanges({
      after,
      last: () => lastChange(db, table),
      page: (place) => this.#shared(`${place} ${alike}`, () => page(db, identity.projects, place, filter)),
      notifier,
      key: table.name,
      actor: identity.actor,
      signal,
    });
  }
}
