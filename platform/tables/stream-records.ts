// Parses the records of a list in a JSON document incrementally: one record is in memory, not the document.
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { numberFault } from '../json-faults.ts';
import { MAX_JSON_DEPTH } from '../json-shape.ts';
import { TableFault, type TableRow } from './table-row.ts';

/** Maximum bytes of one record. */
const MAX_RECORD_BYTES = 10_485_760;

/** Tracks the document's nesting: the depth, and whether the list of records begins. */
class Place {
  /** The current key at each level; undefined in lists. */
  readonly #keys: (string | undefined)[] = [];
  #nameNext = false;
  readonly #wanted: string;
  found = false;

  constructor(path: readonly string[]) {
    this.#wanted = JSON.stringify(path);
  }

  get depth(): number {
    return this.#keys.length;
  }

  follow(token: TokenType, value: unknown): void {
    switch (token) {
      case TokenType.LEFT_BRACE:
        this.#keys.push('');
        this.#nameNext = true;
        break;
      case TokenType.LEFT_BRACKET:
        if (JSON.stringify(this.#keys) === this.#wanted) this.found = true;
        this.#keys.push(undefined);
        this.#nameNext = false;
        break;
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET:
        this.#keys.pop();
        this.#nameNext = false;
        break;
      case TokenType.COMMA:
        this.#nameNext = this.#keys.at(-1) !== undefined;
        break;
      case TokenType.STRING:
        if (this.#nameNext) this.#keys[this.#keys.length - 1] = String(value);
        this.#nameNext = false;
        break;
      default:
    }
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
 * @throws TableFault for invalid JSON, or without a list there
 */
export async function* streamRecords(
  chunks: AsyncIterable<Uint8Array>,
  path: string | undefined,
): AsyncGenerator<TableRow> {
  const keys = path === undefined || path === '' ? [] : path.split('.');
  const place = new Place(keys);
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
