// The log of a run while it is worked: lines for people, bounded, and without what its adapter keeps secret
// (docs/reference/workflow.md#run-logs).
import { storable } from './storable.ts';

export type RunLogLevel = 'info' | 'warn' | 'error';

/** A line as it is stored and answered. */
export interface RunLogLine {
  readonly number: number;
  readonly attempt: number;
  readonly at: string;
  readonly level: RunLogLevel;
  readonly message: string;
}

export interface NewLine {
  /** Its place in the log, where the run is held: one that is stored again changes nothing. Null: the end. */
  readonly number: number | null;
  readonly level: RunLogLevel;
  readonly message: string;
  /** What it adds to the size of the log; the line that says that the log is cut fills it. */
  readonly bytes: number;
  /** When it was written, by `performance.now()`. */
  readonly at: number;
}

/** A line that is there even if the log is full: one of the few that tell how attempts begin and end. */
export const lineOf = (level: RunLogLevel, text: string): NewLine => {
  const message = inOneLine(storable(text));
  return { number: null, level, message, bytes: Buffer.byteLength(message), at: performance.now() };
};

// one line is one line, whatever a source has sent
const inOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** What a run has of a log when an attempt begins. */
export interface Logged {
  readonly lines: number;
  readonly bytes: number;
}

/** Most lines and bytes of a run's log, over all attempts; a few lines more tell how attempts begin and end. */
export const MAX_LINES = 10_000;
export const MAX_BYTES = 1_048_576;

const CUT = `the log is cut here, since it has ${MAX_LINES} lines or ${MAX_BYTES} bytes: only how attempts begin and end follows`;

export class RunLog {
  #waiting: NewLine[] = [];
  #lines: number;
  #bytes: number;
  #redacted: (text: string) => string = (text) => text;
  #count = 0;

  constructor({ lines, bytes }: Logged = { lines: 0, bytes: 0 }) {
    this.#lines = lines;
    this.#bytes = bytes;
  }

  /** How many lines there have been in this attempt. */
  get count(): number {
    return this.#count;
  }

  /** From now on, texts are stored as this function returns them. */
  redactBy(redacted: (text: string) => string): void {
    this.#redacted = redacted;
  }

  /** A text as it may be stored: without secrets, and not too long. */
  storable(text: string): string {
    return storable(this.#redacted(text));
  }

  /** One line, unless the log is full. */
  note(level: RunLogLevel, text: string): void {
    if (this.#bytes >= MAX_BYTES) return;
    const line = lineOf(level, this.#redacted(text));
    const isFull = this.#lines + 1 >= MAX_LINES || this.#bytes + line.bytes >= MAX_BYTES;
    this.#add(isFull ? { ...lineOf('warn', CUT), bytes: MAX_BYTES - this.#bytes } : line);
  }

  /** One of the few lines that are there even if the log is full. */
  noteAlways(level: RunLogLevel, text: string): void {
    this.#add(lineOf(level, this.#redacted(text)));
  }

  /** The lines that are not stored yet; they are now the caller's. */
  take(): readonly NewLine[] {
    return this.#waiting.splice(0);
  }

  /** Lines that were taken and could not be stored. */
  giveBack(lines: readonly NewLine[]): void {
    this.#waiting = [...lines, ...this.#waiting];
  }

  #add(line: NewLine): void {
    this.#lines++;
    this.#bytes += line.bytes;
    this.#count++;
    this.#waiting.push({ ...line, number: this.#lines });
  }
}
