// GraphQL over WebSocket (the graphql-transport-ws protocol): many operations on one connection, each
// admitted, counted and recorded like a request.
import type { Duplex } from 'node:stream';
import { type FormattedExecutionResult, GraphQLError } from 'graphql';
import { handleProtocols, makeServer, type Server } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { DomainError } from '../../platform/errors.ts';
import type { PresentedHeaders } from '../edge/identity/credentials.ts';
import type { Session } from '../edge/upgrade.ts';
import { closeWith, GOING_AWAY } from './websocket-closing.ts';
import { type ConnectionOptions, WebSocketConnection } from './websocket-connection.ts';
import type { WebSocketLimits } from './websocket-limits.ts';
import { type Executed, OperationRunner, type OperationRunnerOptions } from './websocket-operation.ts';
import { WrittenResult } from './written-result.ts';

export interface WebSocketOptions extends OperationRunnerOptions, ConnectionOptions {
  /** Maximum bytes of a message. */
  readonly bodyLimit: number;
  readonly limits: WebSocketLimits;
}

export interface WebSocketEndpoint {
  /** Returns a function that upgrades the socket. @throws DomainError `rate_limit_exceeded` */
  accept(session: Session): (socket: Duplex, head: Buffer) => void;
  /** Notifies every client that the server stops, and resolves when they have disconnected. */
  close(): Promise<void>;
}

/** Milliseconds that a client has to authenticate. */
const INIT_MS = 5000;

/**
 * `connection_init` may contain the credentials that headers contain elsewhere: `{apiKey}`,
 * `{authorization}`.
 */
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

const isRefusal = (admitted: Executed | readonly GraphQLError[]): admitted is readonly GraphQLError[] =>
  Array.isArray(admitted);

const createProtocol = (runner: OperationRunner): Server<WebSocketConnection> =>
  makeServer<Record<string, unknown>, WebSocketConnection>({
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
    subscribe: (args) => runner.subscribe(args as Executed), // `admit` above made it.
    execute: (args) => runner.execute(args as Executed), // As above.
    // the runner ends it
    onNext: (_ctx, _id, _payload, _args, result) => result as unknown as FormattedExecutionResult,
  });

/** Closes it, and resolves when it is closed. */
const leave = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => {
      resolve();
    });
    closeWith(socket, GOING_AWAY, 'Going away');
  });

export function createWebSocketEndpoint(options: WebSocketOptions): WebSocketEndpoint {
  const protocol = createProtocol(new OperationRunner(options));
  const open = new Set<WebSocket>();
  let closing = false;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.bodyLimit,
    perMessageDeflate: false,
    handleProtocols,
  });

  return {
    accept(session) {
      const guest = options.limits.admit(session.ip, session.identity?.actor);
      return (raw, head) => {
        if (raw.destroyed) return guest.leave();
        raw.once('close', () => {
          guest.leave();
        });
        server.handleUpgrade(session.req, raw, head, (socket) => {
          open.add(socket);
          new WebSocketConnection(socket, session, guest, options).serve(
            raw,
            (opened, connection) => protocol.opened(opened, connection),
            () => open.delete(socket),
          );
          if (closing) closeWith(socket, GOING_AWAY, 'Going away');
        });
      };
    },
    async close() {
      closing = true;
      await Promise.all([...open].map(leave));
      server.close();
    },
  };
}
