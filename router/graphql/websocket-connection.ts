// One connection of GraphQL over WebSocket: its message queue, limits, heartbeat and end.
import type { Duplex } from 'node:stream';
import type { WebSocket as ProtocolSocket } from 'graphql-ws';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { DomainError, masked } from '../../platform/errors.ts';
import type { Identity } from '../../platform/identity.ts';
import type { Account } from '../../platform/intake/byte-budget.ts';
import { jsonLimitsFor } from '../../platform/intake/intake.ts';
import { parseJsonBody } from '../../platform/json-in-turns.ts';
import type { PresentedHeaders } from '../edge/identity/credentials.ts';
import type { Session } from '../edge/upgrade.ts';
import { watchIdentity } from '../edge/identity/watch-identity.ts';
import { mostBytesOf } from './read-request.ts';
import { MessageTurns } from './turns.ts';
import { closeCode, closeWith, INTERNAL_ERROR, POLICY_VIOLATION, TOO_LARGE } from './websocket-closing.ts';
import type { Guest } from './websocket-limits.ts';
import { messageOf } from './written-result.ts';

/** Before connection_init. */
const NOBODY = { roles: [] };
/** Milliseconds between two pings. */
const HEARTBEAT_MS = 15_000;
/** A client's control frame, without what it carries: two bytes and the mask. */
const FRAME_BYTES = 6;

export interface ConnectionOptions {
  readonly log: Logger;
  /** Registers a callback for the end of any credential; returns a function that removes it. */
  readonly onEnding?: ((look: () => void) => () => void) | undefined;
  readonly recheckMs?: number | undefined;
  readonly heartbeatMs?: number | undefined;
}

/** Begins the protocol on a socket; returns a function to call when the socket has closed. */
type Open = (
  socket: ProtocolSocket,
  connection: WebSocketConnection,
) => (code?: number, reason?: string) => Promise<void>;

interface Message {
  readonly text: Buffer;
  readonly isBinary: boolean;
  readonly account: Account;
}

/** A connection after the upgrade. */
export class WebSocketConnection {
  readonly session: Session;
  readonly guest: Guest;
  identity: Identity | undefined;
  given: PresentedHeaders = {};
  /**
   * Releases the queue for the next message: an operation has been admitted or refused, however long it runs.
   */
  next: () => void = () => undefined;
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  #unwatch: (() => void) | undefined;
  #isAlive = true;

  constructor(socket: WebSocket, session: Session, guest: Guest, options: ConnectionOptions) {
    this.#socket = socket;
    this.session = session;
    this.guest = guest;
    this.identity = session.identity;
    this.#options = options;
  }

  /**
   * @param raw the underlying socket
   * @param onClose called when the socket has closed, before the protocol is informed
   */
  serve(raw: Duplex, open: Open, onClose: () => void): void {
    const socket = this.#socket;
    const { log } = this.#options;
    const closed = open(this.#protocolSocket(), this);
    this.#countPieces(raw);
    const heart = this.#beat();
    socket.on('error', (err) => {
      log.debug({ err }, 'a WebSocket failed');
    });
    socket.once('close', (code, reason) => {
      clearInterval(heart);
      this.#unwatch?.();
      onClose();
      closed(code, reason.toString()).catch((err: unknown) => {
        log.error({ err }, 'the resources of a WebSocket could not be released');
      });
    });
  }

  #fail(thrown: unknown): void {
    const refusal = masked(thrown);
    if (refusal.code === 'internal_error')
      this.#options.log.error({ err: refusal.cause }, 'unexpected error on a WebSocket');
    closeWith(this.#socket, closeCode(refusal), refusal.message);
  }

  #watch(identity: Identity): () => void {
    const { log, onEnding, recheckMs } = this.#options;
    return watchIdentity({
      identity,
      verify: () => this.session.verify(this.given),
      onEnd: (refusal) => {
        this.#fail(refusal);
      },
      onFault: (err) => {
        log.warn({ err }, 'the credential of a WebSocket could not be checked again');
      },
      onEnding,
      ...(recheckMs === undefined ? {} : { everyMs: recheckMs }),
    });
  }

  #protocolSocket(): ProtocolSocket {
    const socket = this.#socket;
    return {
      protocol: socket.protocol,
      send: (data) =>
        new Promise((resolve, reject) => {
          const message = messageOf(data);
          if (socket.readyState !== socket.OPEN) {
            message.sent();
            return resolve();
          }
          socket.send(message.data, { binary: false }, (error) => {
            message.sent();
            if (error && socket.readyState === socket.OPEN) reject(error);
            else resolve();
          }); // when it has been written: this propagates the receiver's back-pressure
        }),
      close: (code, reason) => {
        closeWith(socket, code ?? INTERNAL_ERROR, reason ?? '');
      },
      onMessage: (receive) => {
        const turns = this.#turns(receive);
        socket.on('message', (text: Buffer, isBinary) => {
          if (socket.readyState !== socket.OPEN) turns.end();
          turns.add({ text, isBinary, account: this.guest.message() });
        });
        socket.once('close', () => {
          turns.end();
        });
      },
    };
  }

  #turns(receive: (data: string) => Promise<void>): MessageTurns<Message> {
    return new MessageTurns<Message>({
      take: (message) => this.#take(message, receive),
      drop: ({ account }) => {
        account.close();
      },
      pause: () => {
        this.#socket.pause();
      },
      resume: () => {
        this.#socket.resume();
      },
    });
  }

  async #take({ text, isBinary, account }: Message, receive: (data: string) => Promise<void>): Promise<void> {
    let done: Promise<void> | undefined;
    try {
      if (!this.#isOpen()) return;
      if (isBinary) throw new DomainError('invalid_request', 'messages must be text');
      if (text.length > mostBytesOf(this.identity ?? NOBODY))
        return closeWith(this.#socket, TOO_LARGE, 'the message is too large');
      const message = await parseJsonBody(text, {
        limits: jsonLimitsFor(this.session.req),
        hold: account.take,
      });
      if (!this.#isOpen()) return;
      const admitted = new Promise<void>((resolve) => {
        this.next = resolve;
      });
      // the protocol's library parses text alone, and in one go
      const given = typeof message === 'string' ? text.toString() : (message as never);
      done = receive(given).catch((thrown: unknown) => {
        this.#fail(thrown);
      });
      await Promise.race([done, admitted]);
      if (this.identity) this.#unwatch ??= this.#watch(this.identity);
    } catch (thrown) {
      this.#fail(thrown);
    } finally {
      // an operation has its variables for as long as it runs
      void (done ?? Promise.resolve()).then(account.close);
    }
  }

  #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  #counted(count: () => void): void {
    try {
      if (this.#isOpen()) count();
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  /** Counts bytes and pings before they are parsed. */
  #countPieces(raw: Duplex): void {
    raw.prependListener('data', (piece: Buffer) => {
      this.#counted(() => {
        this.guest.bytes(piece.length);
      });
    });
    this.#socket.on('ping', ({ length }: Buffer) => {
      this.#counted(() => {
        this.guest.ping(FRAME_BYTES + length);
      });
    });
    this.#socket.on('pong', ({ length }: Buffer) => {
      this.#isAlive = true;
      this.#counted(() => {
        this.guest.ping(FRAME_BYTES + length);
      });
    });
  }

  #beat(): NodeJS.Timeout {
    const socket = this.#socket;
    return setInterval(() => {
      if (this.guest.isLate())
        return closeWith(socket, POLICY_VIOLATION, 'a message was not completed in time');
      if (!this.#isAlive && !socket.isPaused) return socket.terminate();
      this.#isAlive = false;
      socket.ping();
    }, this.#options.heartbeatMs ?? HEARTBEAT_MS).unref();
  }
}
