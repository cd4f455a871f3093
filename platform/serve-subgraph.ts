// Serves a component of this process over HTTP to its gateway, for split mode: `POST /graphql`, with one
// prepared operation per document.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { Budget } from './budget/budget.ts';
import { runWithin, withBudget } from './budget/budgeted.ts';
import { DEFAULT_OPERATION_LIMITS, type OperationLimits } from './budget/limits.ts';
import { limitsFrom, OBJECTS_HEADER } from './budget/limits-header.ts';
import { callerWith } from './caller-with.ts';
import type { Component, ComponentResult } from './component.ts';
import { badRequest, ClientGone, type DomainError, masked } from './errors.ts';
import type { Caller } from './identity.ts';
import type { JsonValue } from './json.ts';
import { type CallerReader, isFromGateway, readCaller } from './read-caller.ts';
import { hadLargeBody, readJson } from './read-body.ts';
import { hasRun, resultText, writeResult } from './result-text.ts';
import { sendEventStream, wantsEventStream } from './send-event-stream.ts';
import { isObject } from './json-object.ts';
import { type AskedDocument, type FindOperation, operationsOf } from './subgraph-operations.ts';

export interface SubgraphServerOptions extends CallerReader {
  /** The limits of an operation for which the router sent none. */
  readonly limits?: OperationLimits;
  /** Maximum size of a request body in bytes. */
  readonly bodyLimit: number;
  /** Aborted when the server stops; ends its event streams. */
  readonly closing?: AbortSignal;
  readonly log: Logger;
}

interface Asked extends AskedDocument {
  readonly variables: Readonly<Record<string, unknown>>;
}

function asked(body: JsonValue | undefined): Asked {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('the body must be a JSON object');
  const { query, operationName, variables } = body as {
    query?: unknown;
    operationName?: unknown;
    variables?: unknown;
  }; // an object may have any keys
  if (typeof query !== 'string') throw badRequest('`query` must be a GraphQL document');
  const given = isObject(variables) ? variables : {};
  return {
    query,
    operationName: typeof operationName === 'string' ? operationName : undefined,
    variables: given,
  };
}

function send(res: ServerResponse, status: number, text: string | Buffer): void {
  res
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    .end(text);
}

/** What is answered for something thrown, and with which status. */
export function subgraphRefusal(
  thrown: unknown,
  log: Logger,
): { readonly status: number; readonly result: ComponentResult } {
  const refusal: DomainError = thrown instanceof GraphQLError ? badRequest(thrown.message) : masked(thrown);
  if (refusal.code === 'internal_error')
    log.error({ err: refusal.cause }, 'unexpected error while serving a subgraph');
  const { status, message, extensions } = refusal;
  return { status, result: { errors: [{ message, extensions }] } };
}

function refuse(res: ServerResponse, thrown: unknown, log: Logger): void {
  const { status, result } = subgraphRefusal(thrown, log);
  if (status === 401) res.setHeader('www-authenticate', 'Bearer realm="cairn"');
  send(res, status, resultText(result));
}

async function* textsOf(
  results: AsyncIterable<ComponentResult>,
  limits: OperationLimits | null,
  caller: Caller,
): AsyncGenerator<string, void, undefined> {
  for await (const result of results) {
    if (limits === null) {
      yield resultText(result);
      continue;
    }
    const budget = new Budget(limits, caller);
    try {
      yield (await writeResult(result, budget)).text.toString();
    } finally {
      budget.close();
    }
  }
}

/**
 * Creates a handler of the component's GraphQL path; subscriptions are sent as server-sent events. A request
 * without a trusted identity gets 401. An operation that was rejected before execution gets 400, any other
 * 200, even with errors.
 */
export function createSubgraphHandler(
  component: Component,
  options: SubgraphServerOptions,
  operationOf: FindOperation = operationsOf(component),
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async (req, res) => {
    const gone = new AbortController();
    res.on('close', () => {
      if (!res.writableFinished) gone.abort(new ClientGone());
    });
    try {
      if (req.method !== 'POST') {
        res.setHeader('allow', 'POST');
        return send(
          res,
          405,
          resultText({
            errors: [
              { message: 'GraphQL requests must use POST', extensions: { code: 'METHOD_NOT_ALLOWED' } },
            ],
          }),
        );
      }
      const caller = await readCaller(req, options, gone.signal);
      const own = options.limits ?? DEFAULT_OPERATION_LIMITS;
      const limits = isFromGateway(req, options) ? limitsFrom(req.headers, own) : own;
      const request = asked(
        await readJson({ req, res, caller, bodyLimit: options.bodyLimit }, { required: true }),
      );
      if (component.subscribe && wantsEventStream(req)) {
        const signal = options.closing ? AbortSignal.any([gone.signal, options.closing]) : gone.signal;
        const streamed = callerWith(caller, {}, () => signal);
        const results = await component.subscribe(
          request.query,
          request.variables,
          limits === null ? streamed : withBudget(streamed, new Budget(limits, caller, false)),
          request.operationName,
        );
        return await sendEventStream(res, textsOf(results, limits, caller), { signal });
      }
      const operation = operationOf(request);
      if (limits === null) {
        const result = await operation.run(request.variables, caller);
        return send(res, hasRun(result) ? 200 : 400, resultText(result));
      }
      const { result, budget } = await runWithin(limits, caller, !operation.writes, (budgeted) => {
        if (hadLargeBody(req)) budgeted.budget?.beLarge();
        return operation.run(request.variables, budgeted);
      });
      try {
        const { result: told, text } = await writeResult(result, budget);
        res.setHeader(OBJECTS_HEADER, String(budget.objects));
        send(res, hasRun(told) ? 200 : 400, text);
      } finally {
        budget.closeWith(res);
      }
    } catch (thrown) {
      refuse(res, thrown, options.log);
    }
  };
}
