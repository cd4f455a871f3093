// Reads the run log as a caller may see it: in pages, and batched for lists of triggers, runs and entities.
import { notFound } from '../../../platform/errors.ts';
import { grouped } from '../../../platform/grouped.ts';
import type { Caller } from '../../../platform/identity.ts';
import { keyedLoader } from '../../../platform/keyed-loader.ts';
import type { Notifier } from '../../../platform/notifier.ts';
import {
  checkPage,
  offsetOf,
  decodeCursor,
  instantPart,
  type PageBounds,
  pageOf,
  textPart,
} from '../../../platform/paging.ts';
import { hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import type { EntityRuns } from './entity-runs.ts';
import { followRun } from './follow-run.ts';
import type { RunCommands } from './run-commands.service.ts';
import type { Run, RunStatus } from './run.ts';
import * as store from './runs.store.ts';

export interface RunPageArguments extends PageBounds {
  readonly status: RunStatus | null;
  readonly cursor: string | null;
}

/** A page, and the filter for its total. */
export interface RunPage {
  readonly runs: readonly Run[];
  readonly nextCursor: string | null;
  readonly trigger: string | null;
  readonly status: RunStatus | null;
}

const ORDER = [instantPart, textPart];

/**
 * The run log as one operation's caller sees it: other projects' runs do not exist
 * (docs/reference/workflow.md#who-sees-a-run).
 */
export class RunService {
  readonly #db: Queryable;
  readonly #caller: Caller;
  /** Notifies of changed runs, by their ids. */
  readonly #progress: Notifier;
  readonly #pagesOfTriggers;
  readonly #totalsOfTriggers;
  readonly #entityRuns: EntityRuns;
  readonly #runsOfEntities;
  readonly #entitiesOfRuns;

  constructor(db: Queryable, caller: Caller, progress: Notifier, entityRuns: EntityRuns) {
    this.#db = db;
    this.#entityRuns = entityRuns;
    this.#progress = progress;
    this.#caller = caller;
    const { projects } = caller;
    this.#pagesOfTriggers = keyedLoader(
      async (triggers, query: store.RunQuery) =>
        grouped(
          await store.listRunsOfTriggers(db, projects, triggers, query),
          (run) => run.triggerName,
          (run): Run => run,
        ),
      [],
    );
    this.#totalsOfTriggers = keyedLoader(
      async (triggers, status: RunStatus | null) =>
        new Map(
          (await store.countRunsOfTriggers(db, projects, triggers, status)).map((row) => [
            row.trigger,
            row.total,
          ]),
        ),
      0,
    );
    this.#runsOfEntities = keyedLoader(
      async (ids, page: PageBounds) =>
        grouped(
          await store.listRunsOfEntities(db, projects, ids, page),
          (run) => run.entityId,
          (run): Run => run,
        ),
      [],
    );
    this.#entitiesOfRuns = keyedLoader(
      async (ids, page: PageBounds) =>
        grouped(
          await store.listEntitiesOfRuns(db, ids, page),
          (row) => row.runId,
          (row) => ({ id: row.entityId }),
        ),
      [],
    );
  }

  /** One run; null for an unknown run or another project's. */
  async get(runId: string): Promise<Run | null> {
    return hasNoNul(runId) ? store.findRun(this.#db, this.#caller.projects, runId) : null;
  }

  /** Follows a run (see {@link followRun}). @throws DomainError `not_found` */
  async follow(runId: string, signal: AbortSignal | undefined): Promise<AsyncIterableIterator<Run>> {
    const run = await this.get(runId);
    if (!run) throw notFound('run', runId);
    return followRun(run, () => this.get(runId), this.#progress, signal);
  }

  /**
   * A page of the log, newest first.
   * @throws DomainError `invalid_request` for invalid bounds or cursor
   */
  async page(trigger: string | null, args: RunPageArguments): Promise<RunPage> {
    const query = this.#query(args);
    const rows =
      trigger !== null && !hasNoNul(trigger)
        ? []
        : await store.listRuns(this.#db, this.#caller.projects, trigger, query);
    return this.#pageOf(rows, trigger, args);
  }

  /** The same for one of several triggers: the pages of one operation are read together. */
  async pageOfTrigger(trigger: string, args: RunPageArguments): Promise<RunPage> {
    return this.#pageOf(await this.#pagesOfTriggers(trigger, this.#query(args)), trigger, args);
  }

  /** The total number of runs for a page's filter. */
  async total({ trigger, status }: RunPage): Promise<number> {
    if (trigger === null) return store.countRuns(this.#db, this.#caller.projects, status);
    return hasNoNul(trigger) ? this.#totalsOfTriggers(trigger, status) : 0;
  }

  /** The newest runs that wrote or produced an entity. @throws DomainError `invalid_request` */
  async ofEntity(entityId: string, { limit, offset }: PageBounds): Promise<readonly Run[]> {
    checkPage({ limit, offset });
    // an invalid id would fail the whole batch
    if (!hasNoNul(entityId)) return [];
    const page = { limit: limit + 1, offset };
    const shared = await this.#entityRuns.of(entityId, page, this.#caller);
    return shared ?? this.#runsOfEntities(entityId, page);
  }

  /** References to the entities that a run wrote or produced. @throws DomainError `invalid_request` */
  async entitiesOf(runId: string, { limit, offset }: PageBounds): Promise<readonly { id: string }[]> {
    checkPage({ limit, offset });
    return this.#entitiesOfRuns(runId, { limit: limit + 1, offset });
  }

  #query({ status, limit, offset, cursor }: RunPageArguments): store.RunQuery {
    checkPage({ limit, offset });
    const after = decodeCursor(cursor, ORDER);
    return { status, offset: offsetOf({ offset }, after), limit: limit + 1, after };
  }

  #pageOf(rows: readonly Run[], trigger: string | null, { limit, status }: RunPageArguments): RunPage {
    const { items, nextCursor } = pageOf(rows, limit, (run) => [run.queuedAt, run.runId]);
    return { runs: items, nextCursor, trigger, status };
  }
}

/** The slice of the resolvers' context. */
export interface RunSlice {
  readonly runs: RunService;
  readonly commands: RunCommands;
}
