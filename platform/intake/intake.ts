// What a process takes in over its connections, within limits: how many there are, what bodies hold, how long
// they and their answers may take.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DEFAULT_LIMITS, type Limits } from '../config/limits-section.ts';
import { DomainError } from '../errors.ts';
import type { JsonLimits } from '../json-shape.ts';
import { sliced } from '../turns.ts';
import { type Account, ByteBudget, type ByteLimits, fittingHeap, payerOf } from './byte-budget.ts';
import { readDirectly, readInParts } from './direct-reading.ts';
import { countIntake, shed } from '../metrics/intake-metrics.ts';
import { PacedInput, type Receiver } from './paced-input.ts';
import { type IntakeOptions, OpenConnections } from './open-connections.ts';
import { CLOSING_MS, FULL, TOO_MANY, turnAway } from './turn-away.ts';

/** Milliseconds between two looks at all connections. */
const LOOK_MS = 500;

/** A request whose body had not come whole when it was last looked at. */
interface Arriving {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly began: number;
  /** Where it began, or soon before that, of all that the connection has brought. */
  readonly at: number;
  /** The length of its body, where it declares one. */
  readonly declared: number;
  /** How much the connection had brought, and since when it has not brought more. */
  seen: number;
  seenAt: number;
  /** Since when it has been answered: nobody wants the rest. */
  answeredAt: number | undefined;
  /** Whether it is passed on as it comes: then it may take as long as it goes on coming. */
  isStreamed: boolean;
  /** Answers the request with the refusal; whoever reads the body sets it. */
  refuse: ((late: DomainError) => void) | undefined;
}

/** One connection, as long as it is open. */
interface Line {
  readonly socket: Socket;
  readonly intake: Intake;
  arriving: Arriving | undefined;
  input: PacedInput | undefined;
  /** Bytes that the client has not taken, and since when as many. */
  unread: number;
  unreadAt: number;
  /** From when on it is cut off whatever it does. */
  endsAt: number;
}

/** The operating system's own count: it falls as a client takes a long text. */
interface Handled {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

const lines = new WeakMap<object, Line>();

const unreadOf = (socket: Socket): number =>
  // Node's internals (docs/decisions/0071)
  socket.writableLength + ((socket as Handled)._handle?.writeQueueSize ?? 0);

export class Intake {
  #options: IntakeOptions;
  #byteLimits: ByteLimits;
  readonly bytes = new ByteBudget(() => this.#byteLimits);
  readonly #open = new Set<Line>();
  readonly #places = new OpenConnections(() => this.#options);
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#byteLimits = fittingHeap(options.limits);
  }

  get options(): IntakeOptions {
    return this.#options;
  }

  get limits(): Limits {
    return this.#options.limits;
  }

  /** Goes on by other limits; what is held already stays. */
  follow(options: IntakeOptions): void {
    this.#options = options;
    this.#byteLimits = fittingHeap(options.limits);
  }

  /** To be called before the server listens, and before anything else listens for its connections. */
  guard(server: Server): void {
    const speakers = server.listeners('connection'); // http's own
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      const line = this.#admit(socket);
      if (line === undefined) return;
      for (const speak of speakers) speak.call(server, socket);
      line.input = new PacedInput(socket, receiverOf(line));
      readDirectly(socket, line.input);
    });
    const uncount = countIntake(() => ({
      connections: this.#open.size,
      bytes: this.bytes.held,
      maxBytes: this.#byteLimits.bodyBytes,
    }));
    server.on('close', () => {
      uncount();
      clearInterval(this.#timer);
    });
    this.#timer = setInterval(() => {
      this.#look(performance.now());
    }, LOOK_MS).unref();
  }

  /** A request with a body has begun. */
  expect(req: IncomingMessage, res: ServerResponse): void {
    const line = lines.get(req.socket);
    if (line === undefined) return;
    const now = performance.now();
    line.arriving = {
      req,
      res,
      began: now,
      at: line.input?.at ?? 0,
      declared: Number(req.headers['content-length'] ?? 0),
      seen: req.socket.bytesRead,
      seenAt: now,
      answeredAt: undefined,
      isStreamed: false,
      refuse: undefined,
    };
  }

  /**
   * The connection is no longer HTTP.
   * @param head what the same read brought behind the request
   * @param bytesAtOnce how much of what comes is handed on at once: more, where each message is a large one
   * @returns what of it is to be taken now; the rest follows as data of the socket
   */
  upgraded(socket: Duplex, head: Buffer, bytesAtOnce?: number): Buffer {
    const first = lines.get(socket)?.input?.upgrade(head, bytesAtOnce) ?? head;
    readInParts(socket);
    return first;
  }

  /** What still comes of the request's body is for nobody: nobody counts it. */
  unwanted({ socket }: IncomingMessage): void {
    readInParts(socket);
  }

  /**
   * An account for what waits to be parsed: of the connection's address, or of all trusted peers together, of
   * which each may be a proxy.
   */
  openInput({ remoteAddress }: Socket): Account {
    const isProxied = this.#options.isTrusted(remoteAddress ?? '');
    return this.bytes.open(
      isProxied ? { key: 'trusted peers', isProven: true } : payerOf(undefined, remoteAddress),
    );
  }

  /** Undefined for a connection that was turned away. */
  #admit(socket: Socket): Line | undefined {
    const place = this.#places.take(socket.remoteAddress ?? '');
    if (typeof place === 'string') return turnAway(socket, place === 'connections_of_all' ? FULL : TOO_MANY);
    const line: Line = {
      socket,
      intake: this,
      arriving: undefined,
      input: undefined,
      unread: 0,
      unreadAt: 0,
      endsAt: Infinity,
    };
    this.#open.add(line);
    lines.set(socket, line);
    socket.once('close', () => {
      this.#open.delete(line);
      line.arriving = undefined;
      place();
    });
    return line;
  }

  #look(now: number): void {
    const { bodyIdleSeconds, bodySeconds, unreadSeconds } = this.#options.limits;
    for (const line of this.#open) {
      const { socket, arriving } = line;
      if (now > line.endsAt) {
        socket.destroy();
        continue;
      }
      const unread = unreadOf(socket);
      if (unread === 0 || unread !== line.unread) {
        line.unread = unread;
        line.unreadAt = now;
      } else if (now - line.unreadAt > unreadSeconds * 1000) socket.destroy();
      if (arriving === undefined || line.endsAt !== Infinity) continue;
      if (arriving.req.complete) line.arriving = undefined;
      else if (isUnwanted(arriving, now, bodyIdleSeconds * 1000)) socket.destroy();
      else if (hasStopped(line, arriving, now, bodyIdleSeconds * 1000))
        late(line, arriving, now, `nothing of the body has come for ${bodyIdleSeconds} s`);
      else if (!arriving.isStreamed && now - arriving.began > bodySeconds * 1000)
        late(line, arriving, now, `the body has not arrived within ${bodySeconds} s`);
    }
  }
}

const isWithinBody = (line: Line): line is Line & { readonly arriving: Arriving } =>
  line.arriving !== undefined && !line.arriving.req.complete;

/** Node's HTTP parser, and who reads the request that it has begun. */
const receiverOf = (line: Line): Receiver => ({
  isReady: () =>
    line.socket.readableFlowing === true &&
    (line.arriving === undefined || line.arriving.req.destroyed || line.arriving.req.readableLength === 0),
  bodyLeft: (at) => (isWithinBody(line) ? line.arriving.declared - (at - line.arriving.at) : 0),
  isWithinBody: () => isWithinBody(line),
  open: () => line.intake.openInput(line.socket),
});

/** Whether it has been answered for so long, and still comes. */
function isUnwanted(arriving: Arriving, now: number, longest: number): boolean {
  if (!arriving.res.writableFinished) return false;
  arriving.answeredAt ??= now;
  return now - arriving.answeredAt > longest;
}

/** Whether nothing has come for so long though somebody wants it. */
function hasStopped({ input }: Line, arriving: Arriving, now: number, longest: number): boolean {
  const { req } = arriving;
  const isWanted = req.readableFlowing === true && req.readableLength === 0 && input?.isWaiting !== true;
  if (!isWanted || req.socket.bytesRead !== arriving.seen) {
    arriving.seen = req.socket.bytesRead;
    arriving.seenAt = now;
  }
  return now - arriving.seenAt > longest;
}

/** Hundreds may be late at one time. */
const refuseInTurn = sliced(({ arriving, message }: { arriving: Arriving; message: string }) => {
  arriving.refuse?.(new DomainError('request_timeout', message));
});

function late(line: Line, arriving: Arriving, now: number, message: string): void {
  shed.late_bodies.value++;
  const { res, refuse } = arriving;
  if (refuse === undefined || res.headersSent) {
    line.socket.destroy();
    return;
  }
  line.endsAt = now + CLOSING_MS;
  res.shouldKeepAlive = false;
  void refuseInTurn({ arriving, message });
}

/**
 * Has whoever reads the request's body told when it is late; the budget that its bytes come out of. Undefined
 * for a server without limits.
 */
export function watchBody(
  req: IncomingMessage,
  isStreamed: boolean,
  refuse: (late: DomainError) => void,
): ByteBudget | undefined {
  const line = lines.get(req.socket);
  if (line === undefined) return undefined;
  const { arriving } = line;
  if (arriving?.req === req) {
    arriving.isStreamed = isStreamed;
    arriving.refuse = refuse;
    line.input?.wake(); // soon, when it is being read
    // and whenever whoever takes it goes on, instead of when it is looked at the next time
    if (isStreamed) req.on('resume', () => line.input?.wake());
  }
  return line.intake.bytes;
}

/** What bytes of the connection are held of; undefined for a server without limits. */
export const bytesOf = (socket: Socket): ByteBudget | undefined => lines.get(socket)?.intake.bytes;

/** What JSON that comes over the request's connection may have; the defaults for a server without limits. */
export const jsonLimitsFor = ({ socket }: Pick<IncomingMessage, 'socket'>): JsonLimits =>
  lines.get(socket)?.intake.limits ?? DEFAULT_LIMITS;
