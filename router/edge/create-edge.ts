// Runs every request through the stages, and ensures that it is answered and recorded.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { masked } from '../../platform/errors.ts';
import { traceparentIn } from '../../platform/traceparent.ts';
import { answerError } from './http/answer-error.ts';
import type { Edge } from './stages/edge-options.ts';
import { EdgeRequestContext } from './stages/edge-request-context.ts';
import { recordAudit } from './stages/record-audit.ts';
import { carryHeaders } from './http/default-headers.ts';
import { ANSWERED } from './stages/stage.ts';
import { STAGES } from './stages/stages.ts';

/** A new request, whose response already has its default headers. */
export function contextOf(
  req: IncomingMessage,
  res: ServerResponse,
  { addresses, bodyLimit }: Edge,
): EdgeRequestContext {
  const ctx = new EdgeRequestContext(
    req,
    res,
    addresses.of(req),
    traceparentIn(req.headers['traceparent']),
    bodyLimit,
  );
  carryHeaders(res, ctx.requestId);
  return ctx;
}

export function fail(ctx: EdgeRequestContext, edge: Edge, thrown: unknown): void {
  const error = masked(thrown);
  edge.metrics?.refused(error.code);
  if (error.code === 'internal_error')
    edge.log.error(
      { err: error.cause ?? error, requestId: ctx.requestId, template: ctx.template },
      'unexpected error while answering',
    );
  if (edge.sendMissingPage !== undefined && isMissingPage(ctx)) return edge.sendMissingPage(ctx);
  answerError(ctx.res, error, ctx.requestId, edge.resourceMetadata?.(), ctx.path);
}

/** APIs answer in their own format; the paths beside them have no secrets that a status could tell. */
const APIS = /^\/(?:api|ga4gh|\.well-known)(?:\/|$)/;

/** Whether a browser was to be led to a path that is none of ours, or is for programs only and was asked nothing. */
const isMissingPage = ({ match, req, res, path, search }: EdgeRequestContext): boolean =>
  (match?.isMissing === true || (match?.hasNoPage === true && search === '')) &&
  (req.method === 'GET' || req.method === 'HEAD') &&
  (req.headers.accept ?? '').includes('text/html') &&
  !res.headersSent &&
  !APIS.test(path);

function run(ctx: EdgeRequestContext, edge: Edge, from: number): void {
  try {
    for (let at = from; at < STAGES.length; at++) {
      const outcome = STAGES[at]?.(ctx, edge);
      if (outcome === undefined) continue;
      if (outcome === ANSWERED) return;
      outcome.then(
        (late) => {
          if (late !== ANSWERED) run(ctx, edge, at + 1);
        },
        (thrown: unknown) => fail(ctx, edge, thrown),
      );
      return;
    }
  } catch (thrown) {
    fail(ctx, edge, thrown);
  }
}

export interface AnsweringEdge {
  readonly answer: (req: IncomingMessage, res: ServerResponse) => void;
  /** Requests that have arrived and are not answered yet. */
  readonly underWay: number;
}

/**
 * The handler of the HTTP server: six stages, one answer, one audit record
 * (docs/reference/gateway.md#order-of-checks).
 */
export function createEdge(edge: Edge): AnsweringEdge {
  let underWay = 0;
  return {
    get underWay() {
      return underWay;
    },
    answer(req, res) {
      underWay++;
      const ctx = contextOf(req, res, edge);
      res.on('close', () => {
        underWay--;
        if (!res.writableFinished) ctx.abandon();
        recordAudit(ctx, edge);
      });
      run(ctx, edge, 0);
    },
  };
}
