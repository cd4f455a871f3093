// One connection to a component that carries many operations at once: what leaves in one tick leaves together, and
// each answer comes as soon as it is ready (docs/reference/gateway.md#operations-over-one-connection).
import type { Duplex } from 'node:stream';
import { limitsTold } from '../../platform/budget/limits-header.ts';
import { type Caller, identityHeaders } from '../../platform/identity.ts';
import {
  FRAME,
  FrameReader,
  frameOf,
  MAX_ASKED,
  MAX_NUMBERED,
  MAX_UNDERWAY,
} from '../../platform/operation-frames/frame-format.ts';
import { FrameOutbox } from '../../platform/operation-frames/frame-outbox.ts';
import { FramedAsk } from './framed-ask.ts';
import { Numbered } from './numbered.ts';
import type { RemoteAnswer } from './read-answer.ts';

/** A document that is sent often; the object stands for it. */
export interface FramedDocument {
  readonly source: string;
  readonly operationName: string | undefined;
}

export interface FrameConnectionOptions {
  /** Milliseconds until an answer, and between its parts. */
  readonly timeoutMs: number;
  /** The connection takes no more operations. */
  readonly onLeft: (connection: FrameConnection) => void;
}

/** Milliseconds between two looks at what is under way. */
const LOOK_MS = 50;
/** Milliseconds in which nothing comes of what is under way, until the component is asked whether it is there. */
const SILENCE_MS = 2000;
/** Milliseconds of an end that the other side does not answer. */
const END_MS = 1000;
const PING = frameOf(FRAME.ping, [], []);

/** As an idle connection fails that the other side has closed: a query may be asked again. */
const lost = (): Error =>
  Object.assign(new Error('the connection to the component has ended'), { code: 'ECONNRESET' });

/** What tells callers apart beside their signed identity. */
function headersOf(caller: Caller, signed: string | undefined): string {
  const {
    'x-platform-request-id': _,
    traceparent: __,
    ...headers
  }: Record<string, string> = identityHeaders(caller, signed);
  return JSON.stringify(headers);
}

/** A signed identity names each project, and so do the headers beside it, percent-encoded. */
const MAX_SIGNED = 32 * 1024;

/** Whether a caller may be told in a frame: one with very many projects is not. */
export const isNameable = (signed: string | undefined, caller: Caller): boolean =>
  signed === undefined ? headersOf(caller, undefined).length <= MAX_ASKED : signed.length <= MAX_SIGNED;

export class FrameConnection {
  readonly #socket: Duplex;
  readonly #options: FrameConnectionOptions;
  readonly #outbox: FrameOutbox;
  readonly #reader = new FrameReader();
  readonly #documents = new Numbered<FramedDocument>(MAX_NUMBERED);
  readonly #identities = new Numbered<string>(MAX_NUMBERED);
  readonly #underWay = new Map<number, FramedAsk>();
  #lastId = 0;
  #heardAt = performance.now();
  #hasPinged = false;
  #looking: NodeJS.Timeout | undefined;
  #isLeaving = false;

  constructor(socket: Duplex, options: FrameConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#outbox = new FrameOutbox(socket);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy()); // whatever it has not answered by now it will not answer
    socket.on('close', () => this.#lose());
  }

  /** Operations that are not answered. */
  get underWay(): number {
    return this.#underWay.size;
  }

  /** Whether it takes more: not one on which the component has not even answered a ping. */
  get hasRoom(): boolean {
    return !this.#isLeaving && !this.#hasPinged && this.#underWay.size < MAX_UNDERWAY;
  }

  /** Whether operations of this tick have been put on it. */
  get isFilling(): boolean {
    return this.#outbox.isFilling;
  }

  /**
   * Sends an operation.
   * @param signed the caller's identity, signed for the component
   * @param variables as JSON
   */
  ask(
    document: FramedDocument,
    signed: string | undefined,
    variables: string,
    caller: Caller,
  ): Promise<RemoteAnswer> {
    return new Promise((resolve, reject) => {
      const now = performance.now();
      if (this.#underWay.size === 0 && !this.#hasPinged) this.#heardAt = now;
      const id = (this.#lastId = (this.#lastId % 0xffff_ffff) + 1);
      const ask = new FramedAsk(id, caller, now, resolve, reject);
      this.#underWay.set(id, ask);
      this.#put(id, this.#document(document), this.#identity(signed, caller), variables, caller);
      ask.listen((reason) => this.#cancel(ask, reason));
      this.#looking ??= setTimeout(this.#look, LOOK_MS);
    });
  }

  /** Takes no more operations, and ends when those under way are answered. */
  leave(): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    this.#options.onLeft(this);
    if (this.#underWay.size === 0) this.#end();
  }

  /** Resolves when it has ended, which takes as long as what is under way. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#socket.once('close', resolve));
    if (this.#socket.destroyed) return;
    this.leave();
    await closed;
  }

  #document(document: FramedDocument): number {
    const known = this.#documents.get(document);
    if (known !== undefined) return known;
    const number = this.#documents.add(document);
    const { source, operationName: name = '' } = document;
    this.#outbox.put(
      frameOf(
        FRAME.document,
        [
          [number, 2],
          [Buffer.byteLength(name), 2],
        ],
        [name],
        source,
      ),
    );
    return number;
  }

  #identity(signed: string | undefined, caller: Caller): number {
    const key = signed ?? headersOf(caller, undefined);
    const known = this.#identities.get(key);
    if (known !== undefined) return known;
    const number = this.#identities.add(key);
    this.#outbox.put(frameOf(FRAME.identity, [[number, 2]], [], headersOf(caller, signed)));
    return number;
  }

  #put(id: number, document: number, identity: number, variables: string, caller: Caller): void {
    const { requestId, traceparent = '', budget, asOf = '' } = caller;
    const about = `${requestId}\n${limitsTold(budget?.remaining)}\n${traceparent}\n${asOf}`;
    this.#outbox.put(
      frameOf(
        FRAME.ask,
        [
          [id, 4],
          [document, 2],
          [identity, 2],
          [Buffer.byteLength(about), 2],
        ],
        [about],
        variables,
      ),
    );
  }

  #receive(chunk: Buffer): void {
    this.#heardAt = performance.now();
    this.#hasPinged = false;
    try {
      this.#reader.push(chunk, (type, body) => this.#take(type, body));
    } catch {
      this.#socket.destroy(); // nothing behind it can be read: what is under way fails, and says so
    }
  }

  #take(type: number, body: Buffer): void {
    if (type === FRAME.leave) return this.leave();
    if (type !== FRAME.answer && type !== FRAME.part) return; // of a later version, or a pong
    const ask = this.#underWay.get(body.readUInt32BE(0));
    if (ask === undefined) return; // nobody waits for it any more
    ask.at = this.#heardAt;
    try {
      if (!(type === FRAME.answer ? ask.begin(body) : ask.goOn(body))) return;
      this.#settle(ask);
      ask.resolve(ask.answer());
    } catch (fault) {
      this.#cancel(ask, fault instanceof Error ? fault : new Error(String(fault)));
    }
  }

  #settle(ask: FramedAsk): void {
    ask.release();
    this.#underWay.delete(ask.id);
    if (this.#isLeaving && this.#underWay.size === 0) this.#end();
  }

  /** Nobody waits for the answer any more. */
  #cancel(ask: FramedAsk, reason: Error): void {
    if (this.#underWay.has(ask.id)) {
      if (!this.#socket.destroyed) this.#outbox.put(frameOf(FRAME.cancel, [[ask.id, 4]], []));
      this.#settle(ask);
    }
    ask.reject(reason);
  }

  readonly #look = (): void => {
    this.#looking = undefined;
    const { timeoutMs } = this.#options;
    const now = performance.now();
    for (const ask of this.#underWay.values()) {
      if (now - ask.at > timeoutMs) this.#cancel(ask, new Error(`no answer within ${timeoutMs} ms`));
      else ask.followClient((reason) => this.#cancel(ask, reason));
    }
    const silence = now - this.#heardAt;
    if (this.#hasPinged && silence > timeoutMs) return void this.#socket.destroy();
    if (this.#underWay.size === 0 && !this.#hasPinged) return;
    if (silence > Math.min(timeoutMs / 3, SILENCE_MS) && !this.#hasPinged) {
      this.#hasPinged = true;
      this.#outbox.put(PING);
    }
    this.#looking = setTimeout(this.#look, LOOK_MS);
  };

  #end(): void {
    this.#outbox.end();
    setTimeout(() => this.#socket.destroy(), END_MS).unref();
  }

  #lose(): void {
    clearTimeout(this.#looking);
    this.leave();
    for (const ask of [...this.#underWay.values()]) {
      this.#settle(ask);
      ask.reject(lost());
    }
  }
}
