// Provides the functions of an evaluation: the library's, with replacements for those that deviate from the
// standard or whose cost is not bounded.
import {
  CelScalar,
  celEnv,
  celFunc,
  celList,
  celListConcat,
  celMethod,
  isCelList,
  isCelMap,
  isCelUint,
  listType,
  mapType,
} from '@bufbuild/cel';
import type { CelFunc, CelInput, CelList, CelValue } from '@bufbuild/cel';
import { countCodePoints } from './code-points.ts';
import { conversionFunctions } from './conversions.ts';
import { equalValues } from './equality.ts';
import { spend, spendCharacters } from './limits.ts';
import { mathFunctions } from './math.ts';
import { matchesPattern } from './patterns.ts';
import { stringFunctions } from './strings.ts';
import { containsText } from './text-search.ts';
import { timestampFunctions } from './timestamps.ts';

const { BOOL, DYN, INT, STRING } = CelScalar;
const LIST = listType(DYN);
const MAP = mapType(DYN, DYN);

/** Compares by code points, as the standard requires. JavaScript compares by UTF-16 units. */
function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  spendCharacters(length);
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Orders surrogates, which encode the highest code points, after the rest of the basic plane. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Counts code points. */
function countCharacters(text: string): number {
  spendCharacters(text.length);
  return countCodePoints(text, text.length);
}

/** The cost depends on the length of the argument. */
function looking(method: 'startsWith' | 'endsWith') {
  return function (this: string, part: string): boolean {
    spendCharacters(part.length);
    return this[method](part);
  };
}

function contains(item: CelValue, list: CelList): boolean {
  for (const candidate of list) {
    spend(1);
    if (equalValues(candidate, item)) return true;
  }
  return false;
}

/** `in` and list macros accept only lists: key tests are `has()` (docs/reference/cel.md#lists-only). */
function needList(value: CelInput, what: string): CelList {
  if (!isCelList(value)) throw new Error(`${what} needs a list`);
  return value;
}

/** `container[key]`: a list with an integer index, a map with an existing key. */
function at(container: CelValue, key: CelValue): CelValue {
  const number = isCelUint(key) ? key.value : key;
  const index =
    typeof number === 'bigint' || (typeof number === 'number' && Number.isInteger(number))
      ? BigInt(number)
      : null;
  let found: CelValue | undefined;
  if (isCelList(container)) found = index === null || index < 0n ? undefined : container.get(Number(index));
  else if (isCelMap(container)) {
    if (index !== null) spend(container.size >> 1); // numeric keys are searched linearly
    if (index !== null) found = container.get(index);
    else if (typeof key === 'string' || typeof key === 'boolean') found = container.get(key);
  }
  if (found === undefined) throw new Error('no such key or index');
  return found;
}

/** The arrays that `map` and `filter` append to, by the list that CEL sees. */
const filling = new WeakMap<CelList, CelInput[]>();

function newList(): CelList {
  const items: CelInput[] = [];
  const list = celList(items);
  filling.set(list, items);
  return list;
}

function append(list: CelList, item: CelInput): CelList {
  filling.get(list)?.push(item);
  return list;
}

const ordered = [
  ['_<_', (c: number) => c < 0],
  ['_<=_', (c: number) => c <= 0],
  ['_>_', (c: number) => c > 0],
  ['_>=_', (c: number) => c >= 0],
] as const;

const functions: readonly CelFunc[] = [
  ...ordered.map(([name, holds]) =>
    celFunc(name, [STRING, STRING], BOOL, (left, right) => holds(compareText(left, right))),
  ),
  celFunc('_==_', [DYN, DYN], BOOL, (left, right) => equalValues(left, right)),
  celFunc('_!=_', [DYN, DYN], BOOL, (left, right) => !equalValues(left, right)),
  celFunc('_+_', [STRING, STRING], STRING, (left, right) => {
    spendCharacters(left.length + right.length);
    return left + right;
  }),
  celFunc('_+_', [LIST, LIST], LIST, (left, right) => {
    spend(1);
    return celListConcat(left, right);
  }),
  celFunc('@in', [DYN, LIST], BOOL, contains),
  celFunc('@needList', [DYN], DYN, (value) => needList(value, "'in'")),
  celFunc('@range', [DYN], LIST, (value) => {
    const list = needList(value, 'a list macro');
    spend(1 + list.size);
    return list;
  }),
  celFunc('@tick', [INT], BOOL, (steps) => {
    spend(Number(steps));
    return true;
  }),
  celFunc('@newList', [], LIST, newList),
  celFunc('@append', [LIST, DYN], LIST, append),
  celFunc('@at', [DYN, DYN], DYN, at),
  // The library's version returns false for a field that is null.
  celFunc('@has', [STRING, MAP], BOOL, (key, map) => map.get(key) !== undefined),
  celMethod('contains', STRING, [STRING], BOOL, function (part) {
    return containsText(this, part);
  }),
  celMethod('startsWith', STRING, [STRING], BOOL, looking('startsWith')),
  celMethod('endsWith', STRING, [STRING], BOOL, looking('endsWith')),
  celMethod('matches', STRING, [STRING], BOOL, function (pattern) {
    return matchesPattern(this, pattern);
  }),
  celFunc('matches', [STRING, STRING], BOOL, matchesPattern),
  celMethod('size', STRING, [], INT, function () {
    return BigInt(countCharacters(this));
  }),
  celFunc('size', [STRING], INT, (text) => BigInt(countCharacters(text))),
  celMethod('lowerAscii', STRING, [], STRING, function () {
    spendCharacters(this.length);
    return this.replace(/[A-Z]+/g, (part) => part.toLowerCase());
  }),
  celMethod('upperAscii', STRING, [], STRING, function () {
    spendCharacters(this.length);
    return this.replace(/[a-z]+/g, (part) => part.toUpperCase());
  }),
  ...conversionFunctions,
  ...mathFunctions,
  ...stringFunctions,
  ...timestampFunctions,
];

export const environment = celEnv({ funcs: [...functions] });
