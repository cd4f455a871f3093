// What the cells of a sheet become.
import { describe, expect, test } from 'vitest';
import type { TypeInfo } from '../../console/parts/type-infos.ts';
import { cellValue, csvText, entityOf, guessedType } from '../../console/views/import/sheet.ts';
import { guessedMatching } from '../../console/views/import/guess-id.ts';

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
  const matching = guessedMatching({ name: 's.csv', columns, rows: [] }, SAMPLE, 'Accession');
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

/** Columns by name, with their cells. */
const idColumnOf = (columns: Readonly<Record<string, readonly unknown[]>>): string | undefined => {
  const names = Object.keys(columns);
  const rows = (columns[names[0] ?? ''] ?? []).map((_, i) => ({
    line: i + 2,
    cells: names.map((name) => columns[name]?.[i]),
  }));
  const { id } = guessedMatching({ name: 's.csv', columns: names, rows }, SAMPLE);
  return id === undefined ? undefined : names[id.column];
};

test.each<[string, string | undefined, Readonly<Record<string, readonly unknown[]>>]>([
  ['the one of the name', 'ID', { label: ['HG1', 'HG2'], ID: ['a', 'b'] }],
  ['one of the type, where its values are one of a kind', 'sample', { n: [1, 2], sample: ['x', 'y'] }],
  ['one that is named like an id', 'bar_code', { x: ['p q', 'r s'], bar_code: ['17', '18'], y: ['u', 'u'] }],
  ['the shape of its values', 'label', { depth: ['1.5', '2.5'], label: ['HG00096', 'HG00097'] }],
  [
    'another than the named one, whose values repeat',
    'accession',
    { id: ['d1', 'd1'], accession: ['A1', 'A2'] },
  ],
  ['the named one, whose values repeat, where no other fits', 'id', { id: ['d1', 'd1'], sex: ['f', 'm f'] }],
  [
    'the named one, although some rows have none',
    'id',
    { id: ['d1', '', 'd2', ''], accession: ['A1', 'A2', 'A3', 'A4'] },
  ],
  ['another than the named one, which has none', 'accession', { id: ['', ''], accession: ['A1', 'A2'] }],
  ['none that is a field', undefined, { accession: ['A1', 'A2'], family_roles: ['x', 'y'] }],
  ['none where values are missing', undefined, { label: ['HG00096', ''] }],
  [
    'none where they repeat far below',
    undefined,
    { label: [...Array.from({ length: 500 }, (_, i) => `S${i}`), 'S7'] },
  ],
  ['no date and no measurement', undefined, { drawn: ['2026-01-01', '2026-01-02'], depth: ['0.1', '0.2'] }],
  [
    'no text of several words, nor one that no id may be',
    undefined,
    { note: ['a 1', 'b 2'], file: ['x/1', 'x/2'] },
  ],
])('the column of ids is %s', (_, expected, columns) => {
  expect(idColumnOf(columns)).toBe(expected);
});
