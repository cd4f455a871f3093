// Reads the run log: what a caller may see of it, page by page, and batched for whole lists of triggers, runs and entities.
import { notFound } from '../../../platform/errors.ts';
import { grouped } from '../../../platform/grouped.ts';
import type { Caller } from '../../../platform/identity.ts';
import { keyedLoader } from '../../../platform/keyed-loader.ts';
import {
  checkPage,
  decodeCursor,
  instantPart,
  type PageBounds,
  pageOf,
  textPart,
} from '../../../platform/paging.ts';
import { isStorable, type Queryable } from '../../../platform/queryable.ts';
import { followRun } from './follow-run.ts';
import type { ProgressBell } from './progress-bell.ts';
import type { EntityRuns } from './entity-runs.ts';
import type { Run, RunStatus } from './run.ts';
import * as store from './runs.store.ts';

export interface RunPageArguments extends PageBounds {
  readonly status: RunStatus | null;
  readonly cursor: string | null;
}

/** A page, and what is needed to count what it is a page of. */
export interface RunPage {
  readonly runs: readonly Run[];
  readonly nextCursor: string | null;
  readonly trigger: string | null;
  readonly status: RunStatus | null;
}

const ORDER = [instantPart, textPart];

/** The run log as one operation's caller sees it: other projects' runs do not exist (contract 1.3). */
export class RunService {
  readonly #db: Queryable;
  readonly #caller: Caller;
  readonly #bell: ProgressBell;
  readonly #pagesOfTriggers;
  readonly #totalsOfTriggers;
  readonly #entityRuns: EntityRuns;
  readonly #entitiesOfRuns;

  constructor(db: Queryable, caller: Caller, bell: ProgressBell, entityRuns: EntityRuns) {
    this.#db = db;
    this.#entityRuns = entityRuns;
    this.#bell = bell;
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

  /** One run; null for one that does not exist or is another project's. */
  async get(runId: string): Promise<Run | null> {
    return isStorable(runId) ? store.findRun(this.#db, this.#caller.projects, runId) : null;
  }

  /** One run as it goes on (see {@link followRun}). @throws DomainError `not_found` */
  async follow(runId: string, signal: AbortSignal | undefined): Promise<AsyncIterableIterator<Run>> {
    const run = await this.get(runId);
    if (!run) throw notFound('run', runId);
    return followRun(run, () => this.get(runId), this.#bell, signal);
  }

  /** A page of the log, newest first. @throws DomainError `invalid_request` for bounds or a cursor that are none */
  async page(trigger: string | null, args: RunPageArguments): Promise<RunPage> {
    const query = this.#query(args);
    const rows =
      trigger !== null && !isStorable(trigger)
        ? []
        : await store.listRuns(this.#db, this.#caller.projects, trigger, query);
    return this.#pageOf(rows, trigger, args);
  }

  /** The same for one trigger among several: the pages of one operation are read together. */
  async pageOfTrigger(trigger: string, args: RunPageArguments): Promise<RunPage> {
    return this.#pageOf(await this.#pagesOfTriggers(trigger, this.#query(args)), trigger, args);
  }

  /** How many runs there are on all pages of what this is a page of. */
  async total({ trigger, status }: RunPage): Promise<number> {
    if (trigger === null) return store.countRuns(this.#db, this.#caller.projects, status);
    return isStorable(trigger) ? this.#totalsOfTriggers(trigger, status) : 0;
  }

  /** The newest runs that wrote or produced an entity. @throws DomainError `invalid_request` */
  async ofEntity(entityId: string, limit: number): Promise<readonly Run[]> {
    checkPage({ limit, offset: 0 });
    return isStorable(entityId) ? this.#entityRuns.of(entityId, limit, this.#caller) : []; // one that is no id would cost its neighbours their answer
  }

  /** References to the entities that a run wrote or produced. @throws DomainError `invalid_request` */
  async entitiesOf(runId: string, { limit, offset }: PageBounds): Promise<readonly { id: string }[]> {
    checkPage({ limit, offset });
    return this.#entitiesOfRuns(runId, { limit, offset });
  }

  #query({ status, limit, offset, cursor }: RunPageArguments): store.RunQuery {
    checkPage({ limit, offset });
    return { status, offset, limit: limit + 1, after: decodeCursor(cursor, ORDER) };
  }

  #pageOf(rows: readonly Run[], trigger: string | null, { limit, status }: RunPageArguments): RunPage {
    const { items, nextCursor } = pageOf(rows, limit, (run) => [run.queuedAt, run.runId]);
    return { runs: items, nextCursor, trigger, status };
  }
}
