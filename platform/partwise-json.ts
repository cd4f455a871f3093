// Parses large JSON text in parts, for callers that let others run between them. What is accepted, its value, and
// what is said of a fault are those of `JSON.parse` for the whole text.

import { closingQuote } from './json-shape.ts';
import { noteSize } from './json-size.ts';

/** Characters of members that are parsed at once, with the last of them, however long that is. */
const PART = 64 * 1024;
/** Characters that are looked at in one step. */
const SCANNED_A_STEP = 256 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const NOT_BLANK = /[^ \t\n\r]/;

const isBlank = (text: string): boolean => !NOT_BLANK.test(text);

/** An array or object that the scan is inside of. */
interface Frame {
  readonly isArray: boolean;
  /** Where its bracket is. */
  readonly start: number;
  /**
   * Where what has not been parsed begins, and what is before that; Infinity while a member is being parsed by
   * itself.
   */
  from: number;
  after: 'bracket' | 'comma' | 'value';
  /** Where the member begins that is being scanned. */
  member: number;
  /** Name of the member that is being parsed by itself. */
  key: string;
  /** Set from the first part on: until then it may be small enough to be parsed with what is around it. */
  value: unknown[] | Record<string, unknown> | undefined;
}

function assign(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

export class PartwiseParser {
  readonly #text: string;
  readonly #part: number;
  readonly #frames: Frame[] = [];
  #at = 0;
  #isClosed = false;
  #result: unknown;

  constructor(text: string, part = PART) {
    this.#text = text;
    this.#part = part;
  }

  /** Scans on. False where the text is at its end. @throws SyntaxError */
  step(): boolean {
    const text = this.#text;
    if (this.#at === 0 && !this.#begin()) return false;
    const end = Math.min(text.length, this.#at + SCANNED_A_STEP);
    for (; this.#at < end && !this.#isClosed; this.#at++) {
      switch (text.charCodeAt(this.#at)) {
        case QUOTE:
          this.#at = closingQuote(text, this.#at + 1); // at the end of the text, the end says what is missing
          break;
        case ARRAY:
        case OBJECT:
          this.#open(text.charCodeAt(this.#at) === ARRAY);
          break;
        case COMMA:
          if (this.#comma()) {
            this.#at++;
            return true;
          }
          break;
        case ARRAY_END:
        case OBJECT_END:
          this.#close(text.charCodeAt(this.#at) === ARRAY_END);
          break;
        default:
      }
    }
    return this.#at < text.length && !this.#isClosed;
  }

  /** The value, after the last step. @throws SyntaxError */
  end(): unknown {
    const open = this.#frames.findIndex(({ from }) => Number.isFinite(from));
    if (open >= 0) this.#fail(open, this.#frames[open]?.from ?? 0, this.#text.length);
    const rest = this.#text.slice(this.#at);
    if (!isBlank(rest)) this.#failAfter('[]', this.#at, this.#at + rest.search(NOT_BLANK) + 1);
    return this.#result;
  }

  /** False for a value that is no array or object: it is one token. */
  #begin(): boolean {
    const first = this.#text.search(NOT_BLANK);
    const code = this.#text.charCodeAt(first);
    if (first >= 0 && (code === ARRAY || code === OBJECT)) {
      this.#at = first;
      return true;
    }
    this.#result = JSON.parse(this.#text);
    this.#at = this.#text.length;
    this.#isClosed = true;
    return false;
  }

  #open(isArray: boolean): void {
    const start = this.#at;
    const from = start + 1;
    this.#frames.push({ isArray, start, from, after: 'bracket', member: from, key: '', value: undefined });
  }

  /** Whether a part has been parsed. */
  #comma(): boolean {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return false;
    const isPart = frame.after === 'value' || this.#at - frame.from > this.#part;
    if (isPart) {
      this.#flush(this.#frames.length - 1, this.#at);
      frame.from = this.#at + 1;
      frame.after = 'comma';
    }
    frame.member = this.#at + 1;
    return isPart;
  }

  /** The frame becomes a value of its own, with what has been scanned of it; so do those around it. */
  #flush(depth: number, to: number): void {
    for (let i = 0; i < depth; i++) {
      const outer = this.#frames[i];
      if (outer === undefined || !Number.isFinite(outer.from)) continue;
      const bracket = this.#frames[i + 1]?.start ?? to;
      if (outer.after === 'value') this.#fail(i, outer.from, bracket + 1);
      if (outer.member > outer.from) {
        this.#take(i, outer.member - 1);
        outer.after = 'comma';
      }
      outer.value ??= outer.isArray ? [] : {};
      outer.key = this.#nameBefore(i, outer, bracket);
      outer.from = Number.POSITIVE_INFINITY;
    }
    this.#take(depth, to);
  }

  /** The name of a member whose value begins with the bracket; nothing for an item. */
  #nameBefore(i: number, { isArray, member }: Frame, bracket: number): string {
    const text = this.#text.slice(member, bracket);
    if (isArray) {
      if (!isBlank(text)) this.#fail(i, member, bracket + 1);
      return '';
    }
    try {
      return Object.keys(JSON.parse(`{${text}""}`) as object)[0] ?? ''; // braces make an object
    } catch {
      return this.#fail(i, member, bracket + 1);
    }
  }

  /** Parses what has not been parsed of a frame, up to the comma or bracket at `to`. */
  #take(i: number, to: number): void {
    const frame = this.#frames[i];
    if (frame === undefined) return;
    frame.value ??= frame.isArray ? [] : {};
    const members = this.#text.slice(frame.from, to);
    if (isBlank(members)) {
      // nothing comes between a value and what follows it, nor in an empty array or object
      const isFine =
        frame.after === 'value' || (frame.after === 'bracket' && this.#text.charCodeAt(to) !== COMMA);
      return isFine ? undefined : this.#fail(i, frame.from, to + 1);
    }
    if (frame.after === 'value') this.#fail(i, frame.from, to + 1);
    try {
      if (Array.isArray(frame.value)) {
        // brackets make a list
        for (const item of JSON.parse(`[${members}]`) as unknown[]) frame.value.push(item);
      } else {
        // braces make an object
        const parsed = JSON.parse(`{${members}}`) as Record<string, unknown>;
        for (const key of Object.keys(parsed)) assign(frame.value, key, parsed[key]);
      }
    } catch (error) {
      if (error instanceof SyntaxError) this.#fail(i, frame.from, to + 1);
      throw error;
    }
  }

  #close(isArray: boolean): void {
    const depth = this.#frames.length - 1;
    const frame = this.#frames[depth];
    if (frame === undefined) return;
    if (frame.isArray !== isArray) {
      const first = this.#frames.findIndex(({ from }) => Number.isFinite(from));
      this.#fail(first, this.#frames[first]?.from ?? 0, this.#at + 1);
    }
    if (frame.value === undefined && depth > 0) {
      this.#frames.pop();
      return;
    }
    this.#take(depth, this.#at);
    if (frame.value !== undefined) noteSize(frame.value, this.#at + 1 - frame.start);
    this.#frames.pop();
    const outer = this.#frames.at(-1);
    if (outer === undefined) {
      this.#result = frame.value;
      this.#isClosed = true;
      return;
    }
    if (Array.isArray(outer.value)) outer.value.push(frame.value);
    else if (outer.value !== undefined) assign(outer.value, outer.key, frame.value);
    outer.from = outer.member = this.#at + 1;
    outer.after = 'value';
  }

  /** What is wrong with the frame's text between `from` and `to`, which is behind what `after` says. */
  #fail(i: number, from: number, to: number): never {
    const frame = this.#frames[i];
    const filler = frame?.isArray === true ? '""' : '"":""'; // no number, which may go on
    const before = { bracket: '', comma: `${filler},`, value: filler }[frame?.after ?? 'bracket'];
    return this.#failAfter(this.#around(i) + before, from, to);
  }

  /** The brackets that a frame's text is in. */
  #around(i: number): string {
    const outer = this.#frames.slice(0, i).map(({ isArray }) => (isArray ? '[' : '{"":'));
    return outer.join('') + (this.#frames[i]?.isArray === true ? '[' : '{');
  }

  /** Says of the text what `JSON.parse` says, with the position in the whole. */
  #failAfter(before: string, from: number, to: number): never {
    try {
      JSON.parse(before + this.#text.slice(from, to));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new SyntaxError(
        error.message.replace(
          /at position (\d+)/,
          (_, at: string) => `at position ${Number(at) - before.length + from}`,
        ),
        { cause: error },
      );
    }
    throw new SyntaxError('the text is not valid JSON');
  }
}
