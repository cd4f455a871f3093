// Types as CWL documents write them, and their compatibility.
import { expect, test } from 'vitest';
import {
  type CwlType,
  fits,
  showCwlType,
  unionOf,
  withoutNull,
} from '../../../subgraphs/artifact/cwl/cwl-type.ts';
import { outputsOf, problemsOf, tool } from './check.ts';

const output = (type: string, rest = ''): string => tool(`${rest}inputs: []\noutputs:\n  out: ${type}\n`);

test.each([
  ['string', 'string'],
  ['File?', 'File?'],
  ['int[]', 'int[]'],
  ['int[]?', 'int[]?'],
  ['string[][]', 'string[][]'],
  ['stdout', 'File'],
  ['{type: ["null", string]}', 'string?'],
  ['{type: [int, string, "null"]}', 'int | string | null'],
  ['{type: {type: array, items: [int, string]}}', '(int | string)[]'],
  ['{type: {type: enum, symbols: [a, "#x/b"]}}', 'enum (a | b)'],
  ['{type: {type: record, fields: {uri: File, n: {type: int}}}}', 'record {uri: File, n: int}'],
  ['{type: {type: record, fields: [{name: "#out/uri", type: File}]}}', 'record {uri: File}'],
])('an output of type %s is %s', async (written, read) => {
  expect(await outputsOf(output(written, written === 'stdout' ? 'stdout: o.txt\n' : ''))).toEqual({
    out: read,
  });
});

test('names of SchemaDefRequirement are resolved, those inside others too', async () => {
  const requirement =
    'requirements:\n  SchemaDefRequirement:\n    types:\n      - {name: Peak, type: record, fields: {at: int, kind: "#Kind"}}\n      - {name: Kind, type: enum, symbols: [a, b]}\n';
  expect(await outputsOf(output('{type: "#Peak[]"}', requirement))).toEqual({
    out: 'record {at: int, kind: enum (a | b)}[]',
  });
});

test.each([
  ['strin', 'main.cwl:6:8: unknown type "strin"'],
  ['{type: []}', 'main.cwl:6:15: an empty list is not a type'],
  ['{type: 5}', 'main.cwl:6:15: 5 is not a type'],
  ['{doc: x}', 'main.cwl:6:8: `type` is missing'],
  ['{type: {type: record, fields: {a: int, b: bogus}}}', 'main.cwl:6:50: unknown type "bogus"'],
])('an output of type %s is refused', async (written, problem) => {
  expect(await problemsOf(output(written))).toContain(problem);
});

test('a type that contains itself and types that grow without end are refused', async () => {
  const own =
    'requirements:\n  SchemaDefRequirement:\n    types: [{name: T, type: record, fields: {t: T}}]\n';
  expect(await problemsOf(output('T', own))).toEqual(['main.cwl:9:8: type T contains itself']);
  const chain = Array.from(
    { length: 40 },
    (_, i) => `{name: t${i}, type: record, fields: {a: t${i + 1}, b: t${i + 1}}}`,
  ).join(', ');
  const bomb = `requirements:\n  SchemaDefRequirement:\n    types: [${chain}, {name: t40, type: enum, symbols: [a]}]\n`;
  expect(await problemsOf(output('t0', bomb))).toEqual(['main.cwl:9:8: a type may have at most 1000 parts']);
});

const type = (kind: 'null' | 'string' | 'int' | 'double' | 'File' | 'Any' | 'boolean'): CwlType => ({ kind });
const array = (items: CwlType): CwlType => ({ kind: 'array', items });
const record = (fields: Record<string, CwlType>): CwlType => ({
  kind: 'record',
  fields: Object.entries(fields).map(([name, of]) => ({ name, type: of })),
});
const maybe = (of: CwlType): CwlType => unionOf([type('null'), of]);

test.each<[CwlType, CwlType, boolean]>([
  [type('string'), type('string'), true],
  [type('string'), type('int'), false],
  [type('int'), type('double'), true],
  [type('File'), type('string'), false],
  [type('string'), type('Any'), true],
  [type('null'), type('Any'), false],
  [type('Any'), type('File'), true],
  [maybe(type('string')), type('string'), true],
  [type('string'), maybe(type('string')), true],
  [maybe(type('string')), maybe(type('int')), false],
  [array(type('int')), array(type('string')), false],
  [array(type('File')), type('File'), false],
  [array(maybe(type('File'))), array(type('File')), true],
  [record({ a: type('int') }), record({ a: type('int'), b: type('int') }), false],
  [record({ a: type('int') }), record({ a: type('int'), b: maybe(type('int')) }), true],
  [record({ a: type('int'), b: type('boolean') }), record({ a: type('int') }), true],
  [{ kind: 'enum', symbols: ['a'] }, { kind: 'enum', symbols: ['a', 'b'] }, true],
  [{ kind: 'enum', symbols: ['a', 'c'] }, { kind: 'enum', symbols: ['a', 'b'] }, false],
])('%j linked to %j: %s', (source, sink, fit) => {
  expect(fits(source, sink)).toBe(fit);
});

test('null can be taken out of a type', () => {
  expect(showCwlType(withoutNull(maybe(type('int'))))).toBe('int');
  expect(showCwlType(withoutNull(unionOf([type('null'), type('int'), type('string')])))).toBe('int | string');
  expect(withoutNull(type('null'))).toEqual({ kind: 'null' });
});
