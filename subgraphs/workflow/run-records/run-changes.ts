// Follows the runs that change, as a caller may see them.
import { type Identity, visibilityKey } from '../../../platform/identity.ts';
import type { Notifier } from '../../../platform/notifier.ts';
import {
  assertKept,
  type ChangePage,
  followChanges,
  lastChange,
  sharedReads,
} from '../../../platform/past/changes.ts';
import { hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import type { Run } from './run.ts';
import { type ChangedRun, type RunChangeFilter, runChangesAfter } from './run-changes.store.ts';
import { RUN } from './runs.store.ts';

export interface RunChange {
  readonly at: string;
  readonly run: Run;
}

type Follower = Identity & { readonly signal?: AbortSignal | undefined };

/** Lives as long as the component. */
export class RunChanges {
  readonly #db: Queryable;
  readonly #notifier: Notifier;
  readonly #shared = sharedReads<ChangePage<ChangedRun>>();

  /** @param notifier notifies of tables of the component that have changed */
  constructor(db: Queryable, notifier: Notifier) {
    this.#db = db;
    this.#notifier = notifier;
  }

  /**
   * Every visible run that changes after an instant (null: from now on), without end (docs/reference/workflow.md#following-runs).
   * @throws DomainError `validation_failed` for one after which changes may have been deleted
   */
  async follow(
    filter: RunChangeFilter,
    after: string | null,
    follower: Follower,
  ): Promise<AsyncGenerator<RunChange, void, undefined>> {
    await assertKept(this.#db, RUN, after);
    return this.#follow(filter, after, follower);
  }

  async *#follow(
    filter: RunChangeFilter,
    after: string | null,
    { signal, ...identity }: Follower,
  ): AsyncGenerator<RunChange, void, undefined> {
    if (!hasNoNul(filter.trigger ?? '') || !hasNoNul(filter.project ?? '')) return;
    const alike = JSON.stringify([filter, visibilityKey(identity)]);
    for await (const { changedAt, ...run } of followChanges({
      after,
      last: () => lastChange(this.#db, RUN),
      page: (place) =>
        this.#shared(`${place} ${alike}`, () => runChangesAfter(this.#db, identity.projects, place, filter)),
      notifier: this.#notifier,
      key: RUN.name,
      actor: identity.actor,
      signal,
    }))
      yield { at: changedAt, run };
  }
}
