// Writes a value as JSON text within a budget: small ones in one go, large ones in turns, and never more than
// may be.
import { type Budget, never } from './budget.ts';

/** An answer that cannot become larger than this is written in one go. */
const SMALL = 4 * 1024 * 1024;
const CHUNK = 64 * 1024;
/** Milliseconds of a turn, and values that are written between two looks at the clock: long names and texts take longer. */
const TURN_MS = 5;
const NODES_A_LOOK = 500;
const BYTES_A_TURN = 1024 * 1024;

type Frame = { readonly items: readonly unknown[]; readonly keys: readonly string[] | null; next: number };

const MAX_PLAIN_LENGTH = 500;
const LONG = 1000;

/** How many numbers, truth values, nulls and short texts follow each other. */
function plainRun(items: readonly unknown[], from: number): number {
  let to = from;
  for (const end = Math.min(items.length, from + MAX_PLAIN_LENGTH); to < end; to++) {
    const item = items[to];
    if (typeof item === 'object' ? item !== null : typeof item === 'string' && item.length > LONG) break;
  }
  return to - from;
}

/**
 * Walks a value, writing as it goes; `step` does a part of it. What `JSON.stringify` leaves out or changes
 * does not occur: values come of JSON and of GraphQL.
 */
class Writer {
  readonly #chunks: Buffer[] = [];
  readonly #frames: Frame[] = [];
  readonly #keys = new Map<string, string>();
  readonly #budget: Budget;
  #text = '';
  /** Bytes of chunks since the last turn: one long text may be many chunks' worth. */
  #bytes = 0;

  constructor(value: unknown, budget: Budget) {
    this.#budget = budget;
    this.#value(value);
  }

  /** False where nothing is left to do. */
  step(): boolean {
    this.#bytes = 0;
    const until = performance.now() + TURN_MS;
    for (let nodes = 1; nodes % NODES_A_LOOK !== 0 || performance.now() < until; nodes++) {
      const frame = this.#frames.at(-1);
      if (frame === undefined) return false;
      if (frame.next >= frame.items.length) {
        this.#text += frame.keys === null ? ']' : '}';
        this.#frames.pop();
        continue;
      }
      const run = frame.keys === null ? plainRun(frame.items, frame.next) : 0;
      if (run > 1) {
        // many numbers or words are written at once
        this.#text += `${frame.next === 0 ? '' : ','}${JSON.stringify(frame.items.slice(frame.next, frame.next + run)).slice(1, -1)}`;
        frame.next += run;
        if (this.#isFull()) return this.#budget.ended === undefined;
        continue;
      }
      const i = frame.next++;
      const key = frame.keys?.[i];
      this.#text += `${i === 0 ? '' : ','}${key === undefined ? '' : this.#key(key)}`;
      this.#value(frame.items[i]);
      if (this.#isFull()) return this.#budget.ended === undefined;
    }
    return true;
  }

  /** Whether it is time for another's turn: a mebibyte is written, or nothing more is to be. */
  #isFull(): boolean {
    return this.#text.length > CHUNK && (!this.#flush() || this.#bytes >= BYTES_A_TURN);
  }

  /** The text, as UTF-8. */
  end(): readonly Buffer[] {
    this.#flush();
    return this.#chunks;
  }

  #flush(): boolean {
    const chunk = Buffer.from(this.#text);
    this.#text = '';
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    return this.#budget.write(chunk.length);
  }

  #key(key: string): string {
    let written = this.#keys.get(key);
    if (written === undefined) this.#keys.set(key, (written = `${JSON.stringify(key)}:`));
    return written;
  }

  #value(given: unknown): void {
    const value: unknown =
      typeof given === 'object' && given !== null && 'toJSON' in given && typeof given.toJSON === 'function'
        ? // JSON.stringify calls it so, too
          (given.toJSON as () => unknown)()
        : given;
    if (typeof value !== 'object' || value === null) {
      this.#text += JSON.stringify(value) ?? 'null';
    } else if (Array.isArray(value)) {
      this.#text += '[';
      this.#frames.push({ items: value, keys: null, next: 0 });
    } else {
      const keys: string[] = [];
      const items: unknown[] = [];
      // of very many names, their entries take several times as long
      for (const key of Object.keys(value)) {
        const item = (value as Readonly<Record<string, unknown>>)[key];
        if (item === undefined) continue;
        keys.push(key);
        items.push(item);
      }
      this.#text += '{';
      this.#frames.push({ items, keys, next: 0 });
    }
  }
}

async function writtenInTurns(value: unknown, budget: Budget): Promise<readonly Buffer[]> {
  const writer = new Writer(value, budget);
  while (writer.step()) await budget.turn();
  if (budget.ended !== undefined) return never();
  return writer.end();
}

/**
 * The JSON text of a value: a string, or of a large one its bytes, in pieces: to copy them takes long, and so they
 * are put together but once, with what is around them. Never resolves where the operation has
 * ended: `Budget.within` says so.
 */
export function writeJson(value: unknown, budget: Budget | undefined): string | Promise<readonly Buffer[]> {
  if (budget === undefined) return JSON.stringify(value);
  if (budget.isLarge || budget.mostShown >= SMALL) return writtenInTurns(value, budget);
  const text = JSON.stringify(value);
  return budget.write(text.length) ? text : never();
}

/**
 * Puts pieces together, with what is before and behind them: large ones in turns, because to copy takes long, too. Never
 * resolves where the operation has ended, as where there is no memory for both.
 */
export async function joinedPieces(
  before: string,
  pieces: readonly Buffer[],
  after: string,
  budget: Budget,
): Promise<Buffer> {
  const all = [Buffer.from(before), ...pieces, Buffer.from(after)];
  const size = all.reduce((sum, { length }) => sum + length, 0);
  if (!budget.copy(size)) return never();
  const whole = Buffer.allocUnsafeSlow(size);
  let [at, turnAt] = [0, 0];
  for (const piece of all) {
    if (at - turnAt >= BYTES_A_TURN) {
      turnAt = at;
      await budget.turn();
    }
    at += piece.copy(whole, at);
  }
  return whole;
}
