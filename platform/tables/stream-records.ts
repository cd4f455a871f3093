// Parses the records of a list in a JSON document incrementally: one record is in memory, not the document.
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { DEFAULT_LIMITS } from '../config/limits-section.ts';
import { numberFault } from '../json-faults.ts';
import { type JsonLimits, MAX_JSON_DEPTH } from '../json-shape.ts';
import { MAX_RECORD_BYTES, TableFault, type TableRow } from './table-row.ts';

/** Tracks the document's nesting: the depth, and whether the list of records begins. */
class Place {
  /** The current key at each level; undefined in lists. */
  readonly #keys: (string | undefined)[] = [];
  /** How many names the object at each level has. */
  readonly #names: number[] = [];
  #nameNext = false;
  readonly #wanted: string;
  readonly #limits: JsonLimits;
  /** Values since the last record. */
  #values = 0;
  found = false;

  constructor(path: readonly string[], limits: JsonLimits) {
    this.#wanted = JSON.stringify(path);
    this.#limits = limits;
  }

  /** A record has been read: it is not kept here. */
  endRecord(): void {
    this.#values = 0;
  }

  get depth(): number {
    return this.#keys.length;
  }

  follow(token: TokenType, value: unknown): void {
    switch (token) {
      case TokenType.LEFT_BRACE:
        this.#value();
        this.#keys.push('');
        this.#names.push(0);
        this.#nameNext = true;
        break;
      case TokenType.LEFT_BRACKET:
        this.#value();
        this.#names.push(0);
        if (JSON.stringify(this.#keys) === this.#wanted) this.found = true;
        this.#keys.push(undefined);
        this.#nameNext = false;
        break;
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET:
        this.#keys.pop();
        this.#names.pop();
        this.#nameNext = false;
        break;
      case TokenType.COMMA:
        this.#nameNext = this.#keys.at(-1) !== undefined;
        break;
      case TokenType.STRING:
        if (this.#nameNext) this.#name(String(value));
        else this.#value();
        this.#nameNext = false;
        break;
      case TokenType.NUMBER:
      case TokenType.TRUE:
      case TokenType.FALSE:
      case TokenType.NULL:
        this.#value();
        break;
      default:
    }
  }

  #name(name: string): void {
    this.#keys[this.#keys.length - 1] = name;
    const names = (this.#names.pop() ?? 0) + 1;
    this.#names.push(names);
    if (names > this.#limits.jsonNames)
      throw new TableFault('content', `has an object of more than ${this.#limits.jsonNames} names`);
  }

  /** Of a record, and of what is beside the records, which is kept likewise. */
  #value(): void {
    if (++this.#values > this.#limits.jsonValues)
      throw new TableFault(
        'content',
        `has more than ${this.#limits.jsonValues} values in or before one record`,
      );
  }
}

/** Converts the tokenizer's error for invalid JSON to that of a table. */
function parsing(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (error instanceof TableFault) throw error;
    const said = error instanceof Error ? error.message : String(error);
    throw new TableFault('content', `is not valid JSON: ${said}`, { cause: error });
  }
}

/** Reports numbers that cannot be represented exactly, before they are rounded. */
class ExactTokenizer extends Tokenizer {
  readonly #onInexact: (text: string) => void;

  constructor(onInexact: (text: string) => void) {
    super();
    this.#onInexact = onInexact;
  }

  protected override parseNumber(text: string): number {
    if (numberFault(text) !== undefined) this.#onInexact(text);
    return Number(text);
  }
}

/**
 * The members of the list at a dotted path of the document, or of the document itself. A record with a number
 * that cannot be represented exactly fails alone.
 * @throws TableFault for invalid JSON, for more values or names than allowed, or without a list there
 */
export async function* streamRecords(
  chunks: AsyncIterable<Uint8Array>,
  path: string | undefined,
  limits: JsonLimits = DEFAULT_LIMITS,
): AsyncGenerator<TableRow> {
  const keys = path === undefined || path === '' ? [] : path.split('.');
  const place = new Place(keys, limits);
  const parser = new TokenParser({ paths: [['$', ...keys, '*'].join('.')], keepStack: false });
  const ready: TableRow[] = [];
  let fault: string | undefined;
  const tokenizer = new ExactTokenizer((text) => {
    if (place.found) fault ??= `the number ${text.slice(0, 40)} cannot be stored exactly`;
  });
  tokenizer.onToken = (token) => {
    place.follow(token.token, token.value);
    if (place.depth > MAX_JSON_DEPTH)
      throw new TableFault('content', `is nested deeper than ${MAX_JSON_DEPTH} levels`);
    parser.write(token);
  };
  parser.onValue = ({ value, parent }) => {
    if (!Array.isArray(parent)) return;
    place.endRecord();
    ready.push(fault === undefined ? { line: null, row: value } : { line: null, fault });
    fault = undefined;
  };
  let waiting = 0;
  for await (const chunk of chunks) {
    parsing(() => {
      tokenizer.write(chunk);
    });
    waiting = ready.length > 0 ? 0 : waiting + chunk.length;
    if (waiting > MAX_RECORD_BYTES && place.found && place.depth > keys.length)
      throw new TableFault('content', `has a record longer than ${MAX_RECORD_BYTES} bytes`);
    yield* ready.splice(0);
  }
  parsing(() => {
    if (!tokenizer.isEnded) tokenizer.end();
    if (!parser.isEnded) throw new Error('the document ended prematurely');
  });
  yield* ready.splice(0);
  if (!place.found)
    throw new TableFault('content', `has no list of records${keys.length === 0 ? '' : ` at ${path}`}`);
}
