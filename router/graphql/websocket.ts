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
import { Turns } from './turns.ts';
import type { Guest, WebSocketLimits } from './websocket-limits.ts';
import { type Executed, OperationRunner, type OperationRunnerOptions } from './websocket-operation.ts';
import { messageOf, WrittenResult } from './written-result.ts';

export interface WebSocketOptions extends OperationRunnerOptions {
  readonly log: Logger;
  /** Most bytes of a message. */
  readonly bodyLimit: number;
  readonly limits: WebSocketLimits;
  /** Calls back when some credential has ended; answers the way to stop. */
  readonly onEnding?: ((look: () => void) => () => void) | undefined;
  readonly recheckMs?: number | undefined;
  readonly heartbeatMs?: number | undefined;
}

export interface WebSocketEndpoint {
  /** Answers what makes a WebSocket of the socket. @throws DomainError `rate_limit_exceeded` */
  accept(session: Session): (socket: Duplex, head: Buffer) => void;
  /** Tells every client that the server goes away, and resolves when they are gone. */
  close(): Promise<void>;
}

/** Close codes: RFC 6455 and the protocol's own. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const TOO_LARGE = 1009;
const BAD_REQUEST = 4400;
const UNAUTHORIZED = 4401;
const FORBIDDEN = 4403;
const INTERNAL_ERROR = 4500;
/** Milliseconds: how long a client may take to name itself; between two pings; to close. */
const INIT_MS = 5000;
const HEARTBEAT_MS = 15_000;
const CLOSE_MS = 2000;

/** A connection from the moment on that it is one. */
interface Connection {
  readonly session: Session;
  readonly guest: Guest;
  identity: Identity | undefined;
  given: PresentedHeaders;
  /** Lets the next message have its turn: an operation has been admitted or refused, however long it goes on. */
  next: () => void;
}

interface Message {
  readonly text: Buffer;
  readonly isBinary: boolean;
  readonly dealtWith: () => void;
}

/** `connection_init` may carry what headers carry elsewhere: `{apiKey}`, `{authorization}`. */
function givenBy(params: Readonly<Record<string, unknown>> | undefined): PresentedHeaders {
  const text = (name: string): string | undefined => {
    const value = params?.[name];
    if (value !== undefined && typeof value !== 'string')
      throw new DomainError('invalid_token', `${name} of connection_init must be a string`);
    return value;
  };
  const [authorization, apiKey] = [text('authorization'), text('apiKey')];
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
  };
}

/** Says why, and does not wait for the other side for long. */
function closeWith(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, Buffer.from(reason).subarray(0, 120).toString());
  setTimeout(() => {
    socket.terminate();
  }, CLOSE_MS).unref();
}

function closeCode({ code, status }: DomainError): number {
  if (code === 'internal_error') return INTERNAL_ERROR;
  if (code === 'rate_limit_exceeded') return POLICY_VIOLATION;
  if (code === 'payload_too_large') return TOO_LARGE;
  return status === 401 ? UNAUTHORIZED : status === 403 ? FORBIDDEN : BAD_REQUEST;
}

const isRefusal = (admitted: Executed | readonly GraphQLError[]): admitted is readonly GraphQLError[] =>
  Array.isArray(admitted);

export function createWebSocketEndpoint(options: WebSocketOptions): WebSocketEndpoint {
  const { log, bodyLimit, limits, onEnding, recheckMs, heartbeatMs = HEARTBEAT_MS } = options;
  const runner = new OperationRunner(options);
  const open = new Set<WebSocket>();
  let closing = false;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: bodyLimit,
    perMessageDeflate: false,
    handleProtocols,
  });

  const protocol = makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: INIT_MS,
    async onConnect({ connectionParams, extra }) {
      extra.given = givenBy(connectionParams);
      const identity = await extra.session.verify(extra.given);
      if (extra.session.identity === undefined) extra.guest.isOf(identity.actor);
      extra.identity = identity;
    },
    onPing: ({ extra }) => {
      extra.guest.ping();
    },
    onPong: ({ extra }) => {
      extra.guest.ping();
    },
    onSubscribe: async ({ extra }, _id, payload) => {
      const { session, identity, guest } = extra;
      if (identity === undefined) return [new GraphQLError('connection_init has not been answered yet')];
      const admitted = await runner.admit(session, identity, payload);
      if (isRefusal(admitted)) guest.refused();
      extra.next();
      return admitted;
    },
    onOperation: ({ extra }, _id, _payload, _args, result) => {
      if (result instanceof WrittenResult && !result.hasRun) extra.guest.refused();
    },
    subscribe: (args) => runner.subscribe(args as Executed), // made by `admit` above
    execute: (args) => runner.execute(args as Executed), // likewise
    onNext: (_ctx, _id, _payload, _args, result) => result as unknown as FormattedExecutionResult, // finished by the runner
  });

  const fail = (socket: WebSocket, thrown: unknown): void => {
    const refusal = masked(thrown);
    if (refusal.code === 'internal_error')
      log.error({ err: refusal.cause }, 'unexpected error on a WebSocket');
    closeWith(socket, closeCode(refusal), refusal.message);
  };

  const serve = (socket: WebSocket, raw: Duplex, session: Session, guest: Guest): void => {
    const connection: Connection = {
      session,
      guest,
      identity: session.identity,
      given: {},
      next: () => undefined,
    };
    open.add(socket);
    let unwatch: (() => void) | undefined;
    const watch = (identity: Identity): (() => void) =>
      watchIdentity({
        identity,
        verify: () => session.verify(connection.given),
        onEnd: (refusal) => {
          fail(socket, refusal);
        },
        onFault: (err) => {
          log.warn({ err }, 'the credential of a WebSocket could not be looked at again');
        },
        onEnding,
        ...(recheckMs === undefined ? {} : { everyMs: recheckMs }),
      });
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (data) =>
          new Promise((resolve, reject) => {
            const message = messageOf(data);
            if (socket.readyState !== socket.OPEN) return resolve();
            socket.send(message, { binary: false }, (error) => {
              if (error && socket.readyState === socket.OPEN) reject(error);
              else resolve();
            }); // when it is written: the sender's pace is the receiver's
          }),
        close: (code, reason) => {
          closeWith(socket, code ?? INTERNAL_ERROR, reason ?? '');
        },
        onMessage: (receive) => {
          const turns = new Turns<Message>({
            async take({ text, isBinary, dealtWith }) {
              try {
                if (socket.readyState !== socket.OPEN) return;
                if (isBinary) throw new DomainError('invalid_request', 'messages are text');
                parseJson(text); // the same bounds as a request's body
                const admitted = new Promise<void>((resolve) => {
                  connection.next = resolve;
                });
                const done = receive(text.toString()).catch((thrown: unknown) => {
                  fail(socket, thrown);
                });
                await Promise.race([done, admitted]);
                if (connection.identity) unwatch ??= watch(connection.identity);
              } catch (thrown) {
                fail(socket, thrown);
              } finally {
                dealtWith();
              }
            },
            drop: ({ dealtWith }) => {
              dealtWith();
            },
            pause: () => {
              socket.pause();
            },
            resume: () => {
              socket.resume();
            },
          });
          socket.on('message', (text: Buffer, isBinary) => {
            if (socket.readyState !== socket.OPEN) turns.end();
            turns.add({ text, isBinary, dealtWith: guest.message() });
          });
          socket.once('close', () => {
            turns.end();
          });
        },
      },
      connection,
    );

    let alive = true;
    const guarded = (count: () => void): void => {
      try {
        if (socket.readyState === socket.OPEN) count();
      } catch (thrown) {
        fail(socket, thrown);
      }
    };
    raw.prependListener('data', (piece: Buffer) => {
      guarded(() => {
        guest.bytes(piece.length);
      });
    }); // before it is taken apart
    socket.on('ping', () => {
      guarded(() => {
        guest.ping();
      });
    });
    socket.on('pong', () => {
      alive = true;
      guarded(() => {
        guest.ping();
      });
    });
    const heart = setInterval(() => {
      if (guest.isLate()) return closeWith(socket, POLICY_VIOLATION, 'a message does not come to its end');
      if (!alive && !socket.isPaused) return socket.terminate();
      alive = false;
      socket.ping();
    }, heartbeatMs).unref();
    socket.on('error', (err) => {
      log.debug({ err }, 'a WebSocket failed');
    });
    socket.once('close', (code, reason) => {
      clearInterval(heart);
      unwatch?.();
      open.delete(socket);
      closed(code, reason.toString()).catch((err: unknown) => {
        log.error({ err }, 'a WebSocket could not be cleaned up');
      });
    });
    if (closing) closeWith(socket, GOING_AWAY, 'Going away');
  };

  return {
    accept(session) {
      const guest = limits.admit(session.ip, session.identity?.actor);
      return (socket, head) => {
        if (socket.destroyed) return guest.leave();
        socket.once('close', () => {
          guest.leave();
        });
        server.handleUpgrade(session.req, socket, head, (made) => {
          serve(made, socket, session, guest);
        });
      };
    },
    async close() {
      closing = true;
      const gone = [...open].map(
        (socket) =>
          new Promise<void>((resolve) => {
            socket.once('close', () => {
              resolve();
            });
            closeWith(socket, GOING_AWAY, 'Going away');
          }),
      );
      await Promise.all(gone);
      server.close();
    },
  };
}
