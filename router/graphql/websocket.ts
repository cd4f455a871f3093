// GraphQL over WebSocket (the graphql-transport-ws protocol): many operations on one connection, each admitted, counted and recorded like a request.
import type { Duplex } from 'node:stream';
import { type FormattedExecutionResult, GraphQLError } from 'graphql';
import { handleProtocols, makeServer } from 'graphql-ws';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import { DomainError, masked } from '../../platform/errors.ts';
import type { Identity } from '../../platform/identity.ts';
import { parseJson } from '../../platform/json.ts';
import type { PresentedHeaders } from '../edge/credentials.ts';
import type { Session } from '../edge/upgrade.ts';
import { watchIdentity } from '../edge/watch-identity.ts';
import { type Executed, OperationRunner, type OperationRunnerOptions } from './websocket-operation.ts';
import { messageOf } from './written-result.ts';

export interface WebSocketOptions extends OperationRunnerOptions {
  readonly log: Logger;
  /** Most bytes of a message. */
  readonly bodyLimit: number;
  /** Calls back when some credential has ended; answers the way to stop. */
  readonly onEnding?: ((look: () => void) => () => void) | undefined;
  readonly recheckMs?: number | undefined;
  readonly heartbeatMs?: number | undefined;
}

export interface WebSocketEndpoint {
  accept(session: Session, socket: Duplex, head: Buffer): void;
  /** Tells every client that the server goes away, and resolves when they are gone. */
  close(): Promise<void>;
}

/** Close codes: RFC 6455 and the protocol's own. */
const GOING_AWAY = 1001;
const BAD_REQUEST = 4400;
const UNAUTHORIZED = 4401;
const FORBIDDEN = 4403;
const INTERNAL_ERROR = 4500;
/** Milliseconds: how long a client may take to name itself; between two pings; to close. */
const INIT_MS = 5000;
const HEARTBEAT_MS = 15_000;
const CLOSE_MS = 2000;

/** A connection from the moment on that it is one. */
interface Connection { readonly session: Session; identity: Identity | undefined; given: PresentedHeaders }

/** `connection_init` may carry what headers carry elsewhere: `{apiKey}`, `{authorization}`. */
function givenBy(params: Readonly<Record<string, unknown>> | undefined): PresentedHeaders {
  const text = (name: string): string | undefined => {
    const value = params?.[name];
    if (value !== undefined && typeof value !== 'string') throw new DomainError('invalid_token', `${name} of connection_init must be a string`);
    return value;
  };
  const [authorization, apiKey] = [text('authorization'), text('apiKey')];
  return { ...(authorization === undefined ? {} : { authorization }), ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }) };
}

const closeWith = (socket: WebSocket, code: number, reason: string): void => { socket.close(code, Buffer.from(reason).subarray(0, 120).toString()); };

export function createWebSocketEndpoint(options: WebSocketOptions): WebSocketEndpoint {
  const { log, bodyLimit, onEnding, recheckMs, heartbeatMs = HEARTBEAT_MS } = options;
  const runner = new OperationRunner(options);
  const open = new Set<WebSocket>();
  let closing = false;
  const server = new WebSocketServer({ noServer: true, maxPayload: bodyLimit, perMessageDeflate: false, handleProtocols });

  const protocol = makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: INIT_MS,
    async onConnect({ connectionParams, extra }) {
      extra.given = givenBy(connectionParams);
      extra.identity = await extra.session.verify(extra.given);
    },
    onSubscribe: async ({ extra: { session, identity } }, _id, payload) => {
      if (identity === undefined) return [new GraphQLError('connection_init has not been answered yet')];
      return runner.admit(session, identity, payload);
    },
    subscribe: (args) => runner.subscribe(args as Executed), // made by `admit` above
    execute: (args) => runner.execute(args as Executed), // likewise
    onNext: (_ctx, _id, _payload, _args, result) => result as unknown as FormattedExecutionResult, // finished by the runner
  });

  const fail = (socket: WebSocket, thrown: unknown): void => {
    const refusal = masked(thrown);
    if (refusal.code === 'internal_error') log.error({ err: refusal.cause }, 'unexpected error on a WebSocket');
    closeWith(socket, refusal.code === 'internal_error' ? INTERNAL_ERROR : refusal.status === 401 ? UNAUTHORIZED : refusal.status === 403 ? FORBIDDEN : BAD_REQUEST, refusal.message);
  };

  const serve = (socket: WebSocket, session: Session): void => {
    const connection: Connection = { session, identity: session.identity, given: {} };
    open.add(socket);
    let unwatch: (() => void) | undefined;
    const watch = (identity: Identity): (() => void) => watchIdentity({
      identity, verify: () => session.verify(connection.given), onEnd: (refusal) => { fail(socket, refusal); },
      onFault: (err) => { log.warn({ err }, 'the credential of a WebSocket could not be looked at again'); },
      onEnding, ...(recheckMs === undefined ? {} : { everyMs: recheckMs }),
    });
    const closed = protocol.opened({
      protocol: socket.protocol,
      send: (data) => new Promise((resolve, reject) => {
        const message = messageOf(data);
        if (socket.readyState !== socket.OPEN) return resolve();
        socket.send(message, { binary: false }, (error) => { if (error && socket.readyState === socket.OPEN) reject(error); else resolve(); }); // when it is written: the sender's pace is the receiver's
      }),
      close: (code, reason) => { closeWith(socket, code ?? INTERNAL_ERROR, reason ?? ''); },
      onMessage: (receive) => {
        socket.on('message', (data: Buffer, isBinary) => {
          void (async () => {
            try {
              const text = data.toString();
              if (isBinary) throw new DomainError('invalid_request', 'messages are text');
              parseJson(data); // the same bounds as a request's body
              await receive(text);
              if (connection.identity) unwatch ??= watch(connection.identity);
            } catch (thrown) {
              fail(socket, thrown);
            }
          })();
        });
      },
    }, connection);

    let alive = true;
    socket.on('pong', () => { alive = true; });
    const heart = setInterval(() => {
      if (!alive) return socket.terminate();
      alive = false;
      socket.ping();
    }, heartbeatMs).unref();
    socket.on('error', (err) => { log.debug({ err }, 'a WebSocket failed'); });
    socket.once('close', (code, reason) => {
      clearInterval(heart);
      unwatch?.();
      open.delete(socket);
      closed(code, reason.toString()).catch((err: unknown) => { log.error({ err }, 'a WebSocket could not be cleaned up'); });
    });
    if (closing) closeWith(socket, GOING_AWAY, 'Going away');
  };

  return {
    accept(session, socket, head) {
      server.handleUpgrade(session.req, socket, head, (made) => { serve(made, session); });
    },
    async close() {
      closing = true;
      const gone = [...open].map((socket) => new Promise<void>((resolve) => {
        socket.once('close', () => { resolve(); });
        closeWith(socket, GOING_AWAY, 'Going away');
        setTimeout(() => { socket.terminate(); }, CLOSE_MS).unref();
      }));
      await Promise.all(gone);
      server.close();
    },
  };
}
