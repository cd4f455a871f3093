// The headers that every answer carries, written with its head: set one by one they would cost as much as all stages do.
import { type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Answer } from '../../platform/exchange.ts';

/** Pages set a policy of their own. */
const STANDING: OutgoingHttpHeaders = {
  'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer', 'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

const stockWriteHead: (this: ServerResponse, status: number, headers?: OutgoingHttpHeaders) => unknown = ServerResponse.prototype.writeHead; // eslint-disable-line @typescript-eslint/unbound-method -- called with its response below

/** `ServerResponse.writeHead` for answers with a request id; header names are lower-case, as everywhere in the edge. */
function writeHead(this: Answer, status: number, reason?: string | OutgoingHttpHeaders, headers?: OutgoingHttpHeaders): ServerResponse {
  const given = typeof reason === 'string' ? headers : reason;
  const all: OutgoingHttpHeaders = { 'x-request-id': this.requestId, ...STANDING };
  if (this.getHeaderNames().length > 0) { // then each has to be set: what was set before stands
    for (const name in all) if (!this.hasHeader(name)) this.setHeader(name, all[name] ?? '');
    stockWriteHead.call(this, status, given);
  } else {
    stockWriteHead.call(this, status, given === undefined ? all : Object.assign(all, given));
  }
  return this;
}

/** Has the answer carry the request's id and what keeps browsers from guessing, framing, referring and running. */
export function carryHeaders(res: ServerResponse, requestId: string): void {
  const answer: Answer = res;
  answer.requestId = requestId;
  answer.writeHead = writeHead as typeof answer.writeHead; // its overloads, each of which it takes
}
