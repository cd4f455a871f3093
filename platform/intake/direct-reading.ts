// Whether connections may be read by Node's HTTP parser directly, which costs least but takes what one read brings
// in one go (docs/decisions/0086-input-is-paced-when-it-has-to-be.md). What they bring is counted as it is parsed:
// when one turn of the event loop brings too much, all connections of the process are read in parts from then on.
import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Requests and pieces of bodies in one turn of the event loop: some milliseconds of parsing. Of a client that
 * waits for its answers it is one.
 */
const MAX_IN_A_TURN = 256;
/** So many header fields are as much work as another request. */
const FIELDS_PER_REQUEST = 32;
/** Pieces of a body that wait in its request until somebody reads it. */
const MAX_UNREAD = 64;
/** Milliseconds after such a turn in which new connections are read in parts from the beginning. */
const PACED_MS = 60_000;

/** A connection's input. */
export interface Paceable {
  /** Reads it in parts from now on: also what else this turn of the event loop brings of it. */
  pace(): void;
}

const direct = new Map<Duplex, Paceable>();
let pacedUntil = Number.NEGATIVE_INFINITY;

let inTurn = 0;
/** The request whose header fields have not been counted: it has none yet when it is made. */
let newest: IncomingMessage | undefined;

const endTurn = (): void => {
  inTurn = 0;
  newest = undefined;
};

function count(weight: number): void {
  if (inTurn === 0) setImmediate(endTurn);
  const before = inTurn;
  inTurn += weight;
  if (before > MAX_IN_A_TURN || inTurn <= MAX_IN_A_TURN) return;
  pacedUntil = performance.now() + PACED_MS;
  for (const socket of direct.keys()) readInParts(socket);
}

function countRequest(request: IncomingMessage): void {
  count(newest === undefined ? 1 : 1 + Math.floor(newest.rawHeaders.length / 2 / FIELDS_PER_REQUEST));
  newest = request;
}

/** Has a new connection read directly; in parts, where connections have brought too much of late. */
export function readDirectly(socket: Socket, input: Paceable): void {
  direct.set(socket, input);
  if (performance.now() < pacedUntil) return readInParts(socket);
  socket.once('close', () => direct.delete(socket));
}

/** Has a connection read in parts, whatever others do. */
export function readInParts(socket: Duplex): void {
  const input = direct.get(socket);
  direct.delete(socket);
  input?.pace();
}

/** A request of a server whose connections are read directly: it counts. */
export class CountedRequest extends IncomingMessage {
  #unread = 0;

  constructor(socket: Socket) {
    super(socket);
    countRequest(this);
  }

  /** The parser calls it for each piece of the body. */
  override push(piece: Buffer | null): boolean {
    if (piece !== null) {
      count(1);
      this.#unread = this.readableLength > 0 ? this.#unread + 1 : 0;
      if (this.#unread > MAX_UNREAD) readInParts(this.socket);
    }
    return super.push(piece);
  }
}
