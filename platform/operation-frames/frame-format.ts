// Frames of operations between a router and a component: many at once over one connection, each answered as soon
// as it is ready (docs/reference/gateway.md#operations-over-one-connection).

/** Of the HTTP upgrade that begins such a connection; the number changes with what older ones cannot read. */
export const FRAMES_PROTOCOL = 'cairn-frames/1';

/** What a frame is; the numbers below 16 come from the router. */
export const FRAME = {
  /** Names a document by a number. */
  document: 1,
  /** Names the headers of a caller by a number. */
  identity: 2,
  ask: 3,
  cancel: 4,
  ping: 5,
  answer: 16,
  /** More of an answer that is too large for one frame. */
  part: 17,
  pong: 18,
  /** Asks for no further operations on this connection: it ends when the last one is answered. */
  leave: 19,
} as const;

/** Bytes of variables, and of a document, that go into a frame; what is larger is a request of its own. */
export const MAX_ASKED = 64 * 1024;
/** Bytes of an answer's text in one frame: others get a turn between the parts of a larger one. */
export const ANSWER_PART_BYTES = 64 * 1024;
/** The largest frame: of a caller with very many projects. */
export const MAX_FRAME = 256 * 1024;
/** Operations of one connection that are not answered yet. */
export const MAX_UNDERWAY = 512;
/** Documents, and callers, that a connection knows by number at one time. */
export const MAX_NUMBERED = 1000;

/** Of an answer: more follows, and its payload is finished texts of its root fields. */
export const MORE = 1;
export const TEXTS = 2;

export class BrokenFrames extends Error {}

const LENGTH = 4;

/** Divides what a connection brings into frames; what comes in one piece is not copied. */
export class FrameReader {
  /** The beginning of a frame whose end has not come. */
  #pieces: Buffer[] = [];
  #held = 0;
  /** Bytes that the frame has with its length; 0 where its length has not come whole. */
  #wanted = 0;

  /**
   * @param take the type of each whole frame, and what it holds
   * @throws BrokenFrames for a frame that is too large; what `take` throws
   */
  push(chunk: Buffer, take: (type: number, body: Buffer) => void): void {
    let bytes = chunk;
    if (this.#held > 0) {
      const missing = Math.max(this.#wanted, LENGTH) - this.#held;
      if (bytes.length < missing) return this.#keep(bytes);
      this.#pieces.push(bytes.subarray(0, missing));
      const begun = Buffer.concat(this.#pieces, this.#held + missing);
      const isWhole = this.#wanted > 0;
      this.#pieces = [];
      this.#held = this.#wanted = 0;
      if (!isWhole) return this.push(Buffer.concat([begun, bytes.subarray(missing)]), take);
      take(begun.readUInt8(LENGTH), begun.subarray(LENGTH + 1));
      bytes = bytes.subarray(missing);
    }
    while (bytes.length >= LENGTH) {
      const end = LENGTH + lengthOf(bytes);
      if (bytes.length < end) break;
      take(bytes.readUInt8(LENGTH), bytes.subarray(LENGTH + 1, end));
      bytes = bytes.subarray(end);
    }
    if (bytes.length > 0) this.#keep(bytes);
  }

  #keep(bytes: Buffer): void {
    if (this.#held === 0 && bytes.length >= LENGTH) this.#wanted = LENGTH + lengthOf(bytes);
    this.#pieces.push(bytes);
    this.#held += bytes.length;
  }
}

/** @throws BrokenFrames */
function lengthOf(bytes: Buffer): number {
  const length = bytes.readUInt32BE(0);
  if (length < 1 || length > MAX_FRAME) throw new BrokenFrames(`a frame of ${length} bytes`);
  return length;
}

/** What comes before the payload of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly objects: number;
  readonly flags: number;
  /** What stands before finished texts. */
  readonly about: string;
}

/** The first frame of the answer to an operation. */
export const answerFrame = (
  id: number,
  { status, objects, about, flags }: AnswerHead,
  first: string | Buffer = '',
): Buffer =>
  frameOf(
    FRAME.answer,
    [
      [id, 4],
      [status, 2],
      [objects, 4],
      [flags, 1],
      [Buffer.byteLength(about), 4],
    ],
    [about],
    first,
  );

/**
 * A frame of numbers and texts.
 * @param numbers each with its width in bytes
 * @param last text or bytes to its end
 */
export function frameOf(
  type: number,
  numbers: readonly (readonly [value: number, width: 1 | 2 | 4])[],
  texts: readonly string[],
  last: string | Buffer = '',
): Buffer {
  let length = 1;
  for (const [, width] of numbers) length += width;
  for (const text of texts) length += Buffer.byteLength(text);
  length += typeof last === 'string' ? Buffer.byteLength(last) : last.length;
  const frame = Buffer.allocUnsafe(LENGTH + length);
  let at = frame.writeUInt32BE(length, 0);
  at = frame.writeUInt8(type, at);
  for (const [value, width] of numbers) at = frame.writeUIntBE(value, at, width);
  for (const text of texts) at += frame.write(text, at);
  if (typeof last === 'string') frame.write(last, at);
  else last.copy(frame, at);
  return frame;
}
