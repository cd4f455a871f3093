// Follows one production as its caller may see it.
import { notFound } from '../../../platform/errors.ts';
import type { Notifier } from '../../../platform/notifier.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { changeOf } from './production-changes.store.ts';
import type { Production } from './production.ts';

type Read = (id: string) => Promise<Production | null>;

const isOver = ({ status }: Production): boolean => status !== 'queued' && status !== 'running';

/** Lives as long as the component. */
export class ProductionFollower {
  readonly #db: Queryable;
  readonly #notifier: Notifier;

  /** @param notifier notifies of changed productions, by their ids */
  constructor(db: Queryable, notifier: Notifier) {
    this.#db = db;
    this.#notifier = notifier;
  }

  /**
   * One production: its state, then each change, until it has ended.
   * @param read as the caller sees it
   * @throws DomainError `not_found`
   */
  async follow(
    id: string,
    read: Read,
    signal: AbortSignal | undefined,
  ): Promise<AsyncIterableIterator<Production>> {
    if (!(await read(id))) throw notFound('production', id);
    return this.#follow(id, read, signal);
  }

  async *#follow(
    id: string,
    read: Read,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Production, void, undefined> {
    const waiter = await this.#notifier.waiter(id, signal);
    try {
      for (let last: string | null | undefined; signal?.aborted !== true;) {
        const change = await changeOf(this.#db, id); // before the state: a change in between is told once more
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
