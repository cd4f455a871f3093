// One operation of a connection that carries many: with an identity, limits, a trace and an outcome of its own.
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Budget } from '../budget/budget.ts';
import { runWithin } from '../budget/budgeted.ts';
import { limitsIn } from '../budget/limits-header.ts';
import type { OperationLimits } from '../budget/limits.ts';
import { callerOf } from '../caller-with.ts';
import type { ComponentResult } from '../component.ts';
import { badRequest, ClientGone } from '../errors.ts';
import type { Caller } from '../identity.ts';
import { canonicalInstant } from '../instant.ts';
import { bytesOf, jsonLimitsFor } from '../intake/intake.ts';
import { type Account, payerOf } from '../intake/byte-budget.ts';
import { parseJsonBody } from '../json-in-turns.ts';
import { isObject } from '../json-object.ts';
import { type CallerReader, type CallerSource, statedIdentity } from '../read-caller.ts';
import { hasRun, resultText, writeResult } from '../result-text.ts';
import { subgraphRefusal } from '../serve-subgraph.ts';
import type { FindOperation } from '../subgraph-operations.ts';
import type { OperationSpan, Tracing } from '../tracing/tracing.ts';
import { traceparentIn } from '../traceparent.ts';
import { isUuid } from '../uuid.ts';
import {
  ANSWER_PART_BYTES,
  answerFrame,
  type AnswerHead,
  FRAME,
  frameOf,
  MORE,
  TEXTS,
} from './frame-format.ts';
import type { FrameOutbox } from './frame-outbox.ts';

export interface FramesOptions {
  readonly reader: CallerReader;
  readonly find: FindOperation;
  /** The limits of an operation for which the router sent none. */
  readonly limits: OperationLimits;
  readonly log: Logger;
  readonly tracing?: Tracing | undefined;
}

export interface AskedFrame {
  readonly id: number;
  readonly document: { readonly query: string; readonly operationName: string | undefined };
  readonly source: CallerSource;
  /** Request id, limits, trace context and instant, a line each; the last two may be empty. */
  readonly about: string;
  readonly variables: Buffer;
}

/** The connection that an operation came over. */
export interface OperationsConnection {
  readonly outbox: FrameOutbox;
  readonly options: FramesOptions;
  readonly socket: Socket;
  /** The operation has been answered. */
  done(id: number): void;
}

/** Variables up to this size are not counted: a connection may have but so many operations. */
const UNCOUNTED_BYTES = 4096;

/** Characters of an answer that are measured and then written; more are made bytes first, and copied. */
const ENCODED_ONCE = 4096;

export class FramedOperation {
  readonly #connection: OperationsConnection;
  readonly #asked: AskedFrame;
  readonly #requestId: string;
  readonly #limits: string;
  readonly #traceparent: string | undefined;
  readonly #asOf: string | null;
  #abort: AbortController | undefined;
  #hasEnded = false;
  #account: Account | undefined;

  constructor(connection: OperationsConnection, asked: AskedFrame) {
    this.#connection = connection;
    this.#asked = asked;
    const [requestId = '', limits = '', traceparent, asOf = ''] = asked.about.split('\n');
    this.#requestId = isUuid(requestId) ? requestId : randomUUID();
    this.#limits = limits;
    this.#traceparent = traceparentIn(traceparent);
    this.#asOf = asOf === '' ? null : canonicalInstant(asOf);
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#hasEnded) this.#abort.abort(new ClientGone());
    }
    return this.#abort.signal;
  }

  /** Nobody waits for it any more. */
  end(): void {
    this.#hasEnded = true;
    this.#abort?.abort(new ClientGone());
  }

  /** Runs it and sends its answer. Never rejects: what is thrown is its answer. */
  async answer(): Promise<void> {
    const { tracing } = this.#connection.options;
    const span = tracing?.operation('/graphql', this.#traceparent, 'POST');
    let status = 500;
    try {
      status = await (span === undefined ? this.#run(undefined) : span.within(() => this.#run(span)));
    } catch (thrown) {
      const refusal = subgraphRefusal(thrown, this.#connection.options.log);
      status = refusal.status;
      await this.#send(status, refusal.result, resultText(refusal.result), 0);
    } finally {
      this.#account?.close();
      this.#connection.done(this.#asked.id);
      span?.end({ status, requestId: this.#requestId, name: this.#asked.document.operationName });
    }
  }

  async #run(span: OperationSpan | undefined): Promise<number> {
    const { reader, find, limits: own } = this.#connection.options;
    const { source, document } = this.#asked;
    const stated = statedIdentity(source, reader);
    const identity = stated instanceof Promise ? await stated : stated;
    const caller = callerOf(
      identity,
      {
        requestId: this.#requestId,
        traceparent: span === undefined ? this.#traceparent : span.traceparent,
        asOf: this.#asOf ?? undefined,
      },
      () => this.signal,
    );
    const variables = await this.#variables(caller);
    const operation = find(document);
    const limits = limitsIn(this.#limits, own);
    if (limits === null) {
      const result = await operation.run(variables, caller);
      const status = hasRun(result) ? 200 : 400;
      await this.#send(status, result, result.texts === undefined ? resultText(result) : undefined, 0);
      return status;
    }
    const { result, budget } = await runWithin(limits, caller, !operation.writes, (budgeted) =>
      operation.run(variables, budgeted),
    );
    try {
      return await this.#sendWithin(result, budget);
    } finally {
      budget.close();
    }
  }

  async #sendWithin(result: ComponentResult, budget: Budget): Promise<number> {
    if (result.texts !== undefined) {
      await this.#send(200, result, undefined, budget.objects);
      return 200;
    }
    const written = writeResult(result, budget);
    const { result: told, text } = written instanceof Promise ? await written : written;
    const status = hasRun(told) ? 200 : 400;
    await this.#send(status, told, text, budget.objects);
    return status;
  }

  async #variables({ actor, roles }: Caller): Promise<Readonly<Record<string, unknown>>> {
    const { variables: bytes } = this.#asked;
    const { socket } = this.#connection;
    if (bytes.length > UNCOUNTED_BYTES) {
      const payer = payerOf(roles.length > 0 ? actor : undefined, socket.remoteAddress);
      this.#account = bytesOf(socket)?.open(payer);
      this.#account?.take(bytes.length);
    }
    const value = await parseJsonBody(bytes, {
      limits: jsonLimitsFor({ socket }),
      hold: (held) => this.#account?.take(held),
    });
    if (!isObject(value)) throw badRequest('the variables must be a JSON object');
    return value;
  }

  /**
   * Sends the answer: in one frame, or in parts between which others have their turn.
   * @param text the whole response; undefined where the result has finished texts, which go as they are
   */
  async #send(
    status: number,
    result: ComponentResult,
    text: string | Buffer | undefined,
    objects: number,
  ): Promise<void> {
    if (this.#hasEnded) return; // nobody waits
    const { texts, errors, extensions } = result;
    const parts = text === undefined ? Object.entries(texts ?? {}) : [];
    const [only] = parts;
    const payload = text ?? (parts.length === 1 && only ? only[1] : parts.map(([, part]) => part).join(''));
    const bytes =
      typeof payload === 'string' && payload.length > ENCODED_ONCE ? Buffer.from(payload) : payload;
    const size = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
    const about =
      text === undefined
        ? JSON.stringify({
            texts: parts.map(([key, part]) => [key, parts.length === 1 ? size : Buffer.byteLength(part)]),
            errors,
            extensions,
          })
        : '';
    // what does not fit into a frame goes as a whole response, in parts
    if (about.length > ANSWER_PART_BYTES) return this.#send(status, {}, resultText(result), objects);
    const head = { status, objects, about, flags: text === undefined ? TEXTS : 0 };
    if (size <= ANSWER_PART_BYTES) this.#connection.outbox.put(answerFrame(this.#asked.id, head, bytes));
    else await this.#sendParts(head, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  }

  async #sendParts(head: AnswerHead, bytes: Buffer): Promise<void> {
    const { outbox } = this.#connection;
    const first = bytes.subarray(0, ANSWER_PART_BYTES);
    await outbox.putSlowly(answerFrame(this.#asked.id, { ...head, flags: head.flags | MORE }, first));
    for (let at = ANSWER_PART_BYTES; at < bytes.length && !this.#hasEnded; at += ANSWER_PART_BYTES) {
      const next = at + ANSWER_PART_BYTES;
      const numbers = [
        [this.#asked.id, 4],
        [next < bytes.length ? MORE : 0, 1],
      ] as const;
      await outbox.putSlowly(frameOf(FRAME.part, numbers, [], bytes.subarray(at, next)));
    }
  }
}
