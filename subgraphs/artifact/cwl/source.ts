// One CWL document as text: parsed as YAML (JSON is YAML), with the place of every value kept.
import { type Document, LineCounter, type Node, parseDocument, type ParsedNode } from 'yaml';
import type { CwlPath, CwlProblem } from './problem.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** How often YAML aliases may multiply a document's nodes. */
const MOST_ALIASES = 100;
/** Deepest nesting of lists and maps: workflows have about ten, what comes after us recurses. */
export const DEEPEST = 60;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'range' in value;

function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (limit === 0) return Infinity;
  let deepest = 0;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, limit - 1));
  return deepest + 1;
}

export class Source {
  readonly url: string;
  readonly text: string;
  /** The parsed text as plain values; null where the text cannot be parsed. */
  readonly value: unknown;
  readonly problems: readonly CwlProblem[];
  readonly #document: Document.Parsed<ParsedNode, boolean> | null;
  readonly #lines = new LineCounter();

  constructor(url: string, text: string) {
    this.url = url;
    this.text = text;
    let value: unknown = null;
    let problems: CwlProblem[];
    let document: Document.Parsed<ParsedNode, boolean> | null = null;
    try {
      document = parseDocument(text, { lineCounter: this.#lines, merge: false, uniqueKeys: true, prettyErrors: false, logLevel: 'error' });
      problems = document.errors.map((error) => ({ url, ...this.#placeAt(error.pos[0]), message: `not YAML: ${error.message}` }));
      if (problems.length === 0) {
        value = document.toJS({ maxAliasCount: MOST_ALIASES });
        if (depthOf(value, DEEPEST) > DEEPEST) throw new RangeError();
      }
    } catch (fault) {
      // the parser overflows the stack on absurd nesting, and refuses aliases that multiply: both are the document's fault
      if (!(fault instanceof RangeError || fault instanceof ReferenceError)) throw fault;
      value = null;
      problems = [{ url, line: 1, column: 1, message: fault instanceof RangeError ? `nested deeper than ${DEEPEST} levels` : 'not YAML: too many aliases' }];
    }
    this.value = value;
    this.problems = problems;
    this.#document = document;
  }

  /** The place of the value at a path, or of the nearest value around it; null for a document without any. */
  locate(path: CwlPath): Place | null {
    for (let length = path.length; length >= 0; length--) {
      const node = length === 0 ? this.#document?.contents : this.#document?.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return this.#placeAt(node.range[0]);
    }
    return null;
  }

  #placeAt(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}
