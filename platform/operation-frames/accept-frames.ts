// Turns connections of a router into connections that carry operations in frames; begun by an HTTP upgrade, which
// has to prove as a request does that it comes from the router.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { isFromGateway, readCaller } from '../read-caller.ts';
import { FRAMES_PROTOCOL } from './frame-format.ts';
import type { FramesOptions } from './framed-operation.ts';
import { FramesConnection } from './serve-frames.ts';

/** Bytes of what a connection brings that are handed on at once: some tens of operations. */
const BYTES_AT_ONCE = 16 * 1024;

/** Takes over a socket of the HTTP server; returns the first bytes that came over it. */
export type TakeOver = (socket: Duplex, head: Buffer, bytesAtOnce: number) => Buffer;

const SWITCHING = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${FRAMES_PROTOCOL}\r\n\r\n`;

export class AcceptFrames {
  readonly #options: FramesOptions;
  readonly #open = new Set<FramesConnection>();
  #isLeaving = false;

  constructor(options: FramesOptions) {
    this.#options = options;
  }

  /** Whether a request asks for frames, and gets them: else it is answered as if it did not ask. */
  takes({ headers, method }: IncomingMessage): boolean {
    return !this.#isLeaving && method === 'GET' && headers.upgrade === FRAMES_PROTOCOL;
  }

  /** @throws DomainError as {@link readCaller}; `missing_token` for who is no gateway */
  async accept(req: IncomingMessage, socket: Duplex, head: Buffer, takeOver: TakeOver): Promise<void> {
    const { reader } = this.#options;
    const isOurs = isFromGateway(req, reader);
    await readCaller(
      req,
      isOurs ? reader : { believes: () => false }, // who may ask without a gateway asks as anybody does
      new AbortController().signal,
    );
    if (socket.destroyed) return;
    const first = takeOver(socket, head, BYTES_AT_ONCE);
    socket.write(SWITCHING);
    const connection = new FramesConnection(socket, req, this.#options);
    this.#open.add(connection);
    socket.once('close', () => this.#open.delete(connection));
    if (first.length > 0) connection.receive(first);
    if (this.#isLeaving) connection.leave();
  }

  /** Connections that have not ended. */
  get open(): number {
    return this.#open.size;
  }

  /** Asks the routers to end their connections, which they do when everything is answered; accepts no more. */
  leave(): void {
    this.#isLeaving = true;
    for (const connection of this.#open) connection.leave();
  }

  /** Ends what has not ended by itself. */
  close(): void {
    for (const connection of this.#open) connection.destroy();
  }
}
