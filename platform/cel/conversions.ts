// Converts text to numbers as the CEL standard defines it. The library follows JavaScript, where "" is 0 and
// "0x10" is 16.
import { CelScalar, celFunc, celUint } from '@bufbuild/cel';
import type { CelFunc } from '@bufbuild/cel';
import { spendCharacters } from './limits.ts';

function parseInteger(text: string, form: RegExp): bigint {
  spendCharacters(text.length);
  if (text.length > 64 || !form.test(text)) throw new Error('not a number');
  return BigInt(text.replace(/^\+/, ''));
}

function inRange(value: bigint, bounded: bigint): bigint {
  if (value !== bounded) throw new RangeError('the integer is out of range');
  return value;
}

const SPECIAL: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Infinity],
  ['infinity', Infinity],
]);

function parseDouble(text: string): number {
  spendCharacters(text.length);
  const special = SPECIAL.get(text.toLowerCase().replace(/^[+-]/, ''));
  if (special !== undefined) return text.startsWith('-') ? -special : special;
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text)) throw new Error('not a number');
  const value = Number(text);
  if (!Number.isFinite(value)) throw new RangeError('the number is out of range');
  return value;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const conversionFunctions: readonly CelFunc[] = [
  celFunc('int', [CelScalar.STRING], CelScalar.INT, (text) => {
    const value = parseInteger(text, /^[+-]?\d+$/);
    return inRange(value, BigInt.asIntN(64, value));
  }),
  celFunc('uint', [CelScalar.STRING], CelScalar.UINT, (text) => {
    const value = parseInteger(text, /^\d+$/);
    return celUint(inRange(value, BigInt.asUintN(64, value)));
  }),
  celFunc('double', [CelScalar.STRING], CelScalar.DOUBLE, parseDouble),
  celFunc('bytes', [CelScalar.STRING], CelScalar.BYTES, (text) => {
    spendCharacters(text.length);
    return encoder.encode(text);
  }),
  celFunc('string', [CelScalar.BYTES], CelScalar.STRING, (bytes) => {
    spendCharacters(bytes.length);
    return decoder.decode(bytes);
  }),
];
