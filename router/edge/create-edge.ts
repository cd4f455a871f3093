// Leads every request through the stages, and makes sure that it is answered and recorded.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { masked } from '../../platform/errors.ts';
import { traceparentIn } from '../../platform/traceparent.ts';
import { answerError } from './answer-error.ts';
import type { Edge } from './edge-options.ts';
import { Passage } from './passage.ts';
import { recordAudit } from './record-audit.ts';
import { carryHeaders } from './standing-headers.ts';
import { ANSWERED } from './stage.ts';
import { STAGES } from './stages.ts';

/** A request at the beginning of its way, whose answer has its headers already. */
export function passageOf(
  req: IncomingMessage,
  res: ServerResponse,
  { addresses, bodyLimit }: Edge,
): Passage {
  const passage = new Passage(
    req,
    res,
    addresses.of(req),
    traceparentIn(req.headers['traceparent']),
    bodyLimit,
  );
  carryHeaders(res, passage.requestId);
  return passage;
}

export function fail(passage: Passage, edge: Edge, thrown: unknown): void {
  const error = masked(thrown);
  edge.metrics?.refused(error.code);
  if (error.code === 'internal_error')
    edge.log.error(
      { err: error.cause ?? error, requestId: passage.requestId, template: passage.template },
      'unexpected error while answering',
    );
  answerError(passage.res, error, passage.requestId);
}

function run(passage: Passage, edge: Edge, from: number): void {
  try {
    for (let at = from; at < STAGES.length; at++) {
      const outcome = STAGES[at]?.(passage, edge);
      if (outcome === undefined) continue;
      if (outcome === ANSWERED) return;
      outcome.then(
        (late) => {
          if (late !== ANSWERED) run(passage, edge, at + 1);
        },
        (thrown: unknown) => fail(passage, edge, thrown),
      );
      return;
    }
  } catch (thrown) {
    fail(passage, edge, thrown);
  }
}

export interface AnsweringEdge {
  readonly answer: (req: IncomingMessage, res: ServerResponse) => void;
  /** Requests that have come and are not answered yet. */
  readonly underWay: number;
}

/** What the HTTP server calls: six stages, one answer, one audit record (spec 1 «What the service does»). */
export function createEdge(edge: Edge): AnsweringEdge {
  let underWay = 0;
  return {
    get underWay() {
      return underWay;
    },
    answer(req, res) {
      underWay++;
      const passage = passageOf(req, res, edge);
      res.on('close', () => {
        underWay--;
        if (!res.writableFinished) passage.abandon();
        recordAudit(passage, edge);
      });
      run(passage, edge, 0);
    },
  };
}
