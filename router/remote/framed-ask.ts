// One operation that has been sent in a frame, until its answer is whole.
import type { ComponentError, ComponentExtensions } from '../../platform/component.ts';
import type { Caller } from '../../platform/identity.ts';
import { BrokenFrames, MORE, TEXTS } from '../../platform/operation-frames/frame-format.ts';
import type { RemoteAnswer } from './read-answer.ts';

/** What stands before the payload of an answer with finished texts. */
interface About {
  /** Response keys, each with the bytes of its text. */
  readonly texts: readonly (readonly [string, number])[];
  readonly errors?: readonly ComponentError[];
  readonly extensions?: ComponentExtensions;
}

/** Bytes of an answer's head before what is said about it. */
const HEAD = 15;

const bytesIn = (parts: readonly Buffer[]): Buffer => {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
};

function textsIn(payload: Buffer, lengths: About['texts']): Record<string, string> {
  const texts: Record<string, string> = {};
  let at = 0;
  for (const [key, length] of lengths) texts[key] = payload.toString('utf8', at, (at += length));
  if (at !== payload.length) throw new BrokenFrames('the texts of an answer are not as long as it says');
  return texts;
}

export class FramedAsk {
  readonly id: number;
  readonly caller: Caller;
  readonly resolve: (answer: RemoteAnswer) => void;
  readonly reject: (fault: Error) => void;
  /** When it was sent, or its last part came. */
  at: number;
  #stopListening: (() => void) | undefined;
  #status = 0;
  #objects = 0;
  #flags = 0;
  #about = '';
  readonly #parts: Buffer[] = [];

  constructor(
    id: number,
    caller: Caller,
    at: number,
    resolve: (answer: RemoteAnswer) => void,
    reject: (fault: Error) => void,
  ) {
    this.id = id;
    this.caller = caller;
    this.at = at;
    this.resolve = resolve;
    this.reject = reject;
  }

  /** Calls `ended` when the operation ends over its limits; the client is followed once it takes longer. */
  listen(ended: (reason: Error) => void): void {
    this.#stopListening = this.caller.budget?.onEnd(ended);
  }

  /** From now on it ends when its client disconnects. Looking at a client's signal costs as much as a short operation. */
  followClient(ended: (reason: Error) => void): void {
    const { budget } = this.caller;
    if (budget !== undefined) return budget.followCaller();
    if (this.#stopListening !== undefined) return;
    const { signal } = this.caller;
    if (signal === undefined) return;
    const gone = (): void => ended(new Error('the client has disconnected', { cause: signal.reason }));
    this.#stopListening = () => signal.removeEventListener('abort', gone);
    if (signal.aborted) gone();
    else signal.addEventListener('abort', gone, { once: true });
  }

  release(): void {
    this.#stopListening?.();
  }

  /** The first frame of its answer. Returns whether it is whole. @throws the budget's reason where it is too much */
  begin(body: Buffer): boolean {
    this.#status = body.readUInt16BE(4);
    this.#objects = body.readUInt32BE(6);
    this.#flags = body.readUInt8(10);
    const end = HEAD + body.readUInt32BE(11);
    this.#about = body.toString('utf8', HEAD, end);
    return this.#add(body.subarray(end), this.#flags);
  }

  /** A further part. As {@link begin}. */
  goOn(body: Buffer): boolean {
    return this.#add(body.subarray(5), body.readUInt8(4));
  }

  #add(part: Buffer, flags: number): boolean {
    const { budget } = this.caller;
    if (budget?.read(part.length) === false) throw budget.reason;
    this.#parts.push(part);
    return (flags & MORE) === 0;
  }

  /** The whole answer. @throws Error for one that cannot be read */
  answer(): RemoteAnswer {
    const payload = bytesIn(this.#parts);
    this.caller.budget?.show(this.#objects, 1);
    if ((this.#flags & TEXTS) === 0) return { status: this.#status, text: payload.toString() };
    const { texts, errors, extensions } = JSON.parse(this.#about) as About; // of our own component
    return {
      status: this.#status,
      result: {
        texts: textsIn(payload, texts),
        ...(errors === undefined ? {} : { errors }),
        ...(extensions === undefined ? {} : { extensions }),
      },
    };
  }
}
