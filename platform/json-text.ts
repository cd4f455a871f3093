// JSON text of large values, written in turns with other work before it is needed: `JSON.stringify` of ten
// mebibytes takes as long as parsing them.
import { jsonSize } from './json-size.ts';
import { Turn } from './turns.ts';

/** Characters that are written at once. */
const PART = 64 * 1024;

const texts = new WeakMap<object, string>();
/** Values whose text is known. */
let known = 0;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Members that are written at once, and what is written of the others. */
class Members {
  text = '';
  #list: unknown[] = [];
  #named: Record<string, unknown> = {};
  #size = 0;

  /** Whether as many as are written at once have been. */
  add(key: string | undefined, value: unknown, size: number): boolean {
    if (key === undefined) this.#list.push(value);
    else if (key === '__proto__') {
      this.end();
      this.member(key, JSON.stringify(value));
    } else this.#named[key] = value;
    this.#size += size + (key?.length ?? 0);
    if (this.#size < PART) return false;
    this.end();
    return true;
  }

  member(key: string | undefined, text: string): void {
    this.#append(key === undefined ? text : `${JSON.stringify(key)}:${text}`);
  }

  end(): void {
    if (this.#size > 0) {
      const text = this.#list.length > 0 ? JSON.stringify(this.#list) : JSON.stringify(this.#named);
      if (text.length > 2) this.#append(text.slice(1, -1));
    }
    this.#list = [];
    this.#named = {};
    this.#size = 0;
  }

  #append(text: string): void {
    this.text += this.text === '' ? text : `,${text}`;
  }
}

async function written(value: object, turn: Turn): Promise<string> {
  if (turn.isOver) await turn.next();
  const isArray = Array.isArray(value);
  const members = new Members();
  const names = isArray ? undefined : Object.keys(value);
  const items = value as Readonly<Record<string | number, unknown>>; // by index, or by name
  const count = names?.length ?? (value as readonly unknown[]).length;
  for (let i = 0; i < count; i++) {
    const key = names?.[i];
    const item = items[key ?? i];
    const size = jsonSize(item, PART);
    if (size >= PART && isObject(item)) {
      members.end();
      members.member(key, await written(item, turn));
    } else if (members.add(key, item, size) && turn.isOver) await turn.next();
  }
  members.end();
  return isArray ? `[${members.text}]` : `{${members.text}}`;
}

/** As `JSON.stringify`; the text of a large value is written in turns with others. */
export async function jsonTextInTurns(value: object): Promise<string> {
  return jsonSize(value, PART) < PART ? JSON.stringify(value) : await written(value, new Turn());
}

/**
 * Writes the large values of an object's members, in turns with others. Until what is returned is called,
 * {@link jsonText} of what holds them takes little time.
 */
export async function writeAhead(data: Readonly<Record<string, unknown>>): Promise<() => void> {
  const turn = new Turn();
  const made: object[] = [];
  for (const value of Object.values(data)) {
    if (!isObject(value) || texts.has(value) || jsonSize(value, PART) < PART) continue;
    texts.set(value, await written(value, turn));
    made.push(value);
    known++;
  }
  return () => {
    for (const value of made.splice(0)) if (texts.delete(value)) known--;
  };
}

/** Writes each of many values ahead, in turns with others, however small they are. */
export async function writeEachAhead(values: Iterable<object>): Promise<() => void> {
  const turn = new Turn();
  const made: object[] = [];
  for (const value of values) {
    if (turn.isOver) await turn.next();
    if (texts.has(value)) continue;
    texts.set(value, jsonText(value));
    made.push(value);
    known++;
  }
  return () => {
    for (const value of made.splice(0)) if (texts.delete(value)) known--;
  };
}

const holdsKnown = (value: object, levels: number): boolean =>
  texts.has(value) ||
  (levels > 0 && Object.values(value).some((member) => isObject(member) && holdsKnown(member, levels - 1)));

function composed(value: unknown, levels: number): string {
  if (!isObject(value)) return JSON.stringify(value);
  const text = texts.get(value);
  if (text !== undefined) return text;
  if (Array.isArray(value) || !holdsKnown(value, levels)) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${composed(member, levels - 1)}`);
  return `{${members.join(',')}}`;
}

/** As `JSON.stringify` of a JSON value; of values that were written ahead, one or two levels below, their text. */
export const jsonText = (value: unknown): string =>
  known === 0 ? JSON.stringify(value) : composed(value, 2);
