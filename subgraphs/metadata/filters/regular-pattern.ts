// Patterns of `matches` that mean exactly the same in PostgreSQL: literals, classes of named characters,
// groups, alternatives and small repetitions.

/** Positions of the pattern, multiplied by repetitions: PostgreSQL's automaton grows with them. */
const MAX_POSITIONS = 64;

type Range = readonly [from: number, to: number];
const DIGITS: readonly Range[] = [[0x30, 0x39]];
const WORD: readonly Range[] = [...DIGITS, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
/** RE2's definition: without vertical tab. */
const SPACE: readonly Range[] = [
  [0x09, 0x0a],
  [0x0c, 0x0d],
  [0x20, 0x20],
];
const LAST = 0x10ffff;

function others(ranges: readonly Range[]): Range[] {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  const gaps: Range[] = [];
  let next = 1; // no text contains U+0000
  for (const [from, to] of sorted) {
    if (from > next) gaps.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= LAST) gaps.push([next, LAST]);
  return gaps;
}

const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  d: DIGITS,
  w: WORD,
  s: SPACE,
  D: others(DIGITS),
  W: others(WORD),
  S: others(SPACE),
};
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f' };

/** Thrown for an unsupported construct; caught where parsing began. */
class Other extends Error {
  override name = 'Other';
}
const other = (): never => {
  throw new Other();
};

const escaped = (code: number): string =>
  code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
const codeOf = (char: string): number => {
  const code = char.codePointAt(0) ?? other();
  return code === 0 || (code >= 0xd800 && code < 0xe000) ? other() : code;
};
const setOf = (ranges: readonly Range[], negated: boolean): string =>
  `[${negated ? '^' : ''}${ranges.map(([from, to]) => (from === to ? escaped(from) : `${escaped(from)}-${escaped(to)}`)).join('')}]`;

interface Part {
  readonly text: string;
  readonly positions: number;
}

class Reader {
  readonly #chars: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#chars = [...pattern];
  }

  whole(): string {
    const branches = this.#branches(true);
    if (this.#at < this.#chars.length || branches.positions > MAX_POSITIONS) other();
    return branches.text;
  }

  #next(): string {
    return this.#chars[this.#at++] ?? other();
  }

  #take(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  /** `a|b`; anchors are only at the ends of the outermost branches. */
  #branches(outermost: boolean): Part {
    const branches: Part[] = [];
    do {
      const begins = outermost && this.#take('^') ? '^' : '';
      const branch = this.#sequence();
      const ends = outermost && this.#take('$') ? '$' : '';
      if (branch.text === '') other();
      branches.push({ ...branch, text: `${begins}${branch.text}${ends}` });
    } while (this.#take('|'));
    return {
      text: `(?:${branches.map(({ text }) => text).join('|')})`,
      positions: branches.reduce((sum, { positions }) => sum + positions, 0),
    };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    for (
      let char = this.#chars[this.#at];
      char !== undefined && !'|)$'.includes(char);
      char = this.#chars[this.#at]
    )
      parts.push(this.#repeated(this.#atom()));
    return {
      text: parts.map(({ text }) => text).join(''),
      positions: parts.reduce((sum, { positions }) => sum + positions, 0),
    };
  }

  #atom(): Part {
    const char = this.#next();
    switch (char) {
      case '.':
        return { text: '[^\\u000a]', positions: 1 };
      case '[':
        return { text: this.#set(), positions: 1 };
      case '(': {
        if (this.#take('?') && !this.#take(':')) other();
        const inner = this.#branches(false);
        return this.#take(')') ? inner : other();
      }
      case '\\':
        return { text: setOf(this.#escape(), false), positions: 1 };
      case '*':
      case '+':
      case '?':
      case '{':
      case '}':
      case ']':
      case '^':
        return other();
      default:
        return { text: escaped(codeOf(char)), positions: 1 };
    }
  }

  /** The meaning of a backslash: a class, a control character, or a literal character. */
  #escape(): readonly Range[] {
    const char = this.#next();
    const known = Object.hasOwn(CLASSES, char) ? CLASSES[char] : undefined;
    if (known !== undefined) return known;
    const literal =
      (Object.hasOwn(CONTROLS, char) ? CONTROLS[char] : undefined) ??
      (/^[!-/:-@[-`{-~]$/.test(char) ? char : other());
    return [[codeOf(literal), codeOf(literal)]];
  }

  #set(): string {
    const negated = this.#take('^');
    const ranges: Range[] = [];
    if (this.#chars[this.#at] === ']') other();
    while (!this.#take(']')) ranges.push(...this.#item());
    return setOf(ranges, negated);
  }

  #item(): readonly Range[] {
    const char = this.#next();
    if (char === '[' || char === '-') return other();
    if (char === '\\') return this.#chars[this.#at + 1] === '-' ? other() : this.#escape();
    const from = codeOf(char);
    if (!this.#take('-')) return [[from, from]];
    const end = this.#next();
    if ('[]\\-'.includes(end)) other();
    const to = codeOf(end);
    return to < from ? other() : [[from, to]];
  }

  #repeated(part: Part): Part {
    const times = this.#quantifier();
    if (times === null) return part;
    this.#take('?'); // lazy or greedy does not matter for whether there is a match
    if ('*+?{'.includes(this.#chars[this.#at] ?? 'none')) other();
    return { text: `${part.text}${times.text}`, positions: part.positions * times.copies };
  }

  #quantifier(): { readonly text: string; readonly copies: number } | null {
    if (this.#take('*')) return { text: '*', copies: 1 };
    if (this.#take('+')) return { text: '+', copies: 1 };
    if (this.#take('?')) return { text: '?', copies: 1 };
    if (!this.#take('{')) return null;
    const least = this.#count();
    const isRange = this.#take(',');
    const isOpen = isRange && this.#chars[this.#at] === '}';
    const upper = isRange && !isOpen ? this.#count() : least;
    const most = isOpen ? null : upper;
    if (!this.#take('}') || (most !== null && (most < least || most === 0))) return other();
    return {
      text: least === most ? `{${least}}` : `{${least},${most ?? ''}}`,
      copies: Math.max(least, most ?? least + 1),
    };
  }

  #count(): number {
    let digits = '';
    while (/^\d$/.test(this.#chars[this.#at] ?? '')) digits += this.#next();
    return digits === '' || digits.length > 2 ? other() : Number(digits);
  }
}

/** The pattern for PostgreSQL's `~` in collation "C"; null if any part could have another meaning there. */
export function regularPattern(pattern: string): string | null {
  try {
    return new Reader(pattern).whole();
  } catch (error) {
    if (error instanceof Other) return null;
    throw error;
  }
}
