// One operation of a WebSocket: admitted like a request, run, ended, recorded.
import { randomUUID } from 'node:crypto';
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse } from 'graphql';
import type { Logger } from 'pino';
import { Budget } from '../../platform/budget/budget.ts';
import { runWithin, withBudget } from '../../platform/budget/budgeted.ts';
import type { OperationLimits } from '../../platform/budget/limits.ts';
import { callerOf } from '../../platform/caller-with.ts';
import type { ComponentResult } from '../../platform/component.ts';
import { ClientGone, type ErrorCode, errorCodeOf, masked, STATUS_BY_CODE } from '../../platform/errors.ts';
import type { Caller, Identity } from '../../platform/identity.ts';
import type { JsonValue } from '../../platform/json.ts';
import { AS_OF_HEADER } from '../../platform/past/one-instant.ts';
import { assertMember } from '../../platform/permissions.ts';
import { hasRun } from '../../platform/result-text.ts';
import type { OperationSpan } from '../../platform/tracing/tracing.ts';
import type { Session } from '../edge/upgrade.ts';
import { InvalidDocument } from '../execution/invalid-document.ts';
import type { RouterOperation } from '../execution/prepare-operation.ts';
import type { Supergraph } from '../execution/supergraph.ts';
import { admit, type OperationCaller } from './admit.ts';
import { codesOf, withRequestId, writeAnswer, writeEvent } from './answers.ts';
import { type JsonObject, requestOf } from './read-request.ts';
import type { ConcurrencyLimits } from './concurrency-limits.ts';
import { WrittenResult } from './written-result.ts';

export interface OperationRunnerOptions {
  readonly supergraph: Supergraph;
  readonly introspection: boolean;
  /** The limits of each operation, and of each event of a subscription. */
  readonly operationLimits: OperationLimits;
  readonly seats: ConcurrencyLimits;
  readonly log: Logger;
  /** Receives the code of every refusal inside an operation. */
  readonly onRefused: (code: ErrorCode) => void;
  /** Begins the span of an operation, if tracing is on. */
  readonly beginSpan?: ((traceparent: string | undefined) => OperationSpan) | undefined;
}

interface Admitted {
  readonly operation: RouterOperation;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly gone: AbortController;
  /** Runs its work within its span, if there is one. */
  readonly within: OperationSpan['within'];
  /** Ends the operation once, with the worst status that it reported. */
  readonly done: () => void;
  status: number;
}

/** Passed by the protocol from `admit` to `subscribe` and `execute`. */
export interface Executed {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly contextValue: Admitted;
}

const statusOf = (code: unknown): number => STATUS_BY_CODE[errorCodeOf(code) ?? 'internal_error'];

export class OperationRunner {
  readonly #options: OperationRunnerOptions;
  constructor(options: OperationRunnerOptions) {
    this.#options = options;
  }

  /** The operation, ready to run, or its refusal, which has been recorded already. */
  async admit(
    session: Session,
    identity: Identity,
    payload: unknown,
  ): Promise<Executed | readonly GraphQLError[]> {
    const { supergraph, introspection, operationLimits, seats, log, onRefused, beginSpan } = this.#options;
    const startedAt = performance.now();
    const gone = new AbortController();
    const { actor, credential } = identity;
    const span = beginSpan?.(session.traceparent);
    const traceparent = span?.traceparent ?? session.traceparent;
    const { [AS_OF_HEADER]: asOf } = session.req.headers;
    const caller = callerOf(
      identity,
      { requestId: randomUUID(), traceparent, asOf: typeof asOf === 'string' ? asOf : undefined },
      () => gone.signal,
    );
    const asking: OperationCaller = { req: { method: 'POST' }, caller };
    const record = (status: number): void => {
      const { requestId } = caller;
      session.record({ requestId, actor, credential, name: asking.operationName, status, startedAt });
      span?.end({ status, requestId, name: asking.operationName });
    };
    try {
      await session.count(identity);
      // parseJson read it, and the protocol ensures an object.
      const request = requestOf(payload as Record<string, JsonValue> & JsonObject);
      const project = session.req.headers['x-project'];
      if (typeof project === 'string') assertMember(identity, project);
      const operation = await admit(supergraph, introspection, operationLimits.cost, request, asking);
      const leave = seats.take(actor);
      let over = false;
      const admitted: Admitted = {
        operation,
        variables: request.variables,
        caller,
        gone,
        status: 200,
        within: span ? (work) => span.within(work) : (work) => work(),
        done: () => {
          if (over) return;
          over = true;
          gone.abort(new ClientGone());
          leave();
          record(admitted.status);
        },
      };
      return {
        schema: supergraph.state.schema,
        document: parse(request.query),
        operationName: request.operationName ?? null,
        contextValue: admitted,
      };
    } catch (thrown) {
      const refusal = masked(thrown);
      if (refusal.code === 'internal_error')
        log.error({ err: refusal.cause, requestId: caller.requestId }, 'unexpected error at a WebSocket');
      record(refusal.status);
      onRefused(refusal.code);
      const errors =
        refusal instanceof InvalidDocument
          ? refusal.faults
          : [{ message: refusal.message, extensions: refusal.extensions }];
      return errors.map((error) => {
        const { message, extensions } = withRequestId(error, caller.requestId);
        return new GraphQLError(message, { extensions: extensions ?? {} });
      });
    }
  }

  async execute({ contextValue: admitted }: Executed): Promise<WrittenResult> {
    const { operation, variables, caller, within, done } = admitted;
    const { result, budget } = await runWithin(
      this.#options.operationLimits,
      caller,
      operation.kind === 'query',
      (budgeted) => within(() => operation.run(variables, budgeted)),
    );
    try {
      const { result: told, text } = await writeAnswer(result, caller.requestId, budget);
      for (const code of codesOf(told)) this.#options.onRefused(code);
      if (!hasRun(told)) admitted.status = statusOf(told.errors?.[0]?.extensions?.['code']);
      // an answer counts as memory until its client has read it
      const written = new WrittenResult(text, hasRun(told), () => {
        budget.close();
      });
      setImmediate(() => {
        written.dropUnlessTaken();
      });
      return written;
    } catch (thrown) {
      budget.close();
      throw thrown;
    } finally {
      done();
    }
  }

  async subscribe({
    contextValue: admitted,
  }: Executed): Promise<AsyncGenerator<WrittenResult, void, undefined> | WrittenResult> {
    const { operation, variables, caller, within, done } = admitted;
    try {
      // from which each event gets one of its own
      const each = withBudget(caller, new Budget(this.#options.operationLimits, caller, false));
      const results = await within(
        () => operation.subscribe?.(variables, each) ?? Promise.reject(new Error('not a subscription')),
      );
      return following(results, admitted, (result) => this.#event(result, admitted));
    } catch (thrown) {
      const refusal = masked(thrown);
      if (refusal.code === 'internal_error')
        this.#options.log.error(
          { err: refusal.cause, requestId: caller.requestId },
          'a subscription could not be started',
        );
      admitted.status = refusal.status;
      done();
      return this.#event(
        { errors: [{ message: refusal.message, extensions: refusal.extensions }] },
        admitted,
      );
    }
  }

  async #event(result: ComponentResult, admitted: Admitted): Promise<WrittenResult> {
    return new WrittenResult(
      await writeEvent(result, admitted.caller, this.#options.operationLimits),
      hasRun(result),
    );
  }
}

/** The results, ended at once by `return`: a generator would first wait for its pending result. */
function following(
  results: AsyncIterable<ComponentResult>,
  admitted: Admitted,
  sent: (result: ComponentResult) => Promise<WrittenResult>,
): AsyncGenerator<WrittenResult, void, undefined> {
  const inner = results[Symbol.asyncIterator]();
  const end = async (): Promise<IteratorReturnResult<undefined>> => {
    admitted.done();
    await inner.return?.();
    return { done: true, value: undefined };
  };
  const made = {
    async next(): Promise<IteratorResult<WrittenResult, undefined>> {
      const step = await admitted.within(() => inner.next());
      if (step.done === true) return end();
      return { done: false, value: await sent(step.value) };
    },
    return: end,
    throw: end,
    [Symbol.asyncIterator]: () => made,
    [Symbol.asyncDispose]: async () => {
      await end();
    },
  };
  return made; // The protocol uses nothing else of it.
}
