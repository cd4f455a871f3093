// The common behaviour of the OAuth endpoints: no caching, and errors in the gateway's shape with
// `error_description` (docs/reference/gateway.md#token-endpoints).
import type { ServerResponse } from 'node:http';
import { DomainError } from '../../platform/errors.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { errorBody } from '../edge/http/answer-error.ts';
import type { Route } from '../edge/http/routes.ts';
import { OAuthError } from './oauth-error.ts';
import { usesBasic } from './parameters.ts';

/** Bodies of these endpoints only have a few short parameters. */
const BODY_LIMIT = 64 * 1024;
const BEARER = 'Bearer realm="cairn", error="invalid_token"';
const BASIC = 'Basic realm="cairn", charset="UTF-8"';

function answerRefusal({ req, res, requestId }: RequestContext, error: OAuthError | DomainError): void {
  if (error.status === 401) res.setHeader('www-authenticate', usesBasic(req) ? [BEARER, BASIC] : BEARER);
  const shape =
    error instanceof DomainError
      ? errorBody(error, requestId)
      : { error: error.code, message: error.message, request_id: requestId, details: {} };
  send(res, error.status, { ...shape, error_description: error.message });
}

function send(res: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    pragma: 'no-cache',
  });
  res.end(body);
}

export interface OAuthRouteOptions {
  /** Receives the code of every refusal of a client or a token. */
  readonly onRefused?: ((code: string) => void) | undefined;
}

/** A public endpoint that answers with the result of `handle`, as JSON with status 200. */
export function oauthRoute(
  method: Route['method'],
  path: string,
  handle: (ctx: RequestContext) => Promise<unknown>,
  { onRefused }: OAuthRouteOptions = {},
): Route {
  return {
    method,
    path,
    access: 'public',
    bodyLimit: BODY_LIMIT,
    async handle(ctx) {
      try {
        send(ctx.res, 200, await handle(ctx));
      } catch (error) {
        if (!(error instanceof OAuthError || error instanceof DomainError) || error.status >= 500)
          throw error;
        if (error.status === 401) onRefused?.(error.code);
        answerRefusal(ctx, error);
      }
    },
  };
}
