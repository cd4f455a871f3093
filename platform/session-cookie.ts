// The cookie of a browser's session, and which requests with it come from a page of this server
// (docs/reference/gateway.md#sessions).
import type { IncomingHttpHeaders } from 'node:http';

/** Scripts of our pages send it with every request: no form and no link can, and other origins must ask. */
export const SESSION_HEADER = 'x-cairn-session';

const COOKIE = /^[\w-]{43}$/;
const READS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

/** The `__Host-` prefix, which proves that no other host or path has set the cookie, requires TLS. */
export const cookieName = (isSecure: boolean): string =>
  isSecure ? '__Host-cairn_session' : 'cairn_session';

/** The session cookie's value; undefined without one, and with several: another site may have set one. */
export function sessionCookie({ cookie }: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  if (cookie === undefined) return undefined;
  const wanted = `${cookieName(isSecure)}=`;
  const found = cookie
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(wanted));
  const value = found.length === 1 ? found[0]?.slice(wanted.length) : undefined;
  return value !== undefined && COOKIE.test(value) ? value : undefined;
}

/** Whether a request has a session and no credential that would come first. */
export const carriesSession = ({ authorization, 'x-api-key': key, cookie }: IncomingHttpHeaders): boolean =>
  cookie?.includes('cairn_session=') === true && authorization === undefined && key === undefined;

/** Whether an origin is the one of our pages: the host of the request, or of the published address. */
export const isOwnOrigin = (origin: string, host: string | undefined, issuer: string): boolean =>
  URL.canParse(origin) && [host, new URL(issuer).host].includes(new URL(origin).host);

/**
 * Whether a request was made by a script of our own pages, or, for reads, by following a link on one.
 * @param method undefined where the request has been admitted before
 */
export function isFromOwnPage(
  headers: IncomingHttpHeaders,
  method: string | undefined,
  issuer: string,
): boolean {
  const { origin, host, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin !== undefined && !isOwnOrigin(origin, host, issuer)) return false;
  const reads = method === undefined || READS.has(method);
  if (headers[SESSION_HEADER] !== undefined) return reads || origin !== undefined;
  return reads && site === 'same-origin' && mode === 'navigate';
}
