// Text that is parsed in parts has the value that JSON.parse gives it, or the same fault at the same position.
import { expect, test } from 'vitest';
import { readsEscapedNamesWrongly } from './escaped-names.ts';
import { PartwiseParser } from './partwise-json.ts';

/** What the parser makes of it: a value, or what is wrong. */
function outcome(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return /at position \d+/.exec(error.message)?.[0] ?? 'no position';
  }
}

function inParts(text: string, part: number): unknown {
  const parser = new PartwiseParser(text, part);
  while (parser.step());
  return parser.end();
}

/** The same numbers in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const WORDS = ['a', '', '"', '\\', ',', ']', '}', '[{', 'ü😀', '__proto__', 'x'.repeat(30), '\n', 'k1', 'k2'];

function valueOf(next: (below: number) => number, depth: number): unknown {
  switch (next(depth > 4 ? 4 : 7)) {
    case 0:
      return next(1000) / 7;
    case 1:
      return WORDS[next(WORDS.length)];
    case 2:
      return [null, true, false, -0.5e-7][next(4)];
    case 3:
      return next(2) === 0 ? [] : {};
    case 4:
    case 5:
      return Array.from({ length: next(6) }, () => valueOf(next, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: next(6) }, () => [WORDS[next(WORDS.length)], valueOf(next, depth + 1)]),
      );
  }
}

const BITS = [
  ...'[]{},:"\\ 01eE-.tnu',
  '\t',
  '\u00a0',
  '\ufeff',
  '",',
  '[]',
  '{}',
  ',,',
  '"":',
  'null',
  '\u0001',
];

test.skipIf(readsEscapedNamesWrongly)(
  'parsing in parts of any length gives the results of JSON.parse, for valid and for damaged text',
  () => {
    const next = random(7);
    const seen = new Map<string, number>();
    for (let i = 0; i < 20_000; i++) {
      let text = JSON.stringify(valueOf(next, 0), null, next(3) === 0 ? 1 : undefined);
      for (let damage = next(4); damage > 0; damage--) {
        const [from, gone] = [next(text.length + 1), next(3)];
        text = text.slice(0, from) + (BITS[next(BITS.length + 5)] ?? '') + text.slice(from + gone);
      }
      const expected = outcome(() => JSON.parse(text));
      const kind = typeof expected === 'string' ? expected.replace(/\d+/, 'n') : 'value';
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      for (const part of [0, 1, 7, 40])
        expect(
          outcome(() => inParts(text, part)),
          JSON.stringify(text),
        ).toEqual(expected);
    }
    expect(
      Math.min(...['value', 'at position n', 'no position'].map((kind) => seen.get(kind) ?? 0)),
    ).toBeGreaterThan(1000);
  },
);
