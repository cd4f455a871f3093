// The path of a WebSocket upgrade: the same stages as every request, then a connection that stays open.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { badRequest, DomainError } from '../../platform/errors.ts';
import type { Identity } from '../../platform/identity.ts';
import { hasBody } from '../../platform/read-body.ts';
import { responseOn } from '../../platform/response-on.ts';
import { answerError } from './http/answer-error.ts';
import { checkHost } from './stages/check-host.ts';
import { checkRequest } from './stages/check-request.ts';
import { fail, contextOf } from './create-edge.ts';
import { identityBy, type PresentedHeaders } from './identity/credentials.ts';
import { isOfOwnPage } from './stages/answer-cors.ts';
import type { Edge } from './stages/edge-options.ts';
import { identify } from './stages/identify.ts';
import { limitRate, refusalOf } from './stages/limit-rate.ts';
import type { Upgraded } from '../../platform/request-context.ts';
import { watchIdentity } from './identity/watch-identity.ts';
import { authenticate } from './stages/authenticate.ts';
import { checkProject } from './stages/check-project.ts';
import { checkRole } from './stages/check-role.ts';
import { findRoute, identityLeft } from './stages/forward.ts';
import type { EdgeRequestContext } from './stages/edge-request-context.ts';
import { type DoneOperation, recordOperation } from './stages/record-operation.ts';

/** The edge as the protocol of an upgraded connection sees it. */
export interface Session {
  readonly req: IncomingMessage;
  readonly ip: string;
  /** The connection's incoming trace context. */
  readonly traceparent: string | undefined;
  /** The identity of the request's own credential; undefined without one. */
  readonly identity: Identity | undefined;
  /**
   * The identity of these credentials, together with the request's own.
   * @throws DomainError `missing_token`, `invalid_token`, `expired_token`, `revoked_token`
   */
  verify(given: PresentedHeaders): Promise<Identity>;
  /** Counts an operation as a request. @throws DomainError `rate_limit_exceeded` */
  count(identity: Identity): Promise<void>;
  record(done: Omit<DoneOperation, 'method' | 'path' | 'template' | 'ip'>): void;
}

export interface UpgradeOptions {
  /** The path with WebSockets of our own; others lead to components of kind `rest`. */
  readonly path: string;
  /** Answers requests for other upgrades, which are not made. */
  readonly ordinary: (req: IncomingMessage, res: ServerResponse) => void;
  /** Handles the socket after the upgrade. @throws DomainError if no more sockets are accepted */
  accept(session: Session): (socket: Duplex, head: Buffer) => void;
}

/**
 * Browsers let any page open a WebSocket to any server, so other origins must be allowed as for requests.
 * @throws DomainError `invalid_request`
 */
function checkOrigin(req: IncomingMessage, { cors }: Edge): void {
  if (!isOfOwnPage(req, cors)) throw badRequest('pages of this origin may not open a WebSocket here');
}

/**
 * docs/reference/gateway.md#order-of-checks: rate limit, then authentication. A credential may also be sent
 * later, over the connection; an invalid one is refused.
 */
async function admit(ctx: EdgeRequestContext, edge: Edge, path: string): Promise<void> {
  ctx.template = path;
  checkOrigin(ctx.req, edge);
  await limitRate(ctx, edge);
  await identify(ctx, edge.credentials);
  if (ctx.refusal) throw ctx.refusal;
  if (ctx.identity) ctx.actAs(ctx.identity);
}

/** The stages of a request to a component, whose own upgrade it is. */
async function admitToComponent(ctx: EdgeRequestContext, edge: Edge): Promise<Upgraded | undefined> {
  findRoute(ctx, edge);
  const upgrade = ctx.match?.upgrade;
  if (upgrade === undefined)
    throw new DomainError('route_not_found', `there is no WebSocket endpoint at ${ctx.path}`);
  checkOrigin(ctx.req, edge);
  await limitRate(ctx, edge);
  await authenticate(ctx, edge);
  checkRole(ctx);
  checkProject(ctx);
  const upgraded = await upgrade(ctx);
  return upgraded && whileStanding(ctx, edge, upgraded);
}

/** It ends with the credential that it was opened with. */
const whileStanding =
  (ctx: EdgeRequestContext, edge: Edge, upgraded: Upgraded): Upgraded =>
  (socket, head) => {
    const { identity = ctx.caller } = ctx;
    const unwatch = watchIdentity({
      identity,
      verify: () => identityLeft(ctx, identity, edge),
      onEnd: () => socket.destroy(),
      onFault: (err) => {
        edge.log.warn(
          { err, requestId: ctx.requestId },
          'the credential of a WebSocket could not be checked again',
        );
      },
      onEnding: edge.onEnding,
    });
    socket.once('close', unwatch);
    upgraded(socket, head);
  };

function sessionOf(
  { req, ip, traceparent, identity }: EdgeRequestContext,
  edge: Edge,
  path: string,
): Session {
  const { credentials, rateLimits, metrics } = edge;
  return {
    req,
    ip,
    traceparent,
    identity,
    async verify(given) {
      try {
        const proven = [
          await identityBy(req.headers, credentials),
          await identityBy(given, credentials),
        ].filter((one) => one !== undefined);
        const [first] = proven;
        if (first === undefined)
          throw new DomainError(
            'missing_token',
            'a credential is required: send it in the headers, or as apiKey or authorization in connection_init',
          );
        if (proven.some((one) => one.actor !== first.actor))
          throw new DomainError('invalid_token', 'the two credentials name different actors');
        return first;
      } catch (thrown) {
        if (thrown instanceof DomainError) metrics?.refused(thrown.code);
        throw thrown;
      }
    },
    async count({ actor }) {
      if (rateLimits === undefined) return;
      const verdict = await rateLimits.limiter.take(`actor ${actor}`, rateLimits.perActor);
      if (!verdict.allowed) throw refusalOf(rateLimits.perActor, verdict);
    },
    record: (done) => {
      recordOperation({ ...done, method: 'WS', path, template: path, ip }, edge);
    },
  };
}

async function admitted(
  ctx: EdgeRequestContext,
  edge: Edge,
  { path, accept }: Pick<UpgradeOptions, 'path' | 'accept'>,
): Promise<Upgraded | undefined> {
  checkRequest(ctx);
  checkHost(ctx, edge);
  if (ctx.path !== path) return admitToComponent(ctx, edge);
  await admit(ctx, edge, path);
  return accept(sessionOf(ctx, edge, path));
}

/** For the server's `upgrade` event, which then receives every request with an `Upgrade` header. */
export function createUpgrade(
  edge: Edge,
  { path, ...then }: UpgradeOptions,
): (req: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (req, socket, head) => {
    socket.on('error', () => {
      socket.destroy();
    }); // nobody else listens any more
    const res = responseOn(req, socket);
    if (req.headers.upgrade?.toLowerCase() !== 'websocket') {
      if (!hasBody(req)) return then.ordinary(req, res);
      return answerError(
        res,
        badRequest('this protocol upgrade is not supported'),
        contextOf(req, res, edge).requestId,
        edge.resourceMetadata?.(),
      );
    }
    const ctx = contextOf(req, res, edge);
    const record = (status: number): void => {
      const { requestId, caller, ip, startedAt, template } = ctx;
      recordOperation(
        {
          requestId,
          actor: caller.actor,
          credential: caller.credential,
          method: req.method ?? '',
          path: ctx.path,
          template,
          ip,
          name: undefined,
          status,
          startedAt,
        },
        edge,
      );
    };
    admitted(ctx, edge, { path, ...then }).then(
      (goOn) => {
        if (goOn === undefined) return record(res.statusCode);
        res.detachSocket(socket as Socket); // see responseOn
        record(101);
        goOn(socket, head);
      },
      (thrown: unknown) => {
        fail(ctx, edge, thrown);
        record(res.statusCode);
      },
    );
  };
}
