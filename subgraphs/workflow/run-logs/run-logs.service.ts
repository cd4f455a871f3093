// Reads the logs of runs, page by page and as they grow.
import { badRequest, notFound } from '../../../platform/errors.ts';
import { grouped } from '../../../platform/grouped.ts';
import { keyedLoader } from '../../../platform/keyed-loader.ts';
import type { Notifier } from '../../../platform/notifier.ts';
import { checkPage, MAX_PAGE } from '../../../platform/paging.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { isOver } from '../run-records/follow-run.ts';
import type { RunLogLine } from '../run-records/run-log.ts';
import { countLines, listLogs, type LogPage } from '../run-records/run-logs.store.ts';
import type { Run } from '../run-records/run.ts';
import type { RunService } from '../run-records/runs.service.ts';

type Shown = Pick<Run, 'runId' | 'asOf'>;

/** A page, and the run for its total. */
export interface RunLogPage {
  readonly lines: readonly RunLogLine[];
  readonly run: Shown;
}

function checkAfter(after: number): void {
  if (after < 0) throw badRequest('after must be the number of a line, or 0');
}

/** Logs as one operation's caller sees them: those of runs that it sees (docs/reference/workflow.md#who-sees-a-run). */
export class RunLogService {
  readonly #db: Queryable;
  readonly #runs: Pick<RunService, 'get'>;
  readonly #growth: Notifier;
  readonly #pages;
  readonly #totals;

  /** @param growth notifies of logs that have grown, by the ids of their runs */
  constructor(db: Queryable, runs: Pick<RunService, 'get'>, growth: Notifier) {
    this.#db = db;
    this.#runs = runs;
    this.#growth = growth;
    this.#pages = keyedLoader(
      async (ids, page: LogPage) =>
        grouped(
          await listLogs(db, ids, page),
          (line) => line.runId,
          (line): RunLogLine => line,
        ),
      [],
    );
    this.#totals = keyedLoader(
      async (ids, asOf: string | null) =>
        new Map((await countLines(db, ids, asOf)).map(({ runId, total }) => [runId, total])),
      0,
    );
  }

  /** A page of the log of a run whose visibility has been checked. @throws DomainError `invalid_request` */
  async page(
    { runId, asOf }: Shown,
    { limit, after }: { readonly limit: number; readonly after: number },
  ): Promise<RunLogPage> {
    checkPage({ limit, offset: 0 });
    checkAfter(after);
    return { lines: await this.#pages(runId, { limit, after, asOf }), run: { runId, asOf } };
  }

  /** The number of lines of the whole log. */
  async total({ run: { runId, asOf } }: RunLogPage): Promise<number> {
    return this.#totals(runId, asOf);
  }

  /** Every line after one, until the run has ended. @throws DomainError `not_found`, `invalid_request` */
  async follow(
    runId: string,
    after: number,
    signal: AbortSignal | undefined,
  ): Promise<AsyncIterableIterator<RunLogLine>> {
    checkAfter(after);
    if (!(await this.#runs.get(runId))) throw notFound('run', runId);
    return this.#follow(runId, after, signal);
  }

  async *#follow(
    runId: string,
    after: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<RunLogLine, void, undefined> {
    const waiter = await this.#growth.waiter(runId, signal);
    try {
      for (let last = after; signal?.aborted !== true;) {
        // before the lines: those of its end are stored with it
        const run = await this.#runs.get(runId);
        if (!run) return;
        const lines = await listLogs(this.#db, [runId], { after: last, limit: MAX_PAGE, asOf: null });
        for (const line of lines) yield line;
        last = lines.at(-1)?.number ?? last;
        if (lines.length === MAX_PAGE) continue;
        if (isOver(run)) return;
        await waiter.next();
      }
    } finally {
      await waiter.release();
    }
  }
}

/** The slice of the resolvers' context. */
export interface RunLogSlice {
  readonly runLogs: RunLogService;
}
