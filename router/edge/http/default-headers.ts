// The headers of every answer, written with its head: setting them individually would cost as much as all
// stages.
import { type OutgoingHttpHeaders, ServerResponse, STATUS_CODES } from 'node:http';
import type { Answer } from '../../../platform/request-context.ts';

/** The portal's pages set a policy of their own. */
const STANDING: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};
const NAMES = Object.keys(STANDING);
const STANDING_LINES = Object.entries(STANDING)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

const stockWriteHead: (this: ServerResponse, status: number, headers?: OutgoingHttpHeaders) => unknown =
  ServerResponse.prototype.writeHead; // oxlint-disable-line typescript/unbound-method -- called with its response below

/**
 * The end of Node's own `writeHead`: appends the given headers to a status line, each validated, and those
 * that HTTP requires.
 */
interface Storing {
  _storeHeader?(statusLine: string, headers: OutgoingHttpHeaders): void;
}

/** Common answers: with a body, and without replaced default headers. */
const isUsual = (answer: Answer, status: number, given: OutgoingHttpHeaders): boolean =>
  (status === 200 || status === 201) &&
  !answer.headersSent &&
  answer.getHeaderNames().length === 0 &&
  NAMES.every((name) => given[name] === undefined);

/**
 * `ServerResponse.writeHead` for answers with a request id; header names are lower case, as everywhere in the
 * edge.
 */
function writeHead(
  this: Answer & Storing,
  status: number,
  reason?: string | OutgoingHttpHeaders,
  headers?: OutgoingHttpHeaders,
): ServerResponse {
  const given = (typeof reason === 'string' ? headers : reason) ?? {};
  if (this._storeHeader !== undefined && isUsual(this, status, given)) {
    // the default headers are one text, known to be valid
    this.statusCode = status;
    this._storeHeader(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nx-request-id: ${this.requestId}\r\n${STANDING_LINES}`,
      given,
    );
    return this;
  }
  const all: OutgoingHttpHeaders = { 'x-request-id': this.requestId, ...STANDING };
  if (this.getHeaderNames().length > 0) {
    // otherwise each is set individually: headers set before remain
    for (const name in all) if (!this.hasHeader(name)) this.setHeader(name, all[name] ?? '');
    stockWriteHead.call(this, status, given);
  } else {
    stockWriteHead.call(this, status, Object.assign(all, given));
  }
  return this;
}

/** Adds the request's id and security headers to the answer (no sniffing, framing, referrer or scripts). */
export function carryHeaders(res: ServerResponse, requestId: string): void {
  const answer: Answer = res;
  answer.requestId = requestId;
  answer.writeHead = writeHead as typeof answer.writeHead; // The cast covers the overloads.
}
