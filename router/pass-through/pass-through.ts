// A component of kind `rest`: requests and responses are streamed, unbuffered
// (docs/reference/gateway.md#forwarding, docs/reference/gateway.md#component-failures).
import { PassThrough, Writable } from 'node:stream';
import { Pool } from 'undici';
import { DomainError } from '../../platform/errors.ts';
import type { RequestContext, RestApi } from '../../platform/request-context.ts';
import { identityHeaders } from '../../platform/identity.ts';
import { watchBody } from '../../platform/intake/intake.ts';
import { hasBody } from '../../platform/read-body.ts';
import type { SignIdentity } from '../../platform/signed-identity/identity-signer.ts';
import type { ClientAddresses } from '../edge/identity/client-address.ts';
import { clientHeaders, upstreamHeaders } from './forwarded-headers.ts';

export interface PassThroughOptions {
  readonly name: string;
  /** Without a trailing slash; may have a path of its own. */
  readonly url: string;
  /** Timeout in milliseconds for its response headers. */
  readonly timeoutMs: number;
  readonly addresses: ClientAddresses;
  /** Signs the caller's identity, for the component to verify. */
  readonly sign: SignIdentity;
}

export interface PassThroughApi extends RestApi {
  close(): Promise<void>;
}

const CONNECTIONS = 256;
const CONNECT_TIMEOUT_MS = 10_000;
const UNAVAILABLE = new Set([502, 503, 504]);

const unavailable = (component: string, status: number | null, cause?: unknown): DomainError =>
  new DomainError(
    'component_unavailable',
    status === null
      ? `component ${component} does not respond`
      : `component ${component} responded with status ${status}`,
    { component, upstream_status: status },
    { cause },
  );

const discard = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

export function createPassThrough({
  name,
  url,
  timeoutMs,
  addresses,
  sign,
}: PassThroughOptions): PassThroughApi {
  const prefix = `/api/v1/${name}`;
  const { origin, pathname } = new URL(url);
  const base = pathname === '/' ? '' : pathname;
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    headersTimeout: timeoutMs,
    bodyTimeout: 0,
    connect: { timeout: Math.min(timeoutMs, CONNECT_TIMEOUT_MS) },
  });

  const target = ({ req, path, search }: RequestContext): string => {
    // GA4GH's DRS paths are outside the prefix
    const rest = (path.startsWith(prefix) ? path.slice(prefix.length) : path) || '/';
    const slash = rest !== '/' && (req.url ?? '').split('?', 1)[0]?.endsWith('/') ? '/' : '';
    return `${base}${rest}${slash}${search === '' ? '' : `?${search}`}`;
  };

  const handle = async (ctx: RequestContext): Promise<void> => {
    const { req, res, caller } = ctx;
    const { actor, roles, projects } = caller; // the credential itself is not passed on
    const signed = await sign({ actor, roles, projects }, name);
    // undici destroys a body that it did not consume, and with the request its socket, before the answer is
    // sent
    const body = hasBody(req) ? req.pipe(new PassThrough()) : null;
    let refused: number | undefined;
    let late: DomainError | undefined;
    if (body !== null)
      watchBody(req, true, (refusal) => {
        late = refusal;
        body.destroy(refusal);
      });
    try {
      await pool.stream(
        {
          path: target(ctx),
          // Any method that Node's parser accepts; undici's type lists the usual ones.
          method: req.method as 'GET',
          headers: upstreamHeaders(req, identityHeaders(caller, signed), addresses.forwardedFor(req)),
          body,
          ...(caller.signal === undefined ? {} : { signal: caller.signal }),
        },
        ({ statusCode, headers }) => {
          if (UNAVAILABLE.has(statusCode)) {
            refused = statusCode;
            return discard();
          }
          const vary = res.getHeader('vary');
          res.writeHead(statusCode, clientHeaders(headers, vary === undefined ? undefined : String(vary)));
          res.flushHeaders();
          return res;
        },
      );
    } catch (cause) {
      if (caller.signal?.aborted === true) return;
      if (late !== undefined) throw late;
      throw unavailable(name, refused ?? null, cause);
    } finally {
      // Discards what the component did not read: unread, it would block the connection's next request.
      if (body !== null) req.unpipe(body).resume();
    }
    if (refused !== undefined) throw unavailable(name, refused);
  };

  const match = { template: `${prefix}/{path}`, access: 'authenticated', handle } as const;
  return { component: name, match: () => match, close: () => pool.destroy() };
}
