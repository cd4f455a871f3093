// Answers the row that ingests many entities: its body is read as it comes, written in batches, and answered with what
// became of each row (docs/reference/metadata.md#bulk-ingest-over-rest).
import { PassThrough } from 'node:stream';
import { runWithin } from '../../platform/budget/budgeted.ts';
import { DEFAULT_OPERATION_LIMITS, type OperationLimits } from '../../platform/budget/limits.ts';
import type { ComponentExtensions } from '../../platform/component.ts';
import { DomainError, masked } from '../../platform/errors.ts';
import { endOfCredential } from '../../platform/identity.ts';
import { type HeldBytes, holdBytes, payerOf } from '../../platform/intake/byte-budget.ts';
import { jsonLimitsFor, watchBody } from '../../platform/intake/intake.ts';
import { assertPlainEncoding, hasBody, mediaType } from '../../platform/read-body.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { drained } from '../../platform/send-event-stream.ts';
import { Turn } from '../../platform/turns.ts';
import { type Fail, headersOf, type Prepare } from '../answering.ts';
import type { Envelope } from '../envelopes.ts';
import { domainErrorOf } from '../failing.ts';
import { readParameters } from '../parameters.ts';
import type { RestRoute } from '../route.ts';
import { type Entity, readRow, type Row } from './read-row.ts';
import { elementsOf, type Hold, linesOf, type RowText } from './rows-of.ts';
import { unheededPreconditions, warningsOf } from '../unheeded.ts';

/** Rows, and bytes of rows, that are written at once. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 1024 * 1024;
/** Bytes that wait between the connection and the parser. */
const READ_AHEAD = 128 * 1024;
/** Bytes of outcomes that wait for the end of the body; beyond, the answer begins before. */
const HELD_BYTES = 16 * 1024 * 1024;
const LINES = ['application/x-ndjson', 'application/jsonl', 'application/ndjson'];
/** Placeholder of the payload in its envelope. */
const PAYLOAD = '\u0000';

interface Ingested {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly changes: readonly ('CREATED' | 'UPDATED' | 'UNCHANGED' | null)[];
  readonly results: readonly ({ readonly id: string; readonly version: number } | null)[];
  readonly errors: readonly {
    readonly index: number;
    readonly code: number;
    readonly message: string;
    readonly rule_id: string | null;
    readonly details: unknown;
  }[];
}

export interface BulkOptions {
  readonly prepare: Prepare;
  readonly envelope: Envelope;
  readonly refuse: (message: string) => DomainError;
  readonly extensions: () => Promise<ComponentExtensions>;
  readonly limits?: OperationLimits;
}

/** Collects outcomes, and sends them when there are too many to wait. */
class Outcomes {
  readonly #ctx: RequestContext;
  readonly #held: HeldBytes;
  #texts: string[] = [];
  #bytes = 0;
  #isFirst = true;
  readonly counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };

  constructor(ctx: RequestContext, held: HeldBytes) {
    this.#ctx = ctx;
    this.#held = held;
  }

  add(outcome: Readonly<Record<string, unknown>>): void {
    const text = `${this.#isFirst ? '' : ','}${JSON.stringify(outcome)}`;
    this.#isFirst = false;
    this.#texts.push(text);
    this.#bytes += text.length;
    this.#held.take(text.length);
    if (outcome['message'] !== undefined) this.counts.failed++;
  }

  get isTooMuch(): boolean {
    return this.#bytes > HELD_BYTES;
  }

  /**
   * Sends what there is, and goes on when it was taken. Before the end nobody knows whether all rows will be
   * accepted, so that 200 cannot be said.
   */
  async flush(before: string, isEnd: boolean): Promise<void> {
    const { res } = this.#ctx;
    const text = this.#texts.join('');
    this.#texts = [];
    this.#bytes = 0;
    if (!res.headersSent) {
      res.writeHead(isEnd && this.counts.failed === 0 ? 200 : 207, {
        'content-type': 'application/json; charset=utf-8',
      });
      res.write(`${before}{"outcomes":[`);
    }
    if (text !== '' && !res.write(text)) await drained(res);
    this.#held.release();
  }

  end(after: string): void {
    this.#ctx.res.end(`],${JSON.stringify(this.counts).slice(1)}${after}`);
  }
}

/** The rows of the body, as it comes. @throws DomainError `unsupported_media_type` */
function rowsIn(ctx: RequestContext, hold: Hold): AsyncGenerator<RowText, void, undefined> {
  const { req, caller } = ctx;
  const type = mediaType(ctx);
  assertPlainEncoding(ctx);
  const isLines = type !== undefined && LINES.includes(type);
  if (!isLines && type !== undefined && type !== 'application/json' && hasBody(req))
    throw new DomainError(
      'unsupported_media_type',
      `the body must be application/json (an array) or application/x-ndjson (lines), not ${type}`,
    );
  const body = new PassThrough({ highWaterMark: READ_AHEAD });
  req.pipe(body);
  req.on('close', () => {
    if (!req.complete) body.destroy(new DomainError('invalid_request', 'the body ended prematurely'));
  });
  watchBody(req, true, (late) => {
    body.destroy(late);
  });
  caller.signal?.addEventListener(
    'abort',
    () => {
      const ended = endOfCredential(caller);
      if (ended) body.destroy(ended);
    },
    { once: true },
  );
  return isLines ? linesOf(body, hold) : elementsOf(body, hold);
}

/** What became of the entities of a batch, in their order. @throws DomainError where none of them was looked at */
async function ingest(
  { prepare, limits = DEFAULT_OPERATION_LIMITS }: BulkOptions,
  route: RestRoute,
  entities: readonly Entity[],
  context: unknown,
  { caller }: RequestContext,
): Promise<{ readonly done: Ingested; readonly extensions: ComponentExtensions }> {
  const { run } = prepare(route.operation);
  const { result, budget } = await runWithin(limits, caller, false, (budgeted) =>
    run({ entities, context }, budgeted),
  );
  budget.close();
  const error = result.errors?.[0];
  if (error) throw domainErrorOf(error);
  const text = result.texts?.[route.pick];
  const done = (text === undefined ? result.data?.[route.pick] : JSON.parse(text)) as Ingested; // as selected
  return { done, extensions: result.extensions ?? {} };
}

const refusalOf = ({ status, message, details }: DomainError): Readonly<Record<string, unknown>> => ({
  code: status,
  message,
  rule_id: null,
  details,
});

/** The work of one request. */
class BulkIngest {
  readonly #options: BulkOptions;
  readonly #route: RestRoute;
  readonly #ctx: RequestContext;
  readonly #outcomes: Outcomes;
  /** Of rows that have not been written. */
  readonly #held: HeldBytes;
  #extensions: ComponentExtensions = {};
  readonly #warnings: readonly string[];
  #batch: Row[] = [];
  #bytes = 0;
  #rows = 0;
  /** Whether a batch was written. */
  #hasWritten = false;

  constructor(
    options: BulkOptions,
    route: RestRoute,
    ctx: RequestContext,
    { warnings, hold }: { readonly warnings: readonly string[]; readonly hold: () => HeldBytes },
  ) {
    this.#options = options;
    this.#route = route;
    this.#ctx = ctx;
    this.#warnings = warnings;
    this.#held = hold();
    this.#outcomes = new Outcomes(ctx, hold());
  }

  /** @param type of rows that name none @throws DomainError where nothing was written */
  async run(type: string | null, context: unknown): Promise<void> {
    const turn = new Turn();
    const reading = { type, json: { limits: jsonLimitsFor(this.#ctx.req), hold: this.#held.take } };
    try {
      for await (const one of rowsIn(this.#ctx, this.#held.take)) {
        if (turn.isOver) await turn.next(); // hundreds of thousands may have come that are soon refused
        this.#batch.push(await readRow(one, this.#rows++, this.#ctx, reading));
        this.#bytes += one.text.length;
        if (this.#batch.length >= BATCH_ROWS || this.#bytes >= BATCH_BYTES) await this.#write(context);
      }
      await this.#write(context);
    } catch (thrown) {
      const error = masked(thrown);
      // what was written before is told
      if (error.code === 'internal_error' || (!this.#hasWritten && this.#batch.length === 0)) throw thrown;
      const last = await this.#writeLast(context, error);
      const message = `${last.message}; rows from here on were not written`;
      this.#outcomes.add({ row: this.#rows, ...refusalOf(last), message });
    }
    await this.#end();
  }

  /** What had come before the fault. The error to tell; @throws DomainError where nothing was written at all */
  async #writeLast(context: unknown, fault: DomainError): Promise<DomainError> {
    try {
      await this.#write(context);
      return fault;
    } catch (thrown) {
      if (!this.#hasWritten) throw thrown;
      return masked(thrown); // its rows have been told of
    }
  }

  /** @throws DomainError where it is the first batch, and none of it was looked at */
  async #write(context: unknown): Promise<void> {
    const batch = this.#batch;
    [this.#batch, this.#bytes] = [[], 0];
    const entities = batch.flatMap(({ entity }) => entity ?? []);
    const told = new Map<Entity, Readonly<Record<string, unknown>>>();
    let failed: DomainError | undefined;
    if (entities.length > 0)
      try {
        const ended = endOfCredential(this.#ctx.caller);
        if (ended) throw ended;
        const { done, extensions } = await ingest(this.#options, this.#route, entities, context, this.#ctx);
        this.#note(done, entities, told);
        this.#extensions = extensions;
        this.#hasWritten = true;
      } catch (thrown) {
        if (!this.#hasWritten) throw thrown;
        failed = masked(thrown);
        for (const entity of entities) told.set(entity, refusalOf(failed));
      }
    for (const { row, line, entity, fault } of batch)
      this.#outcomes.add({
        row,
        line,
        ...(entity === null ? {} : { id: entity.id, ...told.get(entity) }),
        ...(fault === null ? {} : refusalOf(fault)),
      });
    this.#held.release();
    if (failed !== undefined) throw failed; // the rows after it would fare no better
    if (this.#outcomes.isTooMuch) await this.#outcomes.flush(this.#around()[0], false);
  }

  #note(
    done: Ingested,
    entities: readonly Entity[],
    told: Map<Entity, Readonly<Record<string, unknown>>>,
  ): void {
    for (const name of ['created', 'updated', 'unchanged'] as const)
      this.#outcomes.counts[name] += done[name];
    const refused = new Map(done.errors.map(({ index, ...refusal }) => [index, refusal]));
    for (const [i, entity] of entities.entries()) {
      const [change, written] = [done.changes[i], done.results[i]];
      if (change != null && written != null)
        told.set(entity, { id: written.id, version: written.version, change: change.toLowerCase() });
      else told.set(entity, refused.get(i) ?? {});
    }
  }

  async #end(): Promise<void> {
    if (this.#extensions.schemaVersion === undefined) this.#extensions = await this.#options.extensions();
    const [before, after] = this.#around();
    await this.#outcomes.flush(before, true);
    this.#outcomes.end(after);
  }

  #around(): readonly [string, string] {
    const { envelope } = this.#options;
    const [before = '', after = ''] = envelope
      .success(PAYLOAD, this.#ctx.requestId, { ...this.#extensions, warnings: [...this.#warnings] })
      .split(PAYLOAD);
    return [before, after];
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
      const { values, rest } = readParameters(route.query, ctx.search, options.refuse);
      const header = headersOf(ctx);
      const variables = route.variables({
        params: {},
        query: values,
        rest: {},
        body: undefined,
        header,
        preferred: () => null,
      });
      const type = variables['entityType'];
      const work = new BulkIngest(options, route, ctx, {
        warnings: [...warningsOf(route, rest), ...unheededPreconditions(route, header)],
        hold,
      });
      await work.run(typeof type === 'string' ? type : null, variables['context']);
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
