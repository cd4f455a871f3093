// The functions of CEL's strings extension, counted in code points as everywhere in CEL, their cost bounded. The
// library's count UTF-16 units, leave out what `split` does not split, and charge nothing.
import { CelScalar, celFunc, celList, celMethod, isCelList, isCelMap, listType } from '@bufbuild/cel';
import type { CelFunc, CelList, CelValue } from '@bufbuild/cel';
import { strings as libraryFunctions } from '@bufbuild/cel/ext';
import { countCodePoints, unitsAt } from './code-points.ts';
import { spend, spendCharacters } from './limits.ts';
import { firstPlaceOf, placesOf } from './text-search.ts';

const { DYN, INT, STRING } = CelScalar;
const LIST = listType(DYN);

/** The place in UTF-16 units of the code point at `index`; null if the text has fewer. */
function unitsBefore(text: string, index: bigint): number | null {
  if (index < 0n || index > BigInt(text.length)) return null;
  let units = 0;
  for (let left = Number(index); left > 0; left--) {
    if (units >= text.length) return null;
    units += unitsAt(text, units);
  }
  return units;
}

/** @throws Error, which becomes a CEL error, for an index beyond the text */
function unitsOf(text: string, index: bigint): number {
  spendCharacters(text.length);
  const units = unitsBefore(text, index);
  if (units === null) throw new Error(`index out of range: ${index}`);
  return units;
}

/** The index in code points of a place in UTF-16 units. */
const indexOfUnits = (text: string, units: number): bigint => BigInt(countCodePoints(text, units));

function charAt(this: string, index: bigint): string {
  const at = unitsOf(this, index);
  return this.slice(at, at + unitsAt(this, at));
}

function indexOf(this: string, part: string, start = 0n): bigint {
  const from = unitsOf(this, start);
  const found = firstPlaceOf(this.slice(from), part);
  return found === -1 ? -1n : indexOfUnits(this, from + found);
}

function lastIndexOf(this: string, part: string, start?: bigint): bigint {
  const from = start === undefined ? this.length : unitsOf(this, start);
  spend(1 + ((this.length * Math.max(1, part.length)) >>> 6)); // the engine compares at every place
  const found = this.lastIndexOf(part, from);
  return found === -1 ? -1n : indexOfUnits(this, found);
}

function substring(this: string, start: bigint, end?: bigint): string {
  const [from, to] = [unitsOf(this, start), end === undefined ? this.length : unitsOf(this, end)];
  if (from > to) throw new Error(`invalid substring range: ${start} to ${String(end)}`);
  return this.slice(from, to);
}

/** Where `part` begins, at most `limit` times; an empty one begins before each code point and at the end. */
function places(text: string, part: string, limit: number): readonly number[] {
  const found: number[] = [];
  if (part === '') {
    spendCharacters(text.length);
    for (let at = 0; at <= text.length && found.length < limit;) {
      found.push(at);
      at += unitsAt(text, at);
    }
    return found;
  }
  if (limit > 0)
    for (const at of placesOf(text, part)) {
      if (found.push(at) >= limit) break;
    }
  spend(found.length);
  return found;
}

/** A negative limit is none. */
const limitOf = (limit: bigint | undefined): number =>
  limit === undefined || limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);

/** The texts between the places. */
const between = (text: string, at: readonly number[], length: number): string[] =>
  [...at, text.length].map((end, index) => text.slice(index === 0 ? 0 : (at[index - 1] ?? 0) + length, end));

function replace(this: string, part: string, by: string, limit?: bigint): string {
  const at = places(this, part, limitOf(limit));
  spendCharacters(this.length + at.length * by.length);
  return between(this, at, part.length).join(by);
}

/** With a limit the last text is what was not split any more. */
function split(this: string, separator: string, limit?: bigint): CelList {
  const most = limitOf(limit);
  if (most === 0) return celList([]);
  if (separator !== '') return celList(between(this, places(this, separator, most - 1), separator.length));
  const starts = places(this, '', most).filter((at) => at < this.length);
  spend(starts.length);
  return celList(starts.map((at, index) => this.slice(at, starts[index + 1] ?? this.length)));
}

/** White space by Unicode. A regular expression would take quadratic time for the end. */
const WHITE_SPACE = new Set(
  Array.from('\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000', (space) =>
    space.charCodeAt(0),
  ).concat(Array.from({ length: 11 }, (_, index) => 0x2000 + index)),
);

function trim(this: string): string {
  spendCharacters(this.length);
  let [start, end] = [0, this.length];
  while (start < end && WHITE_SPACE.has(this.charCodeAt(start))) start++;
  while (end > start && WHITE_SPACE.has(this.charCodeAt(end - 1))) end--;
  return this.slice(start, end);
}

function join(this: CelList, separator = ''): string {
  const texts: string[] = [];
  for (const item of this) {
    if (typeof item !== 'string') throw new Error('join needs a list of strings');
    spendCharacters(item.length + separator.length);
    texts.push(item);
  }
  return texts.join(separator);
}

/** Charges the characters that a value is written with; what a list holds twice is written twice. */
function spendWritten(value: CelValue): void {
  spend(1);
  if (typeof value === 'string') spendCharacters(value.length);
  else if (value instanceof Uint8Array) spendCharacters(2 * value.length);
  else if (isCelList(value)) for (const item of value) spendWritten(item);
  else if (isCelMap(value))
    for (const [key, item] of value) {
      spendWritten(key);
      spendWritten(item);
    }
}

/** The library's function, called after its cost was charged. */
function ofLibrary(name: string): (target: CelValue | undefined, argument: CelValue) => CelValue {
  const found = libraryFunctions.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the CEL library has no function ${name}`);
  return (target, argument) => {
    spendWritten(argument);
    if (typeof target === 'string') spendCharacters(target.length);
    const result = found.call(0, target, [argument]);
    if (result === undefined || result instanceof Error) throw result ?? new Error('no such overload');
    return result;
  };
}

const textOf = (value: CelValue): string => {
  if (typeof value !== 'string') throw new Error('not a string');
  return value;
};
const quote = ofLibrary('strings.quote');
const format = ofLibrary('format');

export const stringFunctions: readonly CelFunc[] = [
  celMethod('charAt', STRING, [INT], STRING, charAt),
  celMethod('indexOf', STRING, [STRING], INT, indexOf),
  celMethod('indexOf', STRING, [STRING, INT], INT, indexOf),
  celMethod('lastIndexOf', STRING, [STRING], INT, lastIndexOf),
  celMethod('lastIndexOf', STRING, [STRING, INT], INT, lastIndexOf),
  celMethod('replace', STRING, [STRING, STRING], STRING, replace),
  celMethod('replace', STRING, [STRING, STRING, INT], STRING, replace),
  celMethod('split', STRING, [STRING], LIST, split),
  celMethod('split', STRING, [STRING, INT], LIST, split),
  celMethod('substring', STRING, [INT], STRING, substring),
  celMethod('substring', STRING, [INT, INT], STRING, substring),
  celMethod('trim', STRING, [], STRING, trim),
  celMethod('join', LIST, [], STRING, join),
  celMethod('join', LIST, [STRING], STRING, join),
  celFunc('strings.quote', [STRING], STRING, (text) => textOf(quote(undefined, text))),
  celMethod('format', STRING, [LIST], STRING, function (values) {
    return textOf(format(this, values));
  }),
];
