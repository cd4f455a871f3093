// Builds the headers to and from a component from allowed ones (docs/reference/gateway.md#forwarded-headers).
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * For one connection only (RFC 9110, 7.6.1), or for the gateway: credentials, cookies, cross-origin requests.
 */
const KEPT_HERE = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  'host',
  'authorization',
  'x-api-key',
  'cookie',
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
  'forwarded',
  'x-cairn-acting',
  'x-real-ip',
  'x-request-id',
  'traceparent',
]);

/**
 * Letters, digits and dashes: a receiver might map a name with other characters to another one
 * (`X_Platform_Actor`).
 */
const PLAIN_NAME = /^[a-z0-9-]+$/;

const isKept = (name: string): boolean =>
  KEPT_HERE.has(name) ||
  !PLAIN_NAME.test(name) ||
  name.startsWith('x-platform-') ||
  name.startsWith('x-forwarded-');

/** Names that a `Connection` header removes from the message. */
const namedBy = (connection: string | undefined): ReadonlySet<string> =>
  new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));

/** Names and values in turn, as undici takes them. @param identity the identity headers */
export function upstreamHeaders(
  req: IncomingMessage,
  identity: Readonly<Record<string, string>>,
  forwardedFor: string,
): string[] {
  const dropped = namedBy(req.headers.connection);
  const headers: string[] = [];
  for (let at = 0; at + 1 < req.rawHeaders.length; at += 2) {
    const name = (req.rawHeaders[at] ?? '').toLowerCase();
    if (!isKept(name) && !dropped.has(name)) headers.push(name, req.rawHeaders[at + 1] ?? '');
  }
  for (const [name, value] of Object.entries(identity)) headers.push(name, value);
  headers.push('x-forwarded-for', forwardedFor);
  return headers;
}

/** Response headers that a component must not set: they are the gateway's, or for one connection. */
const KEPT_THERE = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
  'vary',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'content-security-policy',
  'clear-site-data',
  'set-cookie2',
]);

/** The portal's session cookies, including the name prefixes that browsers treat specially. */
const OWN_COOKIE = /^[\s=]*(?:__host-|__secure-)?cairn_session\s*(?:=|;|$)/i;

/**
 * A component shares the gateway's host: its cookies are restricted to this host, and must not have names of
 * ours.
 */
const cookiesOf = (sent: string | string[]): string[] =>
  [sent]
    .flat()
    .filter((cookie) => !OWN_COOKIE.test(cookie))
    .map((cookie) => cookie.replaceAll(/;\s*domain\s*(?:=[^;]*)?(?=;|$)/gi, ''));

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Begins the answer with the component's status and headers. */
export function writeHead(res: ServerResponse, status: number, raw: RawHeaders): void {
  const vary = res.getHeader('vary');
  res.writeHead(status, clientHeaders(raw, vary === undefined ? undefined : String(vary)));
}

/**
 * The component's headers for the client, with repeated ones kept separate. `Vary` is added to the gateway's
 * own.
 */
export function clientHeaders(
  raw: RawHeaders,
  ownVary: string | undefined,
): Record<string, string | string[]> {
  const connection = raw['connection'];
  const dropped = namedBy(Array.isArray(connection) ? connection.join(',') : connection);
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (
      value === undefined ||
      KEPT_THERE.has(name) ||
      name.startsWith('access-control-') ||
      name.startsWith('x-platform-') ||
      dropped.has(name)
    )
      continue;
    if (name !== 'set-cookie') headers[name] = value;
    else if (cookiesOf(value).length > 0) headers[name] = cookiesOf(value);
  }
  const vary = [ownVary, raw['vary']]
    .flat()
    .filter((part) => part !== undefined)
    .join(', ');
  if (vary !== '') headers['vary'] = vary;
  return headers;
}
