// The functions of CEL's math extension: `math.greatest(…)` and others, as its conformance cases have them.
import { CelScalar, celFunc, celUint, isCelList, isCelUint } from '@bufbuild/cel';
import type { CelFunc, CelUint, CelValue } from '@bufbuild/cel';
import { spend } from './limits.ts';

const { BOOL, DOUBLE, DYN, INT, UINT } = CelScalar;

/** JavaScript compares a bigint with a number exactly. */
function plain(value: CelValue): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (isCelUint(value)) return value.value;
  throw new Error('no such overload: not a number');
}

/** Of the numbers in a list, or of one number, the first that no other one goes before. */
function extreme(isBefore: (one: number | bigint, other: number | bigint) => boolean) {
  return (value: CelValue): CelValue => {
    const items = isCelList(value) ? [...value] : [value];
    spend(items.length);
    const [first, ...rest] = items;
    if (first === undefined) throw new Error('the list of numbers is empty');
    return rest.reduce((found, item) => (isBefore(plain(item), plain(found)) ? item : found), numeric(first));
  };
}

function numeric(value: CelValue): CelValue {
  plain(value);
  return value;
}

/** Half goes away from zero; JavaScript's goes up. */
const round = (value: number): number =>
  Number.isFinite(value) ? Math.sign(value) * Math.round(Math.abs(value)) : value;

function absolute(value: bigint): bigint {
  const result = value < 0n ? -value : value;
  if (BigInt.asIntN(64, result) !== result) throw new RangeError('integer overflow');
  return result;
}

const signOf = (value: bigint): bigint => BigInt(Number(value > 0n) - Number(value < 0n));

const BITS = 64n;

function shift(bits: bigint, by: bigint, isLeft: boolean): bigint {
  if (by < 0n) throw new Error('negative offset');
  if (by >= BITS) return 0n;
  return isLeft ? bits << by : BigInt.asUintN(64, bits) >> by;
}

type OnBits = (left: bigint, right: bigint) => bigint;

/** For two ints and for two uints. */
const onBits = (name: string, apply: OnBits): CelFunc[] => [
  celFunc(name, [INT, INT], INT, (left, right) => BigInt.asIntN(64, apply(left, right))),
  celFunc(name, [UINT, UINT], UINT, (left, right) => unsigned(apply(left.value, right.value))),
];
const unsigned = (bits: bigint): CelUint => celUint(BigInt.asUintN(64, bits));
const shifting = (name: string, isLeft: boolean): CelFunc[] => [
  celFunc(name, [INT, INT], INT, (bits, by) => BigInt.asIntN(64, shift(bits, by, isLeft))),
  celFunc(name, [UINT, INT], UINT, (bits, by) => unsigned(shift(bits.value, by, isLeft))),
];

export const mathFunctions: readonly CelFunc[] = [
  celFunc(
    'math.greatest',
    [DYN],
    DYN,
    extreme((one, other) => one > other),
  ),
  celFunc(
    'math.least',
    [DYN],
    DYN,
    extreme((one, other) => one < other),
  ),
  celFunc('math.ceil', [DOUBLE], DOUBLE, Math.ceil),
  celFunc('math.floor', [DOUBLE], DOUBLE, Math.floor),
  celFunc('math.round', [DOUBLE], DOUBLE, round),
  celFunc('math.trunc', [DOUBLE], DOUBLE, Math.trunc),
  celFunc('math.abs', [DOUBLE], DOUBLE, Math.abs),
  celFunc('math.abs', [INT], INT, absolute),
  celFunc('math.abs', [UINT], UINT, (value) => value),
  celFunc('math.sign', [DOUBLE], DOUBLE, Math.sign),
  celFunc('math.sign', [INT], INT, signOf),
  celFunc('math.sign', [UINT], UINT, ({ value }) => celUint(signOf(value))),
  celFunc('math.isNaN', [DOUBLE], BOOL, Number.isNaN),
  celFunc('math.isInf', [DOUBLE], BOOL, (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
  celFunc('math.isFinite', [DOUBLE], BOOL, Number.isFinite),
  ...onBits('math.bitAnd', (left, right) => left & right),
  ...onBits('math.bitOr', (left, right) => left | right),
  ...onBits('math.bitXor', (left, right) => left ^ right),
  celFunc('math.bitNot', [INT], INT, (bits) => ~bits),
  celFunc('math.bitNot', [UINT], UINT, ({ value }) => unsigned(~value)),
  ...shifting('math.bitShiftLeft', true),
  ...shifting('math.bitShiftRight', false),
];
