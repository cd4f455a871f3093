// Answers operations that a router sends in frames: the component's side of one connection.
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CallerSource } from '../read-caller.ts';
import {
  answerFrame,
  BrokenFrames,
  FRAME,
  FrameReader,
  frameOf,
  MAX_NUMBERED,
  MAX_UNDERWAY,
} from './frame-format.ts';
import { FrameOutbox } from './frame-outbox.ts';
import {
  type AskedFrame,
  FramedOperation,
  type FramesOptions,
  type OperationsConnection,
} from './framed-operation.ts';

const PONG = frameOf(FRAME.pong, [], []);

const REFUSED = { status: 503, objects: 0, flags: 0, about: '' };
const LEAVE = frameOf(FRAME.leave, [], []);

/** A number that a frame names. @throws BrokenFrames for one that nothing has been said about */
function named<Value>(known: readonly Value[], number: number): Value {
  const value = known[number];
  if (value === undefined) throw new BrokenFrames(`the number ${number} means nothing`);
  return value;
}

function numbered(number: number): number {
  if (number >= MAX_NUMBERED) throw new BrokenFrames(`the number ${number}`);
  return number;
}

export class FramesConnection implements OperationsConnection {
  readonly outbox: FrameOutbox;
  readonly options: FramesOptions;
  readonly #socket: Duplex;
  readonly #upgrade: CallerSource;
  readonly #reader = new FrameReader();
  readonly #documents: AskedFrame['document'][] = [];
  readonly #sources: CallerSource[] = [];
  readonly #underWay = new Map<number, FramedOperation>();
  #isLeaving = false;

  /** @param upgrade the request that began the connection; its peer and its headers hold for all that it brings */
  constructor(socket: Duplex, upgrade: CallerSource, options: FramesOptions) {
    this.#socket = socket;
    this.#upgrade = upgrade;
    this.options = options;
    this.outbox = new FrameOutbox(socket);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('drain', () => socket.resume());
    socket.on('error', () => socket.destroy());
    socket.on('end', () => {
      if (this.#underWay.size === 0) this.outbox.end();
      this.#isLeaving = true;
    });
    socket.on('close', () => {
      for (const operation of this.#underWay.values()) operation.end();
    });
  }

  get socket(): Socket {
    return this.#upgrade.socket;
  }

  receive(chunk: Buffer): void {
    // who does not read its answers gets no further ones, which would be held here
    if (this.#socket.writableNeedDrain) this.#socket.pause();
    try {
      this.#reader.push(chunk, (type, body) => this.#take(type, body));
    } catch (fault) {
      this.options.log.warn({ err: fault }, 'a connection of the router is ended: its frames cannot be read');
      this.#socket.destroy();
    }
  }

  /** Asks the router to send no more over it. */
  leave(): void {
    this.outbox.put(LEAVE);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** The operation has been answered. */
  done(id: number): void {
    this.#underWay.delete(id);
    if (this.#isLeaving && this.#underWay.size === 0) this.outbox.end();
  }

  #take(type: number, body: Buffer): void {
    switch (type) {
      case FRAME.ask:
        return this.#begin(body);
      case FRAME.document: {
        const nameEnd = 4 + body.readUInt16BE(2);
        const name = body.toString('utf8', 4, nameEnd);
        this.#documents[numbered(body.readUInt16BE(0))] = {
          query: body.toString('utf8', nameEnd),
          operationName: name === '' ? undefined : name,
        };
        return;
      }
      case FRAME.identity:
        this.#sources[numbered(body.readUInt16BE(0))] = this.#sourceOf(body.toString('utf8', 2));
        return;
      case FRAME.cancel:
        this.#underWay.get(body.readUInt32BE(0))?.end();
        return;
      case FRAME.ping:
        return this.outbox.put(PONG);
      default: // of a later version, which this one need not know
    }
  }

  /** Headers of a caller, as a request of their own would have them. */
  #sourceOf(text: string): CallerSource {
    const told: unknown = JSON.parse(text);
    if (typeof told !== 'object' || told === null) throw new BrokenFrames('an identity is an object');
    const { headers, socket } = this.#upgrade;
    const own = Object.entries(headers).filter(([name]) => !name.startsWith('x-platform-'));
    return { socket, headers: { ...Object.fromEntries(own), ...told } };
  }

  #begin(body: Buffer): void {
    const id = body.readUInt32BE(0);
    // the router counts none that it has given up; those that write go on here
    if (this.#underWay.size >= MAX_UNDERWAY) return this.outbox.put(answerFrame(id, REFUSED));
    if (this.#underWay.has(id)) throw new BrokenFrames(`operation ${id} is under way already`);
    const aboutEnd = 10 + body.readUInt16BE(8);
    const operation = new FramedOperation(this, {
      id,
      document: named(this.#documents, body.readUInt16BE(4)),
      source: named(this.#sources, body.readUInt16BE(6)),
      about: body.toString('latin1', 10, aboutEnd),
      variables: body.subarray(aboutEnd),
    });
    this.#underWay.set(id, operation);
    void operation.answer();
  }
}
