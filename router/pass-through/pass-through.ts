// A component of kind `rest`: requests and responses are streamed, unbuffered
// (docs/reference/gateway.md#forwarding, docs/reference/gateway.md#component-failures).
import { PassThrough, Writable } from 'node:stream';
import { Pool } from 'undici';
import { meansUnavailable } from '../../platform/component.ts';
import { DomainError } from '../../platform/errors.ts';
import type { RequestContext, RestApi } from '../../platform/request-context.ts';
import { isStale } from '../../platform/stale-connection.ts';
import { endOfCredential, identityHeaders } from '../../platform/identity.ts';
import { watchBody } from '../../platform/intake/intake.ts';
import { hasBody } from '../../platform/read-body.ts';
import type { SignIdentity } from '../../platform/signed-identity/identity-signer.ts';
import type { Circuit } from '../circuit/circuit.ts';
import type { ClientAddresses } from '../edge/identity/client-address.ts';
import { upstreamHeaders, writeHead } from './forwarded-headers.ts';
import { Tunnels } from './tunnels.ts';

export interface PassThroughOptions {
  readonly name: string;
  /** Without a trailing slash; may have a path of its own. */
  readonly url: string;
  /** Timeout in milliseconds for its response headers. */
  readonly timeoutMs: number;
  readonly addresses: ClientAddresses;
  /** Signs the caller's identity, for the component to verify. */
  readonly sign: SignIdentity;
  readonly circuit: Circuit;
  /** Takes one of the WebSockets that an actor may have open; returns what gives it back. */
  readonly perActor: (actor: string) => () => void;
}

export interface PassThroughApi extends RestApi {
  /** Ends its WebSockets, so that their clients connect elsewhere; new ones are refused. */
  closeStreams(): void;
  close(): Promise<void>;
}

const CONNECTIONS = 256;
const CONNECT_TIMEOUT_MS = 10_000;
/** Methods whose requests may be sent again (RFC 9110, 9.2.2). */
const IDEMPOTENT: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

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

interface Passing {
  readonly name: string;
  readonly pool: Pool;
  readonly path: string;
  readonly headers: string[];
}

/** Sends the request on, and its answer back. @throws DomainError `component_unavailable` */
async function pass(
  { req, res, caller }: RequestContext,
  { name, pool, path, headers }: Passing,
): Promise<void> {
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
  const send = (): Promise<unknown> =>
    pool.stream(
      {
        path,
        // Any method that Node's parser accepts; undici's type lists the usual ones.
        method: req.method as 'GET',
        headers,
        body,
        ...(caller.signal === undefined ? {} : { signal: caller.signal }),
      },
      ({ statusCode, headers: answered }) => {
        if (meansUnavailable(statusCode)) {
          refused = statusCode;
          return discard();
        }
        writeHead(res, statusCode, answered);
        res.flushHeaders();
        return res;
      },
    );
  const isRepeatable = (fault: unknown): boolean =>
    body === null && IDEMPOTENT.has(req.method) && !res.headersSent && isStale(fault);
  try {
    await send().catch((fault: unknown) => {
      if (isRepeatable(fault) && refused === undefined && caller.signal?.aborted !== true) return send();
      throw fault;
    });
  } catch (cause) {
    const ended = endOfCredential(caller) ?? late;
    if (ended !== undefined) throw ended;
    if (caller.signal?.aborted === true) return;
    throw unavailable(name, refused ?? null, cause);
  } finally {
    // Discards what the component did not read: unread, it would block the connection's next request.
    if (body !== null) req.unpipe(body).resume();
  }
  if (refused !== undefined) throw unavailable(name, refused);
}

export function createPassThrough({
  name,
  url,
  timeoutMs,
  addresses,
  sign,
  circuit,
  perActor,
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

  const headersOf = async ({ req, caller }: RequestContext): Promise<string[]> => {
    const { actor, roles, projects } = caller; // the credential itself is not passed on
    const signed = await sign({ actor, roles, projects }, name);
    return upstreamHeaders(req, identityHeaders(caller, signed), addresses.forwardedFor(req));
  };

  const passing = async (ctx: RequestContext): Promise<Passing> => ({
    name,
    pool,
    path: target(ctx),
    headers: await headersOf(ctx),
  });

  /** One that answers with a failure costs nobody any time, and what it says is told. */
  const isSilent = (thrown: unknown): boolean =>
    thrown instanceof DomainError &&
    thrown.code === 'component_unavailable' &&
    thrown.details['upstream_status'] === null;
  const tunnels = new Tunnels({
    url: new URL(origin),
    timeoutMs,
    perActor,
    unavailable: (status, cause) => unavailable(name, status, cause),
  });
  const match = {
    template: `${prefix}/{path}`,
    access: 'authenticated',
    isLong: true, // a component may stream for as long as it likes
    handle: (ctx: RequestContext) => circuit.run(async () => pass(ctx, await passing(ctx)), isSilent),
    upgrade: (ctx: RequestContext) =>
      circuit.run(async () => tunnels.open(ctx, await passing(ctx)), isSilent),
  } as const;
  return {
    component: name,
    match: () => match,
    closeStreams: () => tunnels.close(),
    close: () => pool.destroy(),
  };
}
