// Sends the answers of the GraphQL endpoint: results, Apollo's answers, refusals.
import type { Logger } from 'pino';
import { type ErrorCode, masked } from '../../platform/errors.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { adviseRetry, challengeOf } from '../edge/http/refusal-headers.ts';
import { refusalText } from './answers.ts';
import type { HttpAnswer } from './apollo.ts';
import { accepted, JSON_TYPE } from './media-type.ts';

/** An invalid document is 200 for clients that only accept plain JSON (GraphQL over HTTP, 6.4.1). */
export const shownStatus = ({ req }: RequestContext, status: number): number =>
  (status === 400 || status === 422) && accepted(req).isPlainAlone ? 200 : status;

export function send(
  { req, res }: RequestContext,
  status: number,
  type: string,
  body: string | Buffer,
): void {
  adviseRetry(res, status);
  res.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  res.end(req.method === 'HEAD' ? undefined : body);
}

export function sendAnswer(ctx: RequestContext, { status, headers, body }: HttpAnswer): void {
  for (const [name, value] of headers) ctx.res.setHeader(name, value);
  send(ctx, status, headers.get('content-type') ?? JSON_TYPE, body);
}

/** Returns the code of the refusal; `wasRead`: the request itself could be read. */
export function refuse(ctx: RequestContext, thrown: unknown, wasRead: boolean, log: Logger): ErrorCode {
  const refusal = masked(thrown);
  const { res, requestId } = ctx;
  if (refusal.code === 'internal_error')
    log.error({ err: refusal.cause, requestId }, 'unexpected error at the GraphQL endpoint');
  if (res.headersSent) {
    res.destroy();
    return refusal.code;
  }
  const challenge = challengeOf(refusal.status);
  if (challenge !== undefined) res.setHeader('www-authenticate', challenge);
  if (refusal.code === 'method_not_allowed') res.setHeader('allow', 'POST');
  const status = wasRead ? shownStatus(ctx, refusal.status) : refusal.status;
  send(ctx, status, accepted(ctx.req).type ?? JSON_TYPE, refusalText(refusal, requestId));
  return refusal.code;
}
