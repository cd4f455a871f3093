// What the cells of a sheet become.
import { describe, expect, test } from 'vitest';
import type { TypeInfo } from '../../console/parts/type-infos.ts';
import {
  cellValue,
  csvText,
  entityOf,
  guessedMatching,
  guessedType,
} from '../../console/views/import/sheet.ts';

const field = (name: string, type: string, more: object = {}): TypeInfo['allFields'][number] => ({
  name,
  type,
  many: false,
  required: false,
  references: null,
  values: null,
  description: null,
  ...more,
});
const typeOf = (name: string, ...allFields: TypeInfo['allFields']): TypeInfo => ({
  name,
  description: null,
  allFields,
});

describe('cells', () => {
  test.each<[string, unknown, object, unknown]>([
    ['a number', '12', { type: 'int' }, 12],
    ['a number with leading zeros, which the server refuses', '012', { type: 'int' }, '012'],
    ['an integer that no double holds', '9007199254740993', { type: 'int' }, '9007199254740993'],
    ['a number that stays text', 12, { type: 'string' }, '12'],
    ['a text with its blanks', ' a ', { type: 'string' }, ' a '],
    ['a truth value, however it is written', 'TRUE', { type: 'bool' }, true],
    ['a number of a workbook', 1.5, { type: 'float' }, 1.5],
    ['a list', 'a; b;', { type: 'string', many: true }, ['a', 'b']],
    ['a list as JSON', '["a;b"]', { type: 'string', many: true }, ['a;b']],
    ['JSON', '{"a":1}', { type: 'json' }, { a: 1 }],
    ['nothing', ' ', { type: 'string' }, undefined],
  ])('%s', (_, cell, more, value) => {
    expect(cellValue(cell, field('f', 'string', more), '')).toEqual(value);
  });

  test('a prefix is put before each value of a list', () => {
    const many = field('f', 'ref', { many: true, references: 'Sample' });
    expect(cellValue('a;b', many, 'sample:')).toEqual(['sample:a', 'sample:b']);
  });
});

const SAMPLE = typeOf(
  'Sample',
  field('accession', 'string', { required: true }),
  field('family_roles', 'enum', { many: true }),
);

test('columns are matched by names, whatever their case, blanks and signs; the id may be a field as well', () => {
  const columns = ['Accession', 'Family roles', 'notes', 'FAMILY_ROLES'];
  const matching = guessedMatching(columns, SAMPLE, 'Accession');
  expect(matching.uses.map(({ to }) => to)).toEqual(['accession', 'family_roles', '', '']);
  const row = { line: 2, cells: ['HG1', 'father;mother', 'x', ''] };
  const id = { column: 0, prefix: 'sample:' };
  expect(entityOf(row, { ...matching, id }, SAMPLE)).toEqual({
    entityType: 'Sample',
    id: 'sample:HG1',
    data: { accession: 'HG1', family_roles: ['father', 'mother'] },
  });
});

test('a type is guessed only where the sheet has all that it requires, and no other fits as well', () => {
  const other = typeOf('Other', field('accession', 'string'));
  expect(guessedType(['accession', 'family_roles'], [SAMPLE, other])).toBe(SAMPLE);
  expect(guessedType(['family_roles'], [SAMPLE])).toBeUndefined();
  expect(guessedType(['accession'], [SAMPLE, other])).toBeUndefined();
});

test('what is written as CSV reads back as it was', () => {
  expect(csvText([['a', 'b,c', 'd"e', 'f\ng']])).toBe('a,"b,c","d""e","f\ng"\r\n');
});
