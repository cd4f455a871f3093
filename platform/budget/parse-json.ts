// Parses large JSON text in parts that take turns on the event loop: `JSON.parse` of some megabytes would keep
// everybody else waiting. For text of our own components: what is wrong with it is said by a SyntaxError, not where.
import { setImmediate as others } from 'node:timers/promises';
import type { Budget } from './budget.ts';

/** Text up to this length is parsed in one go. */
const PART = 256 * 1024;
/** Characters that are looked at in one turn. */
const SCANNED_A_TURN = 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** An array or object that the scan is inside of. */
interface Frame {
  readonly isArray: boolean;
  readonly start: number;
  /** Where the members begin that have not been parsed yet, and the one that is being scanned. */
  from: number;
  member: number;
  /** Set from the first part on: until then it may be small enough to be parsed with what is around it. */
  value: unknown[] | Record<string, unknown> | undefined;
}

function assign(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

class PartwiseParser {
  readonly #text: string;
  readonly #frames: Frame[] = [];
  #at = 0;
  #result: unknown;

  constructor(text: string) {
    this.#text = text;
  }

  /** Scans on. False where the text is at its end. */
  step(): boolean {
    const text = this.#text;
    const end = Math.min(text.length, this.#at + SCANNED_A_TURN);
    for (; this.#at < end; this.#at++) {
      switch (text.charCodeAt(this.#at)) {
        case QUOTE:
          this.#skipString();
          break;
        case ARRAY:
        case OBJECT: {
          const isArray = text.charCodeAt(this.#at) === ARRAY;
          const from = this.#at + 1;
          this.#frames.push({ isArray, start: this.#at, from, member: from, value: undefined });
          break;
        }
        case COMMA: {
          const frame = this.#frames.at(-1);
          if (frame === undefined) throw new SyntaxError('a comma outside of everything');
          if (this.#at - frame.from > PART) {
            this.#flush(this.#frames.length - 1, this.#at);
            frame.from = this.#at + 1;
            this.#at++;
            frame.member = this.#at;
            return true;
          }
          frame.member = this.#at + 1;
          break;
        }
        case ARRAY_END:
        case OBJECT_END:
          this.#close();
          break;
        default:
      }
    }
    return this.#at < text.length;
  }

  /** The value. @throws SyntaxError where the text ended early, or was none of one array or object. */
  end(): unknown {
    if (this.#frames.length > 0) throw new SyntaxError('the text ends early');
    return this.#result === undefined ? JSON.parse(this.#text) : this.#result;
  }

  #skipString(): void {
    const text = this.#text;
    let from = this.#at + 1;
    for (;;) {
      const quote = text.indexOf('"', from);
      if (quote < 0) throw new SyntaxError('a string does not end');
      let escapes = 0;
      while (text.charCodeAt(quote - 1 - escapes) === BACKSLASH) escapes++;
      if (escapes % 2 === 0) {
        this.#at = quote;
        return;
      }
      from = quote + 1;
    }
  }

  /** The frame becomes a value of its own, with what has been scanned of it; so do those around it. */
  #flush(depth: number, to: number): void {
    for (let i = 0; i < depth; i++) {
      const outer = this.#frames[i];
      if (outer !== undefined && outer.from <= outer.member) this.#take(outer, outer.member - 1);
      if (outer !== undefined) outer.from = Number.POSITIVE_INFINITY; // its member is being parsed by itself
    }
    const frame = this.#frames[depth];
    if (frame !== undefined) this.#take(frame, to);
  }

  /** Parses the members between `from` and `to`. */
  #take(frame: Frame, to: number): void {
    frame.value ??= frame.isArray ? [] : {};
    if (to <= frame.from) return;
    const members = this.#text.slice(frame.from, to);
    if (Array.isArray(frame.value)) {
      for (const item of JSON.parse(`[${members}]`) as unknown[]) frame.value.push(item);
    } else {
      const parsed = JSON.parse(`{${members}}`) as Record<string, unknown>;
      for (const key of Object.keys(parsed)) assign(frame.value, key, parsed[key]);
    }
  }

  #close(): void {
    const frame = this.#frames.pop();
    if (frame === undefined) throw new SyntaxError('a bracket too many');
    if (frame.value === undefined) {
      if (this.#frames.length === 0) this.#result = JSON.parse(this.#text);
      return;
    }
    if (frame.from !== Number.POSITIVE_INFINITY && this.#text.slice(frame.from, this.#at).trim() !== '')
      this.#take(frame, this.#at);
    const outer = this.#frames.at(-1);
    if (outer === undefined) {
      if (this.#text.slice(0, frame.start).trim() !== '' || this.#text.slice(this.#at + 1).trim() !== '')
        throw new SyntaxError('something stands beside the value');
      this.#result = frame.value;
      return;
    }
    if (Array.isArray(outer.value)) outer.value.push(frame.value);
    else if (outer.value !== undefined) {
      const key = this.#text.slice(outer.member, frame.start).trimEnd().slice(0, -1);
      assign(outer.value, JSON.parse(key) as string, frame.value);
    }
    const next = this.#text.indexOf(',', this.#at);
    outer.from = outer.member = this.#at + 1;
    const between = next < 0 ? undefined : this.#text.slice(this.#at + 1, next);
    if (between?.trim() === '') {
      this.#at = next;
      outer.from = outer.member = next + 1;
    }
  }
}

/** The value of JSON text; of a large one in turns, of the budget's where there is one. @throws SyntaxError */
export async function parseJsonInTurns(text: string, budget: Budget | undefined): Promise<unknown> {
  if (text.length <= PART) return JSON.parse(text);
  const parser = new PartwiseParser(text);
  while (parser.step()) await (budget === undefined ? others() : budget.turn());
  return parser.end();
}
