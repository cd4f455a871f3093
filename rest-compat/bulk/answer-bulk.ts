// Answers the row that ingests many entities: its body is read as it comes, written in batches, and answered with what
// became of each row (docs/reference/metadata.md#bulk-ingest-over-rest).
import type { ComponentExtensions } from '../../platform/component.ts';
import { DomainError, masked } from '../../platform/errors.ts';
import { endOfCredential } from '../../platform/identity.ts';
import { type HeldBytes, holdBytes, payerOf } from '../../platform/intake/byte-budget.ts';
import { jsonLimitsFor } from '../../platform/intake/intake.ts';
import { watchBody } from '../../platform/intake/intake.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { Turn } from '../../platform/turns.ts';
import type { Fail } from '../answering.ts';
import type { RestRoute } from '../route.ts';
import {
  type BulkOptions,
  ingest,
  type Ingested,
  refusalOf,
  refusalsOf,
  type Told,
  toldOf,
} from './ingest-batch.ts';
import { around, Outcomes } from './outcomes.ts';
import { columnsAtFault, type Entity, readRow, type Row, type UnreadRow } from './read-row.ts';
import { bodyRows } from './body-rows.ts';
import { type BulkMode, bulkModeOf } from './mode.ts';

/** Rows, and bytes of rows, that are written at once. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 1024 * 1024;
/** Rows, and bytes of rows, that may be judged together: they are one operation. */
const TOGETHER_ROWS = 20_000;
const TOGETHER_BYTES = 8 * 1024 * 1024;

const tooMany = (): DomainError =>
  new DomainError(
    'payload_too_large',
    `with dry_run or all_or_nothing a request has at most ${TOGETHER_ROWS} rows and ${TOGETHER_BYTES} bytes of rows, because they are judged together`,
    { limit: TOGETHER_BYTES, maximum: TOGETHER_ROWS },
  );

/** The work of one request. */
class BulkIngest {
  readonly #options: BulkOptions;
  readonly #route: RestRoute;
  readonly #ctx: RequestContext;
  readonly #mode: BulkMode;
  readonly #outcomes: Outcomes;
  /** Of rows that are being read, and of those that are being written. */
  #held: HeldBytes;
  #heldBeside: HeldBytes;
  readonly #turn = new Turn();
  #extensions: ComponentExtensions = {};
  #batch: Row[] = [];
  #bytes = 0;
  #rows = 0;
  /** Whether a batch was written. */
  #hasWritten = false;
  /** The batch that is written while the next one is read, and why it failed. */
  #writing: Promise<void> = Promise.resolve();
  #failure: { readonly thrown: unknown } | undefined;

  constructor(
    options: BulkOptions,
    route: RestRoute,
    ctx: RequestContext,
    mode: BulkMode,
    hold: () => HeldBytes,
  ) {
    this.#options = options;
    this.#route = route;
    this.#ctx = ctx;
    this.#mode = mode;
    this.#held = hold();
    this.#heldBeside = hold();
    this.#outcomes = new Outcomes(ctx, hold());
  }

  /** @throws DomainError where nothing was written */
  async run(): Promise<void> {
    await (this.#mode.dryRun || this.#mode.allOrNothing ? this.#together() : this.#inBatches());
    await this.#end();
  }

  /** Reads all rows before any of them is looked at. */
  async #together(): Promise<void> {
    for await (const one of this.#bodyRows()) {
      await this.#read(one);
      if (this.#rows > TOGETHER_ROWS || this.#bytes > TOGETHER_BYTES) throw tooMany();
    }
    await this.#write();
  }

  #bodyRows(): AsyncGenerator<UnreadRow, void, undefined> {
    const { table } = this.#mode;
    return bodyRows(this.#ctx, this.#take, table, this.#options.prepare);
  }

  readonly #take = (bytes: number): void => {
    this.#held.take(bytes);
  };

  async #read(one: UnreadRow): Promise<void> {
    if (this.#turn.isOver) await this.#turn.next(); // hundreds of thousands may have come that are soon refused
    const json = { limits: jsonLimitsFor(this.#ctx.req), hold: this.#take };
    this.#batch.push(await readRow(one, this.#rows++, this.#ctx, { type: this.#mode.type, json }));
    this.#bytes += 'text' in one ? one.text.length : 0;
  }

  async #inBatches(): Promise<void> {
    try {
      for await (const one of this.#bodyRows()) {
        await this.#read(one);
        if (this.#batch.length >= BATCH_ROWS || this.#bytes >= BATCH_BYTES) await this.#writeBeside();
        else if (this.#failure !== undefined) await this.#written();
      }
      await this.#written();
      await this.#write();
    } catch (fault) {
      const thrown = await this.#causeOf(fault);
      const error = masked(thrown);
      // what was written before is told
      if (error.code === 'internal_error' || (!this.#hasWritten && this.#batch.length === 0)) throw thrown;
      const last = await this.#writeLast(error);
      const message = `${last.message}; rows from here on were not written`;
      this.#outcomes.add({ row: this.#rows, ...refusalOf(last), message });
    }
  }

  /** One batch at a time, in their order: while it is written, the next one is read. @throws as {@link BulkIngest.#written} */
  async #writeBeside(): Promise<void> {
    await this.#written();
    this.#writing = this.#write().catch((thrown: unknown) => {
      this.#failure = { thrown };
    });
  }

  /** The batch under way is written. @throws why it is not; what was read since is given up then */
  async #written(): Promise<void> {
    await this.#writing;
    if (this.#failure === undefined) return;
    this.#rows -= this.#batch.length;
    [this.#batch, this.#bytes] = [[], 0];
    throw this.#failure.thrown;
  }

  /** What ended it first: the batch under way, or the fault. */
  async #causeOf(fault: unknown): Promise<unknown> {
    try {
      await this.#written();
      return fault;
    } catch (earlier) {
      return earlier;
    }
  }

  /** What had come before the fault. The error to tell; @throws DomainError where nothing was written at all */
  async #writeLast(fault: DomainError): Promise<DomainError> {
    try {
      await this.#write();
      return fault;
    } catch (thrown) {
      if (!this.#hasWritten) throw thrown;
      return masked(thrown); // its rows have been told of
    }
  }

  /** @throws DomainError where it is the first batch, and none of it was looked at */
  async #write(): Promise<void> {
    const [batch, held] = [this.#batch, this.#held];
    [this.#batch, this.#bytes] = [[], 0];
    [this.#held, this.#heldBeside] = [this.#heldBeside, held];
    const entities = batch.flatMap(({ entity }) => entity ?? []);
    let told: ReadonlyMap<Entity, Told> = new Map();
    let failed: DomainError | undefined;
    const full = batch.length > 0 ? this.#outcomes.full : undefined;
    if (entities.length > 0 || full)
      try {
        if (full) throw full;
        const ended = endOfCredential(this.#ctx.caller);
        if (ended) throw ended;
        told = await this.#ingested(entities, entities.length < batch.length);
        this.#hasWritten = true;
      } catch (thrown) {
        if (!this.#hasWritten) throw thrown;
        const fault = masked(thrown);
        failed = fault;
        told = new Map(entities.map((entity) => [entity, refusalOf(fault)]));
      }
    for (const one of batch) {
      const { row, line, entity, fault } = one;
      const became = { ...(entity && told.get(entity)), ...(fault && refusalOf(fault)) };
      const column = became['message'] === undefined ? null : columnsAtFault(one, became['details']);
      this.#outcomes.add({
        row,
        ...(line === null ? {} : { line }),
        ...(column === null ? {} : { column }),
        ...(entity === null ? {} : { id: entity.id }),
        ...became,
      });
    }
    held.release();
    if (failed !== undefined) throw failed; // the rows after it would fare no better
    if (this.#outcomes.isTooMuch) await this.#outcomes.flush(this.#around()[0], false);
  }

  /** @param hasFaults whether there are rows beside them that are no entities */
  async #ingested(entities: readonly Entity[], hasFaults: boolean): Promise<ReadonlyMap<Entity, Told>> {
    const { allOrNothing, dryRun } = this.#mode;
    if (!allOrNothing || dryRun) return this.#noted(await this.#ingest(entities, { dryRun }), entities);
    const done = hasFaults ? null : await this.#ingest(entities, { allOrNothing });
    if (done?.errors.length === 0) return this.#noted(done, entities);
    // nothing was written: all the reasons, not only the first
    const others = refusalsOf(await this.#ingest(entities, { dryRun: true }), entities);
    return done === null ? others : new Map([...others, ...refusalsOf(done, entities)]);
  }

  async #ingest(
    entities: readonly Entity[],
    how: { readonly allOrNothing?: boolean; readonly dryRun?: boolean },
  ): Promise<Ingested> {
    const { context } = this.#mode;
    const variables = { entities, context, ...how };
    const { done, extensions } = await ingest(this.#options, this.#route, variables, this.#ctx);
    this.#extensions = extensions;
    return done;
  }

  #noted(done: Ingested, entities: readonly Entity[]): ReadonlyMap<Entity, Told> {
    for (const name of ['created', 'updated', 'unchanged'] as const)
      this.#outcomes.counts[name] += done[name];
    return toldOf(done, entities);
  }

  async #end(): Promise<void> {
    if (this.#extensions.schemaVersion === undefined) this.#extensions = await this.#options.extensions();
    const [before, after] = this.#around();
    await this.#outcomes.flush(before, true);
    this.#outcomes.end(after);
  }

  #around(): readonly [string, string] {
    const extensions = { ...this.#extensions, warnings: [...this.#mode.warnings] };
    return around(this.#options.envelope, this.#ctx.requestId, extensions);
  }
}

/** Answers the row. @throws as `fail` */
export function answeringBulk(
  options: BulkOptions,
  fail: Fail,
): (route: RestRoute, ctx: RequestContext) => Promise<void> {
  return async (route, ctx) => {
    const budget = watchBody(ctx.req, true, () => undefined);
    const all: HeldBytes[] = [];
    const hold = (): HeldBytes => {
      const held = holdBytes(budget, payerOf(ctx.caller.actor, ctx.ip));
      all.push(held);
      return held;
    };
    const release = (): void => all.forEach((held) => held.release());
    ctx.res.once('close', release);
    try {
      const mode = bulkModeOf(route, ctx, options.refuse);
      await new BulkIngest(options, route, ctx, mode, hold).run();
    } catch (thrown) {
      const ended = endOfCredential(ctx.caller);
      if (ctx.caller.signal?.aborted === true && ended === undefined) return;
      if (ctx.res.headersSent) ctx.res.destroy();
      await fail(ctx, ended ?? thrown);
    } finally {
      if (ctx.res.closed) release(); // what was taken since
    }
  };
}
