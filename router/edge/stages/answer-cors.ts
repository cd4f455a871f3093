// CORS (docs/reference/gateway.md#cors): preflights are answered before authentication.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Edge } from './edge-options.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';
import { ANSWERED, type Answered } from './stage.ts';
import type { CorsPolicy } from './cors-policy.ts';

/** Response headers that scripts of other origins may read. */
const EXPOSED =
  'X-Request-Id, X-As-Of, ETag, Location, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Warnings, Preference-Applied, Link, Content-Disposition, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm, Upload-Offset, Upload-Length, Upload-Defer-Length, Upload-Expires, Upload-Metadata';

function allowOrigin(
  req: IncomingMessage,
  res: ServerResponse,
  { allowedOrigins, allowCredentials }: CorsPolicy,
): boolean {
  const { origin } = req.headers;
  if (allowedOrigins.length === 0) return false;
  if (allowedOrigins.includes('*')) {
    if (origin !== undefined) res.setHeader('access-control-allow-origin', '*');
    return origin !== undefined;
  }
  res.setHeader('vary', 'Origin');
  if (origin === undefined || !allowedOrigins.includes(origin)) return false;
  res.setHeader('access-control-allow-origin', origin);
  if (allowCredentials) res.setHeader('access-control-allow-credentials', 'true');
  return true;
}

/** Whether the request's origin is absent, served here, or allowed. */
export function isOfOwnPage(
  { headers: { origin, host } }: IncomingMessage,
  { allowedOrigins }: CorsPolicy,
): boolean {
  if (origin === undefined || allowedOrigins.includes('*') || allowedOrigins.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Before any refusal: the page that asked may read what is wrong with its request. */
export function allowCors({ req, res }: EdgeRequestContext, { cors }: Edge): void {
  if (allowOrigin(req, res, cors)) res.setHeader('access-control-expose-headers', EXPOSED);
}

export function answerPreflight({ req, res }: EdgeRequestContext, { cors }: Edge): void | Answered {
  const isPreflight =
    req.method === 'OPTIONS' &&
    req.headers.origin !== undefined &&
    req.headers['access-control-request-method'] !== undefined;
  if (!isPreflight) return;
  res.removeHeader('access-control-expose-headers'); // there is nothing to read
  if (res.hasHeader('access-control-allow-origin')) {
    res.setHeader('access-control-allow-methods', cors.allowedMethods.join(', '));
    res.setHeader('access-control-allow-headers', cors.allowedHeaders.join(', '));
    res.setHeader('access-control-max-age', String(cors.maxAge));
  }
  res.writeHead(204).end();
  return ANSWERED;
}
