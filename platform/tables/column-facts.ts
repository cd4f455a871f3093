// What the cells of one column have in common: the evidence for the field that it becomes.
import { numberFault } from '../json-faults.ts';

/** Different values of a column that are remembered; beyond, nothing is said about them. */
const MAX_DISTINCT = 200_000;

const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
};

/** Kinds of text, the narrowest first. A number with leading zeros is no number: it would lose them. */
const KINDS: readonly (readonly [kind: string, test: (text: string) => boolean])[] = [
  ['bool', (text) => /^(?:true|false)$/i.test(text)],
  ['int', (text) => /^-?(?:0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text))],
  [
    'float',
    (text) =>
      /^[-+]?(?:0|[1-9]\d*)?(?:\.\d*)?(?:[eE][-+]?\d+)?$/.test(text) &&
      /\d/.test(text) &&
      numberFault(text.replace(/^\+/, '')) === undefined,
  ],
  ['date', isDay],
  [
    'datetime',
    (text) => /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[-+]\d\d:\d\d)$/.test(text),
  ],
  ['uri', (text) => /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text)],
];

const isWord = (part: string): boolean => /^\S+$/.test(part.trim());

export class ColumnFacts {
  readonly name: string;
  /** Rows that have a value. */
  count = 0;
  /** Rows whose value is words with the separator between them; in prose it is a sign like others. */
  separated = 0;
  hasSpace = false;
  isJson = false;
  longest = 0;
  /** Null where there are too many to say. */
  distinct: Map<string, number> | null = new Map();
  #kinds = KINDS;
  readonly #separator: string;

  constructor(name: string, separator: string) {
    this.name = name;
    this.#separator = separator;
  }

  /** @param cell one that is not empty */
  add(cell: unknown): void {
    this.count++;
    if (typeof cell === 'object') this.isJson = true;
    const text = typeof cell === 'string' ? cell.trim() : JSON.stringify(cell);
    this.#kinds = this.#kinds.filter(([, test]) => test(text));
    this.longest = Math.max(this.longest, text.length);
    if (/[\s/\\]/.test(text)) this.hasSpace = true;
    if (text.includes(this.#separator) && text.split(this.#separator).every(isWord)) this.separated++;
    if (this.distinct === null) return;
    this.distinct.set(text, (this.distinct.get(text) ?? 0) + 1);
    if (this.distinct.size > MAX_DISTINCT) this.distinct = null;
  }

  /** The narrowest field type that all values have; `string` if none has them. */
  get kind(): string {
    if (this.isJson) return 'json';
    return this.count === 0 ? 'string' : (this.#kinds[0]?.[0] ?? 'string');
  }

  /**
   * Rows with lists of phrases, such as "Phase 3,High coverage". Phrases with spaces make lists if they come again
   * in other combinations, which sentences do not.
   */
  get combined(): number {
    const lists = [...(this.distinct ?? [])].filter(([text]) => text.includes(this.#separator));
    const phrases = new Set(
      lists.flatMap(([text]) => text.split(this.#separator).map((part) => part.trim())),
    );
    return lists.length < 2 * phrases.size ? 0 : lists.reduce((sum, [, count]) => sum + count, 0);
  }

  get isUnique(): boolean {
    return this.count > 1 && this.distinct?.size === this.count;
  }
}
