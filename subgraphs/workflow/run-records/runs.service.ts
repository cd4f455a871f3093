// Reads the run log as a caller may see it: in pages, and batched for lists of triggers, runs and entities.
import { notFound } from '../../../platform/errors.ts';
import { grouped } from '../../../platform/grouped.ts';
import type { Caller } from '../../../platform/identity.ts';
import { keyedLoader } from '../../../platform/keyed-loader.ts';
import type { Notifier } from '../../../platform/notifier.ts';
import {
  checkPage,
  offsetOf,
  instantPart,
  type PageBounds,
  pageOf,
  textPart,
} from '../../../platform/paging.ts';
import { type Past, readInstant } from '../../../platform/past/past.ts';
import type { TableChanges } from '../../../platform/past/table-changes.ts';
import { hasNoNul, isUnstorable, type Queryable } from '../../../platform/queryable.ts';
import type { EntityRuns } from './entity-runs.ts';
import { followRun } from './follow-run.ts';
import type { RunCommands } from './run-commands.service.ts';
import type { RunChangeFilter } from './run-changes.store.ts';
import type { Run } from './run.ts';
import * as store from './runs.store.ts';

export interface RunPageArguments extends PageBounds {
  /** Its instants as they were given. */
  readonly filter: store.RunFilter;
  readonly cursor: string | null;
  /** As of which time; null for that of the operation. */
  readonly asOf: string | null;
}

/** A page, and the filter for its total. */
export interface RunPage {
  readonly runs: readonly Run[];
  readonly nextCursor: string | null;
  readonly trigger: string | null;
  readonly filter: store.RunCount;
}

export interface RunServiceDeps {
  readonly db: Queryable;
  /** Notifies of changed runs, by their ids. */
  readonly progress: Notifier;
  readonly entityRuns: EntityRuns;
  readonly past: Past;
}

const ORDER = [instantPart, textPart];

/** What no run can have, since it could not be stored. */
const findsNone = ({ project, causedBy, requestId, error }: store.RunFilter): boolean =>
  [project, causedBy, requestId, error].some(isUnstorable);

/**
 * The run log as one operation's caller sees it: other projects' runs do not exist
 * (docs/reference/workflow.md#who-sees-a-run).
 */
export class RunService {
  readonly #db: Queryable;
  readonly #caller: Caller;
  readonly #progress: Notifier;
  readonly #past: Past;
  readonly #pagesOfTriggers;
  readonly #totalsOfTriggers;
  readonly #entityRuns: EntityRuns;
  readonly #runsOfEntities;
  readonly #entitiesOfRuns;

  constructor({ db, progress, entityRuns, past }: RunServiceDeps, caller: Caller) {
    this.#db = db;
    this.#past = past;
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
      async (triggers, filter: store.RunCount) =>
        new Map(
          (await store.countRunsOfTriggers(db, projects, triggers, filter)).map((row) => [
            row.trigger,
            row.total,
          ]),
        ),
      0,
    );
    this.#runsOfEntities = keyedLoader(
      async (ids, page: PageBounds & { readonly asOf: string | null }) =>
        grouped(
          await store.listRunsOfEntities(db, projects, ids, page),
          (run) => run.entityId,
          (run): Run => run,
        ),
      [],
    );
    this.#entitiesOfRuns = keyedLoader(
      async (ids, page: PageBounds & { readonly asOf: string | null }) =>
        grouped(
          await store.listEntitiesOfRuns(db, ids, page),
          (row) => row.runId,
          (row) => ({ id: row.entityId }),
        ),
      [],
    );
  }

  /** One run; null for an unknown run or another project's. @throws DomainError as {@link Past.instant} */
  async get(runId: string, asOf: string | null = null): Promise<Run | null> {
    const at = await this.#past.instant(asOf);
    return hasNoNul(runId) ? store.findRun(this.#db, this.#caller.projects, runId, at) : null;
  }

  /** Follows a run (see {@link followRun}). @throws DomainError `not_found` */
  async follow(runId: string, signal: AbortSignal | undefined): Promise<AsyncIterableIterator<Run>> {
    const run = await this.get(runId);
    if (!run) throw notFound('run', runId);
    return followRun(run, () => this.get(runId), this.#progress, signal);
  }

  /**
   * A page of the log, newest first.
   * @throws DomainError `invalid_request` for invalid bounds or cursor; as {@link Past.instant}
   */
  async page(trigger: string | null, args: RunPageArguments): Promise<RunPage> {
    const { query, end } = await this.#query(args);
    const rows =
      isUnstorable(trigger) || findsNone(query)
        ? []
        : await store.listRuns(this.#db, this.#caller.projects, trigger, query);
    return this.#pageOf(rows, trigger, args.limit, query, end);
  }

  /** The same for one of several triggers: the pages of one operation are read together. */
  async pageOfTrigger(trigger: string, args: RunPageArguments): Promise<RunPage> {
    const { query, end } = await this.#query(args);
    const rows = findsNone(query) ? [] : await this.#pagesOfTriggers(trigger, query);
    return this.#pageOf(rows, trigger, args.limit, query, end);
  }

  /** The total number of runs for a page's filter. */
  async total({ trigger, filter }: RunPage): Promise<number> {
    if (isUnstorable(trigger) || findsNone(filter)) return 0;
    return trigger === null
      ? store.countRuns(this.#db, this.#caller.projects, filter)
      : this.#totalsOfTriggers(trigger, filter);
  }

  /** The newest runs that wrote or produced an entity. @throws DomainError `invalid_request` */
  async ofEntity(entityId: string, { limit, offset }: PageBounds): Promise<readonly Run[]> {
    checkPage({ limit, offset });
    // an invalid id would fail the whole batch
    if (!hasNoNul(entityId)) return [];
    const page = { limit: limit + 1, offset };
    const asOf = await this.#past.instant(null);
    const shared = await this.#entityRuns.of(entityId, page, this.#caller, asOf);
    return shared ?? this.#runsOfEntities(entityId, { ...page, asOf });
  }

  /** References to the entities that a run wrote or produced. @throws DomainError `invalid_request` */
  async entitiesOf(
    { runId, asOf }: Pick<Run, 'runId' | 'asOf'>,
    { limit, offset }: PageBounds,
  ): Promise<readonly { id: string }[]> {
    checkPage({ limit, offset });
    return this.#entitiesOfRuns(runId, { limit: limit + 1, offset, asOf });
  }

  async #query({
    filter,
    limit,
    offset,
    cursor,
    ...args
  }: RunPageArguments): Promise<{ readonly query: store.RunQuery; readonly end: readonly string[] }> {
    checkPage({ limit, offset });
    const { after, asOf, end } = await this.#past.place(cursor, ORDER, args.asOf);
    const between = {
      since: readInstant(filter.since, 'since'),
      until: readInstant(filter.until, 'until'),
    };
    const bounds = { offset: offsetOf({ offset }, after), limit: limit + 1, after };
    return { query: { ...filter, ...between, ...bounds, asOf }, end };
  }

  #pageOf(
    rows: readonly Run[],
    trigger: string | null,
    limit: number,
    { asOf, status, project, since, until, causedBy, requestId, error }: store.RunQuery,
    end: readonly string[],
  ): RunPage {
    const { items, nextCursor } = pageOf(rows, limit, (run) => [run.queuedAt, run.runId, ...end]);
    const filter = { asOf, status, project, since, until, causedBy, requestId, error };
    return { runs: items, nextCursor, trigger, filter };
  }
}

/** The slice of the resolvers' context. */
export interface RunSlice {
  readonly runs: RunService;
  readonly commands: RunCommands;
  readonly runChanges: TableChanges<Run, RunChangeFilter>;
}
