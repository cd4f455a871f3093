// Splits a body into the texts of its rows, as it comes: lines of JSON, or the elements of an array. The texts stay as
// they were sent, so that each is parsed like a body of its own.
import { badRequest, DomainError } from '../errors.ts';

export interface RowText {
  readonly text: Buffer;
  /** On which it begins, from 1. */
  readonly line: number;
}

/** Bytes of one row. */
export const MAX_ROW_BYTES = 8 * 1024 * 1024;

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const BRACE = 0x7b;
const END_BRACE = 0x7d;
const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === LINE_FEED;

const isBlank = (text: Buffer): boolean => text.every(isSpace);

const tooLong = (): DomainError =>
  new DomainError('payload_too_large', `a row has at most ${MAX_ROW_BYTES} bytes`, {
    limit: MAX_ROW_BYTES,
  });

/** Counts bytes that are kept. @throws DomainError where there is no room for them */
export type Hold = (bytes: number) => void;

const uncounted: Hold = () => undefined;

/** Collects the bytes of a row over several chunks, up to a limit. */
class Collected {
  readonly #most: number;
  readonly #hold: Hold;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(most: number, hold: Hold) {
    this.#most = most;
    this.#hold = hold;
  }

  get isTooLong(): boolean {
    return this.#size > this.#most;
  }

  /** @throws DomainError where there is no room */
  add(piece: Buffer): void {
    this.#size += piece.length;
    if (this.isTooLong) {
      this.#pieces = [];
      return;
    }
    this.#hold(piece.length);
    if (piece.length > 0) this.#pieces.push(piece);
  }

  /** Null where it was too long. */
  take(): Buffer | null {
    const [only] = this.#pieces;
    const text = this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces);
    const isKept = !this.isTooLong;
    this.#pieces = [];
    this.#size = 0;
    return isKept ? text : null;
  }
}

/**
 * Lines that are not blank; the text of one that is longer than `most` bytes is null.
 * @throws DomainError where there is no room
 */
export async function* linesIn(
  chunks: AsyncIterable<Buffer>,
  most: number,
  hold: Hold = uncounted,
): AsyncGenerator<{ readonly text: Buffer | null; readonly line: number }, void, undefined> {
  const row = new Collected(most, hold);
  let line = 1;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      row.add(chunk.subarray(from, at));
      const text = row.take();
      if (text === null || !isBlank(text)) yield { text, line };
      line++;
      from = at + 1;
    }
    row.add(chunk.subarray(from));
  }
  const text = row.take();
  if (text === null || !isBlank(text)) yield { text, line };
}

/** Lines that are not blank. @throws DomainError `payload_too_large`, and where there is no room */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  hold: Hold,
): AsyncGenerator<RowText, void, undefined> {
  for await (const { text, line } of linesIn(chunks, MAX_ROW_BYTES, hold)) {
    if (text === null) throw tooLong();
    yield { text, line };
  }
}

/** Where the scan of an array is. */
class ArrayScan {
  depth = 0;
  line = 1;
  state: 'before' | 'within' | 'after' = 'before';
  #isString = false;
  #isEscaped = false;

  /**
   * Whether the byte ends an element.
   * @throws DomainError `invalid_request` for what stands outside of the array
   */
  take(byte: number): boolean {
    if (byte === LINE_FEED) this.line++;
    if (this.state !== 'within') return this.#outside(byte);
    if (this.#isString) return this.#inString(byte);
    if (byte === QUOTE) this.#isString = true;
    else if (byte === OPEN || byte === BRACE) this.depth++;
    else if (this.depth === 0 && (byte === COMMA || byte === CLOSE)) {
      if (byte === CLOSE) this.state = 'after';
      return true;
    } else if (byte === CLOSE || byte === END_BRACE) this.depth--;
    return false;
  }

  #inString(byte: number): boolean {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isString = false;
    return false;
  }

  #outside(byte: number): boolean {
    if (isSpace(byte)) return false;
    if (this.state === 'after') throw badRequest('there is content after the end of the JSON array');
    if (byte !== OPEN)
      throw badRequest('the body must be a JSON array, or lines of JSON as application/x-ndjson');
    this.state = 'within';
    return false;
  }
}

/** Lines between the comma before an element and the element. */
function linesBefore(text: Buffer): number {
  let lines = 0;
  for (let at = 0; at < text.length && isSpace(text[at] ?? 0); at++) if (text[at] === LINE_FEED) lines++;
  return lines;
}

/** The elements of an array. @throws DomainError `payload_too_large`, `invalid_request`, and where there is no room */
export async function* elementsOf(
  chunks: AsyncIterable<Buffer>,
  hold: Hold = uncounted,
): AsyncGenerator<RowText, void, undefined> {
  const row = new Collected(MAX_ROW_BYTES, hold);
  const scan = new ArrayScan();
  let begins = 1;
  let isFirst = true;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const before = scan.state;
      const isEnd = scan.take(chunk[at] ?? 0);
      if (before === 'before') [from, begins] = [at + 1, scan.line];
      if (!isEnd) continue;
      row.add(chunk.subarray(from, at));
      const text = row.take();
      if (text === null) throw tooLong();
      const isNone = isFirst && scan.state === 'after' && isBlank(text); // []
      if (!isNone) yield { text, line: begins + linesBefore(text) };
      isFirst = false;
      begins = scan.line;
      from = at + 1;
    }
    if (scan.state === 'within') row.add(chunk.subarray(from));
    if (row.isTooLong) throw tooLong();
  }
  if (scan.state === 'before') throw badRequest('a body is required: a JSON array, or lines of JSON');
  if (scan.state === 'within') throw badRequest('the JSON array is not closed: check that it is complete');
}
