import { expect, test } from 'vitest';
import { column, readTsv } from './read-tsv.ts';

test('fields may be quoted or not, hold tabs, line ends and doubled quotes, and names lose the spaces around them', () => {
  expect(readTsv('"a "\tb\n"x\ty"\tplain\n"two\nlines"\t"said ""so"""\n')).toEqual([
    { a: 'x\ty', b: 'plain' },
    { a: 'two\nlines', b: 'said "so"' },
  ]);
});

test('the last line may go without its end, and empty fields stay', () => {
  expect(readTsv('a\tb\n1\t2\n"3"\t')).toEqual([
    { a: '1', b: '2' },
    { a: '3', b: '' },
  ]);
});

test('a row of another length, an open quote and text behind a quote are errors', () => {
  expect(() => readTsv('a\tb\n1\n')).toThrow('row 2 has 1 fields, not 2');
  expect(() => readTsv('a\n"1\n')).toThrow('a quote is not closed');
  expect(() => readTsv('a\n"1"2\n')).toThrow('a field goes on behind its quote');
});

test('a column that is not there is an error', () => {
  expect(() => column({ a: '1' }, 'b')).toThrow('there is no column b');
});
