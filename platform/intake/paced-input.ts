// Hands on what connections send in parts that take turns on the event loop. Node's HTTP parser takes what one
// read of a socket brings in one go: 64 KiB are 11,000 chunks of one byte, or 2,000 requests, and hundreds of
// connections may be read between two turns of the loop.
import type { Socket } from 'node:net';
import type { Account } from './byte-budget.ts';

/**
 * Lines of one part. The parser does nothing more than once per line: a chunk is two, a request two or more.
 */
const LINES_AT_ONCE = 64;
/** Bytes of one part of an upgraded connection: 150 of the smallest WebSocket messages. */
const UPGRADED_BYTES_AT_ONCE = 1024;
/** A part this short has no more lines than that, as an HTTP message. */
const ALWAYS_AT_ONCE = 256;
/**
 * Milliseconds of one turn of the loop in which parts are handed on, and bytes of these parts: as many are read in the
 * next. The others wait for the next turn.
 */
const TURN_MS = 5;
const TURN_BYTES = 256 * 1024;
/** Milliseconds between two looks at connections whose receiver takes no more. */
const LOOK_MS = 10;

/** The most that one read brings, in bytes. */
const READ_BYTES = 65_536;
const NOTHING = Buffer.alloc(0);

const LINE_FEED = 0x0a;

function partLength(input: Buffer, plain: number): number {
  if (input.length <= Math.max(plain, ALWAYS_AT_ONCE)) return input.length;
  let end = Math.max(0, plain);
  for (let lines = 0; lines < LINES_AT_ONCE; lines++) {
    const at = input.indexOf(LINE_FEED, end);
    if (at < 0) return input.length;
    end = at + 1;
  }
  return end;
}

let turnBegan: number | undefined;
let inTurn = 0;
const endTurn = (): void => {
  turnBegan = undefined;
  inTurn = 0;
};
/** Whether this turn of the loop has handed on as much as it may. */
function isTurnOver(): boolean {
  const now = performance.now();
  if (turnBegan === undefined) {
    turnBegan = now;
    setImmediate(endTurn);
  }
  return inTurn > TURN_BYTES || now - turnBegan > TURN_MS;
}

/**
 * Those whose turn comes next, in order: what begins a request, before pieces of bodies, before what goes on. Who
 * sends little does not wait for those who send much: each of a hundred bodies that come at once would be handed on
 * before a request of one line.
 */
const beginning: PacedInput[] = [];
const bodies: PacedInput[] = [];
const going: PacedInput[] = [];
/** Those whose receiver takes no more. */
const held = new Set<PacedInput>();
let isScheduled = false;
let looking: NodeJS.Timeout | undefined;

function enqueue(input: PacedInput, queue: PacedInput[]): void {
  queue.push(input);
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(round);
}

/** However many requests come, what has begun goes on, and so do bodies. */
const FIRST = [going, bodies];
const nextOne = (): PacedInput | undefined => beginning.shift() ?? bodies.shift() ?? going.shift();

/** One part of each, at most: a request that it begins is read when this has returned. */
function round(): void {
  endTurn();
  const each = beginning.length + bodies.length + going.length;
  for (let done = 0; done < each; done++) {
    const next = (FIRST[done] ?? beginning).shift() ?? nextOne();
    next?.step();
    if (done > 0 && isTurnOver()) break;
  }
  isScheduled = beginning.length + bodies.length + going.length > 0;
  if (isScheduled) setImmediate(round);
}

function hold(input: PacedInput): void {
  held.add(input);
  looking ??= setInterval(look, LOOK_MS).unref();
}

function look(): void {
  for (const input of held) input.wakeIfWanted();
  if (held.size > 0) return;
  clearInterval(looking);
  looking = undefined;
}

/** Who takes what a connection sends. */
export interface Receiver {
  /** Whether what was handed on before has been taken. */
  isReady(): boolean;
  /**
   * How many of the next bytes are a body of declared length, at least, which is parsed as a whole.
   * @param at how many bytes have been handed on so far
   */
  bodyLeft(at: number): number;
  /** Whether the rest of a body comes next, of whatever length, and not a request. */
  isWithinBody(): boolean;
  /** Where bytes are counted that wait for their turn. */
  open(): Account;
}

/** What one connection has sent and nobody has taken yet. Until it is paced, Node's parser takes all at once. */
export class PacedInput {
  readonly #socket: Socket;
  readonly #receiver: Receiver;
  readonly #push: Socket['push'];
  #rest: Buffer | undefined;
  #account: Account | undefined;
  #hasEnded = false;
  #isPaced = false;
  #isHandingOn = false;
  /** WebSocket messages are parsed by bytes, not by lines. */
  #isUpgraded = false;
  #bytesAtOnce = UPGRADED_BYTES_AT_ONCE;

  #at = 0;

  constructor(socket: Socket, receiver: Receiver) {
    this.#socket = socket;
    this.#receiver = receiver;
    this.#push = socket.push.bind(socket);
  }

  /** Divides what comes from now on. To be called when HTTP listens to the socket. */
  pace(): void {
    const socket = this.#socket;
    if (this.#isPaced || socket.destroyed) return;
    this.#isPaced = true;
    const read = socket._read.bind(socket);
    socket.push = (chunk: Buffer | null) => this.#receive(chunk);
    socket._read = (size) => {
      if (this.#rest === undefined) read(size); // else it has what to go on with
    };
    this.#at = socket.bytesRead;
    if (!this.#isUpgraded) {
      // Node's parser reads from the handle until somebody else wants the data
      const nothing = (): void => undefined;
      socket.on('data', nothing).off('data', nothing);
    }
    // for the stream, its first read has lasted until now: with this it has ended, and the next can begin
    this.#push(NOTHING);
    socket.once('close', () => {
      this.#release();
      held.delete(this);
    });
  }

  /**
   * The connection is no longer HTTP: it is divided by bytes from now on.
   * @param head what the same read brought behind the request
   * @param bytesAtOnce the length of a part
   * @returns what of it is to be taken now; the rest follows as data of the socket
   */
  upgrade(head: Buffer, bytesAtOnce = UPGRADED_BYTES_AT_ONCE): Buffer {
    this.#isUpgraded = true;
    this.#bytesAtOnce = bytesAtOnce;
    this.pace();
    if (head.length <= bytesAtOnce) return head;
    const rest = head.subarray(bytesAtOnce);
    this.#count(rest.length);
    this.#rest = this.#rest === undefined ? rest : Buffer.concat([rest, this.#rest]);
    if (!this.#isHandingOn) enqueue(this, going);
    return head.subarray(0, bytesAtOnce);
  }

  /** Whether some of it waits for its turn, or for its receiver. */
  get isWaiting(): boolean {
    return this.#rest !== undefined;
  }

  /** Bytes before the part that is being handed on; fewer, where the parser reads directly. */
  get at(): number {
    return this.#isPaced ? this.#at : Math.max(0, this.#socket.bytesRead - READ_BYTES);
  }

  /** Looks again, at its next turn, whether its receiver takes more. */
  wake(): void {
    if (held.delete(this)) this.#enqueueFresh();
  }

  #enqueueFresh(): void {
    enqueue(this, this.#receiver.isWithinBody() ? bodies : beginning);
  }

  wakeIfWanted(): void {
    if (this.#receiver.isReady()) this.wake();
  }

  /** Hands on one part. */
  step(): void {
    const input = this.#rest;
    if (input === undefined || this.#socket.destroyed) return;
    if (!this.#receiver.isReady()) return hold(this);
    this.#handOn(input);
    if (this.#rest !== undefined) enqueue(this, going);
  }

  /** As `push` of a stream: whether more may come. */
  #receive(chunk: Buffer | null): boolean {
    if (this.#rest !== undefined) {
      // what the handle had read before it was stopped
      if (chunk === null) this.#hasEnded = true;
      else {
        this.#rest = Buffer.concat([this.#rest, chunk]);
        this.#count(chunk.length);
      }
      return false;
    }
    if (chunk === null) return this.#push(null);
    if (!this.#receiver.isReady()) {
      this.#rest = chunk;
      hold(this);
    } else if (isTurnOver()) {
      this.#rest = chunk;
      this.#enqueueFresh();
    } else {
      const wantsMore = this.#handOn(chunk);
      if (!this.isWaiting) return wantsMore;
      enqueue(this, going);
    }
    this.#count(chunk.length);
    return false;
  }

  /** Counts what waits, until all of it has been taken: a connection that may not wait with so much is closed. */
  #count(bytes: number): void {
    try {
      this.#account ??= this.#receiver.open();
      this.#account.take(bytes);
    } catch {
      // there may be no request yet that could be answered
      this.#socket.destroy();
    }
  }

  #release(): void {
    this.#rest = undefined;
    this.#account?.close();
    this.#account = undefined;
  }

  #handOn(input: Buffer): boolean {
    const length = this.#isUpgraded
      ? Math.min(input.length, this.#bytesAtOnce)
      : partLength(input, this.#receiver.bodyLeft(this.#at));
    const isWhole = length === input.length;
    this.#rest = isWhole ? undefined : input.subarray(length);
    this.#isHandingOn = true;
    const wantsMore = this.#push(isWhole ? input : input.subarray(0, length));
    this.#isHandingOn = false;
    this.#at += length;
    inTurn += length;
    if (this.isWaiting) return false;
    this.#release();
    if (this.#hasEnded) this.#push(null);
    return wantsMore;
  }
}
