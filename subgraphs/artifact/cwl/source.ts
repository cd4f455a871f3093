// One CWL document as text: its values, from JSON or YAML, and their locations. Texts that would take too
// long to parse are refused first.
import {
  type Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  type ParsedNode,
  visit,
} from 'yaml';
import type { CwlPath, CwlProblem } from './problem.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** docs/reference/artifact.md#fetching-cwl: a workflow has at most 1 MiB. */
export const MAX_TEXT_LENGTH = 2 ** 20;
/** Maximum nesting of lists and maps: workflows have about ten levels, and later code is recursive. */
export const MAX_DEPTH = 60;
/** Maximum factor by which YAML aliases may multiply a document's nodes. */
const MAX_ALIASES = 100;
/**
 * Tokens that determine the YAML parser's time; ordinary documents of the largest size have half of this
 * number.
 */
const MAX_MARKS = 400_000;
/** More open brackets, or consecutive indicators, than a parser's stack supports. */
const MAX_OPEN = 500;

type Parsed = Document.Parsed<ParsedNode, boolean>;

/** The nesting depth of a value, Infinity beyond the limit. */
export function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (limit === 0) return Infinity;
  let deepest = 0;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, limit - 1));
  return deepest + 1;
}

/**
 * The reason why a text is not passed to the YAML parser; null if it is. Strings are not recognised: their
 * brackets are balanced, too.
 */
function tooCostly(text: string): string | null {
  let marks = 0;
  let open = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x5b:
      case 0x7b: // [ {
        marks++;
        if (++open > MAX_OPEN) return `nested deeper than ${MAX_DEPTH} levels`;
        break;
      case 0x5d:
      case 0x7d: // ] }
        marks++;
        open = Math.max(0, open - 1);
        break;
      case 0x0a:
      case 0x21:
      case 0x26:
      case 0x2a:
      case 0x2c:
      case 0x2d:
      case 0x3a: // newline ! & * , - :
        marks++;
        break;
      default:
    }
  }
  if (marks > MAX_MARKS) return 'too many lines and punctuation marks';
  return /(?:[-?:] +){60}/.test(text) ? `nested deeper than ${MAX_DEPTH} levels` : null;
}

/** Duplicate keys of a map; the parser's own check is quadratic. */
function doubleKeys(document: Parsed): { readonly offset: number; readonly message: string }[] {
  const found: { offset: number; message: string }[] = [];
  visit(document, {
    Map(_, map) {
      const keys = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value))
          found.push({ offset: key.range?.[0] ?? 0, message: `the key ${String(key.value)} occurs twice` });
        keys.add(key.value);
      }
    },
  });
  return found;
}

function parseJson(text: string): { readonly value: unknown } | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (fault) {
    if (fault instanceof SyntaxError) return null; // otherwise YAML, which looks similar
    throw fault;
  }
}

type Refuse = (message: string, place?: Place) => void;

export class CwlSource {
  readonly url: string;
  readonly text: string;
  /** The text's values; null if it cannot be parsed. */
  readonly value: unknown;
  readonly problems: readonly CwlProblem[];
  readonly #lines = new LineCounter();
  /** Undefined until it is needed; null if the text must not be parsed as YAML. */
  #document: Parsed | null | undefined;

  constructor(url: string, text: string) {
    const problems: CwlProblem[] = [];
    this.url = url;
    this.text = text;
    this.problems = problems;
    this.value = this.#read((message, place = { line: 1, column: 1 }) => {
      problems.push({ url, ...place, message });
    });
  }

  #read(refuse: Refuse): unknown {
    try {
      const value =
        this.text.length > MAX_TEXT_LENGTH
          ? refuse('larger than 1 MiB')
          : (parseJson(this.text) ?? this.#readYaml(refuse))?.value;
      if (depthOf(value, MAX_DEPTH) <= MAX_DEPTH) return value ?? null;
      refuse(`nested deeper than ${MAX_DEPTH} levels`);
    } catch (fault) {
      // deep nesting overflows the stack, and multiplying aliases are refused: both are the document's fault
      if (!(fault instanceof RangeError || fault instanceof ReferenceError)) throw fault;
      refuse(
        fault instanceof RangeError
          ? `nested deeper than ${MAX_DEPTH} levels`
          : 'not valid YAML: too many aliases, or an alias without an anchor',
      );
    }
    return null;
  }

  #readYaml(refuse: Refuse): { readonly value: unknown } | null {
    const document = this.#parsed();
    if (document === null) refuse(tooCostly(this.text) ?? 'cannot be read');
    for (const error of document?.errors ?? [])
      refuse(`not valid YAML: ${error.message}`, this.#placeAt(error.pos[0]));
    if (document === null || document.errors.length > 0) return null;
    for (const { offset, message } of doubleKeys(document)) refuse(message, this.#placeAt(offset));
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
  }

  /**
   * The location of the value at a path, or of the nearest enclosing value; null if locations are not
   * available.
   */
  locate(path: CwlPath): Place | null {
    const document = this.#parsed();
    let node: unknown = document?.contents;
    let place: Place | null = null;
    for (let i = 0; isCollection(node) || isScalar(node); i++) {
      if (node.range) place = this.#placeAt(node.range[0]);
      const key = path[i];
      if (key === undefined || !isCollection(node)) break;
      const item: unknown = isMap(node)
        ? node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key))
        : node.items[Number(key)];
      if (isPair(item) && item.value === null && isScalar(item.key) && item.key.range)
        return this.#placeAt(item.key.range[0]);
      node = isPair(item) ? item.value : item;
    }
    return place;
  }

  #parsed(): Parsed | null {
    this.#document ??=
      tooCostly(this.text) === null
        ? parseDocument(this.text, {
            lineCounter: this.#lines,
            merge: false,
            uniqueKeys: false,
            prettyErrors: false,
            logLevel: 'error',
          })
        : null;
    return this.#document;
  }

  #placeAt(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}
