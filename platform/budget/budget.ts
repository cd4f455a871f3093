// What one operation may still take. It goes with the caller to whoever works for the operation, and whatever
// they take is counted in one place.
import { ClientGone, type DomainError, masked } from '../errors.ts';
import { callOff, type Deadline, watch } from './deadlines.ts';
import type { LimitName, OperationLimits } from './limits.ts';
import { hold, release } from './memory.ts';
import { isLargeAnswer, OBJECT_BYTES } from './large-answer.ts';
import { overLimit } from './over-limit.ts';
import { Turns } from './turns.ts';

/**
 * Fields that may fail before the operation does: an error is larger than most objects, and who reads them
 * has read enough.
 */
const MAX_FAILURES = 1000;

interface Asking {
  readonly actor: string;
  readonly signal?: AbortSignal;
}

export class Budget implements Deadline {
  readonly limits: OperationLimits;
  readonly #caller: Asking;
  readonly #isTimed: boolean;
  readonly #startedAt = performance.now();
  #madeTurns: Turns | undefined;
  #objects = 0;
  #leaves = 0;
  #read = 0;
  #written = 0;
  #largest = 1;
  #held = 0;
  #ended: DomainError | undefined;
  #failures = 0;
  #isOver = false;
  #isKnownLarge = false;
  #first: ((reason: DomainError) => void) | undefined;
  #listeners: Set<(reason: DomainError) => void> | undefined;
  #signal: AbortSignal | undefined;

  /**
   * @param isTimed whether it may be broken off, also when the caller goes: what writes is finished once it
   * is begun
   */
  constructor(limits: OperationLimits, caller: Asking, isTimed = true) {
    this.limits = limits;
    this.#caller = caller;
    this.#isTimed = isTimed;
    if (isTimed) watch(this);
  }

  get deadline(): number {
    return this.#startedAt + this.limits.timeMs;
  }

  late(): void {
    this.end(overLimit('time', Math.round(performance.now() - this.#startedAt), this.limits.timeMs));
  }

  /** Made when they are needed: most operations take none. */
  get #turns(): Turns {
    if (this.#madeTurns === undefined) {
      this.#madeTurns = new Turns();
      this.#madeTurns.largest = this.#largest;
    }
    return this.#madeTurns;
  }

  /** Why it has ended before its answer was there. */
  get ended(): DomainError | undefined {
    return this.#ended;
  }

  /** What is thrown for an operation that has ended. */
  get reason(): Error {
    return this.#ended ?? new Error('an operation that has ended says why');
  }

  get isLarge(): boolean {
    return this.#isKnownLarge || isLargeAnswer(this.#objects, this.#leaves, this.#read + this.#written);
  }

  /** It takes turns from now on, whatever has been counted. */
  beLarge(): void {
    this.#isKnownLarge = true;
  }

  /** What is left, for one who works in another process. */
  get remaining(): OperationLimits {
    const { cost, objects, bytes, timeMs } = this.limits;
    return {
      cost,
      objects: Math.max(0, objects - this.#objects),
      bytes: Math.max(0, bytes - this.#read),
      timeMs: this.#isTimed
        ? Math.max(1, Math.round(timeMs - (performance.now() - this.#startedAt)))
        : timeMs,
    };
  }

  get objects(): number {
    return this.#objects;
  }

  /**
   * Most bytes that the answer may have by what has been read so far, if every field showed the largest of
   * it.
   */
  get mostShown(): number {
    return Math.max(this.#leaves, this.#objects) * Math.max(1024, this.#largest);
  }

  /**
   * Counts objects that are about to be shown, each with so many fields. False where it is too much: then the
   * operation has ended.
   */
  show(objects: number, fields: number): boolean {
    this.#objects += objects;
    this.#leaves += objects * fields;
    if (this.#objects > this.limits.objects)
      this.end(overLimit('objects', this.#objects, this.limits.objects));
    else this.#hold(objects * (1 + fields) * OBJECT_BYTES);
    return this.#ended === undefined;
  }

  /** Whether so many more objects may be shown; where not, the operation has ended. */
  affords(objects: number): boolean {
    const asked = this.#objects + objects;
    if (asked > this.limits.objects) this.end(overLimit('objects', asked, this.limits.objects));
    return this.#ended === undefined;
  }

  /**
   * Who works for the operation in another process has found too much, of what was left to it: then it has
   * ended here too.
   */
  exceededElsewhere(limit: LimitName, asked: number, allowed: number): void {
    const own = limit === 'time' ? this.limits.timeMs : this.limits[limit];
    this.end(overLimit(limit, asked + Math.max(0, own - allowed), own));
  }

  /** Counts a field that failed. False where there are too many: then what went wrong is the whole answer. */
  fail(thrown: unknown): boolean {
    if (++this.#failures > MAX_FAILURES) this.end(masked(thrown));
    return this.#ended === undefined;
  }

  /** Counts bytes that were read. False where it is too much: then the operation has ended. */
  read(bytes: number): boolean {
    this.#read += bytes;
    if (bytes > this.#largest) {
      this.#largest = bytes;
      if (this.#madeTurns !== undefined) this.#madeTurns.largest = bytes;
    }
    if (this.#read > this.limits.bytes) this.end(overLimit('bytes', this.#read, this.limits.bytes));
    else this.#hold(bytes);
    return this.#ended === undefined;
  }

  /** Counts bytes of the answer. False where it is too much: then the operation has ended. */
  write(bytes: number): boolean {
    this.#written += bytes;
    if (this.#written > this.limits.bytes) this.end(overLimit('bytes', this.#written, this.limits.bytes));
    else this.#hold(bytes);
    return this.#ended === undefined;
  }

  /** Counts the memory of a copy of what has been counted. False where there is no room: then the operation has ended. */
  copy(bytes: number): boolean {
    this.#hold(bytes);
    return this.#ended === undefined;
  }

  /** Small operations share nothing: none of them is refused for the large ones of others. */
  #hold(bytes: number): void {
    if (this.#ended !== undefined || this.#isOver || !this.isLarge) return;
    this.followCaller();
    try {
      hold(this.#caller.actor, bytes, this.#held);
      this.#held += bytes;
    } catch (full) {
      this.end(masked(full));
    }
  }

  /** Resolves when it is this operation's turn on the event loop; never, where it has ended. */
  turn(): Promise<void> {
    return this.#ended === undefined ? this.#turns.turn() : never();
  }

  /** Aborted when the operation ends early. */
  get signal(): AbortSignal {
    const controller = new AbortController();
    this.onEnd((reason) => {
      controller.abort(reason);
    });
    return controller.signal;
  }

  /** Is told when the operation ends early. Answers the way to stop listening. */
  onEnd(listener: (reason: DomainError) => void): () => void {
    if (this.#ended !== undefined) {
      listener(this.#ended);
      return () => undefined;
    }
    const listeners = (this.#listeners ??= new Set());
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  /** From now on the operation ends when the client has disconnected. */
  followCaller(): void {
    if (!this.#isTimed || this.#signal !== undefined) return;
    const signal = (this.#signal = this.#caller.signal);
    if (signal === undefined) return;
    if (signal.aborted) this.handleEvent();
    else signal.addEventListener('abort', this, { once: true });
  }

  /** Whoever asked has gone: the event of their signal. */
  handleEvent(): void {
    this.end(new ClientGone());
  }

  /**
   * Ends it early: what works for it stops, and its answer is the reason. What is written is finished all the
   * same, but for nobody.
   */
  end(reason: DomainError): void {
    if (this.#ended !== undefined || this.#isOver) return;
    this.#ended = reason;
    this.#madeTurns?.forget();
    callOff(this);
    this.#first?.(reason);
    for (const listener of this.#listeners ?? []) listener(reason);
    this.#listeners?.clear();
  }

  /** Resolves as the work does, or rejects when the operation ends early, whichever comes first. */
  within<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const isFirst = this.#ended === undefined && this.#first === undefined;
      if (isFirst) this.#first = reject; // most operations have but this one: no set is made for it
      const stop = isFirst
        ? () => {
            this.#first = undefined;
          }
        : this.onEnd(reject);
      work.then(
        (value) => {
          stop();
          resolve(value);
        },
        (error: unknown) => {
          stop();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }

  /** Is closed when the response is; at once, where it holds nothing that others could want. */
  closeWith(response: { once(event: 'close', call: () => void): unknown; readonly closed: boolean }): void {
    if (this.#held === 0 || response.closed) this.close();
    else
      response.once('close', () => {
        this.close();
      });
  }

  /** The same limits for another operation, or for the next event of a subscription. */
  again(caller: { readonly actor: string; readonly signal?: AbortSignal }): Budget {
    return new Budget(this.limits, caller);
  }

  /** The answer is away, or nobody wants it any more. Counts once. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    callOff(this);
    this.#signal?.removeEventListener('abort', this);
    if (this.#held > 0) release(this.#caller.actor, this.#held);
    this.#held = 0;
  }
}

/**
 * What works for an operation that has ended waits for this: nothing holds it, and so it is forgotten with
 * all that waits for it.
 */
export const never = (): Promise<never> => new Promise(() => undefined);
