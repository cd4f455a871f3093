// What a schema is proposed by: the values of each column, and never more than they say.
import { describe, expect, test } from 'vitest';
import type { TableRow } from '../../platform/tables/table-row.ts';
import { fieldName, nameFor } from '../../platform/tables/column-names.ts';
import { type FindReferences, inferSchema, type ProposedField } from '../../platform/tables/infer-schema.ts';
import { loadCommand, proposalText } from './proposal-text.ts';

const OPTIONS = { type: 'Thing', separator: ';', empty: ['NA'] };

async function* rowsOf(columns: Readonly<Record<string, readonly unknown[]>>): AsyncGenerator<TableRow> {
  const length = Math.max(...Object.values(columns).map((cells) => cells.length));
  for (let i = 0; i < length; i++)
    yield {
      line: i + 2,
      row: Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, cells[i] ?? ''])),
    };
}
const infer = (columns: Readonly<Record<string, readonly unknown[]>>, find: FindReferences | null = null) =>
  inferSchema(rowsOf(columns), OPTIONS, find);
const fieldOf = async (
  cells: readonly unknown[],
  find: FindReferences | null = null,
): Promise<ProposedField | null> =>
  (await infer({ x: cells, other: cells.map(() => 'same') }, find)).proposals[0]?.field ?? null;

const repeated = (words: readonly string[], times: number): string[] =>
  Array.from({ length: times }, () => words).flat();

describe('the type of a field', () => {
  test.each<[string, readonly unknown[], Partial<ProposedField>]>([
    ['whole numbers', ['1', '-2', '0', '0'], { field_type: 'int', required: true }],
    [
      'numbers with leading zeros, which are none',
      ['007', '12', '12'],
      { field_type: 'string', required: true },
    ],
    ['large whole numbers', ['9007199254740994', '1', '1'], { field_type: 'float', required: true }],
    [
      'whole numbers that no double is',
      ['9007199254740993', '1', '1'],
      { field_type: 'string', required: true },
    ],
    ['numbers', ['1', '2.5', '1e3', '.5', '.5'], { field_type: 'float', required: true }],
    ['days', ['2024-02-29', '2023-01-01', '2023-01-01'], { field_type: 'date', required: true }],
    ['what looks like days', ['2023-02-29', '2023-02-29'], { field_type: 'string', required: true }],
    ['instants', ['2024-02-29T10:00:00Z', '2024-02-29T10:00:00+01:00', ''], { field_type: 'datetime' }],
    ['truth', ['TRUE', 'false', ' True '], { field_type: 'bool', required: true }],
    ['addresses', ['https://a.b/c', 's3://d/e', 's3://d/e'], { field_type: 'uri', required: true }],
    ['words', repeated(['b', 'a'], 5), { field_type: 'enum', values: ['a', 'b'], required: true }],
    ['words that are hardly repeated', ['a', 'b', 'a', 'c'], { field_type: 'string', required: true }],
    ['lists', ['a;b', 'c', 'a; d'], { field_type: 'string', many: true, required: true }],
    ['prose', ['by hand; no. 1', 'by hand; no. 2', 'x'], { field_type: 'string', required: true }],
    ['values of typed tables', [1, 2.5, null, 7], { field_type: 'float' }],
    ['objects', [{ a: 1 }, [1], null], { field_type: 'json' }],
  ])('%s', async (_, cells, expected) => {
    expect(await fieldOf(cells)).toEqual({ name: 'x', ...expected });
  });

  test('a column without a value is no field, and texts that count as empty are none', async () => {
    expect(await fieldOf(['NA', ' ', 'NA'])).toBeNull();
    expect(await fieldOf(['1', 'NA', '1'])).toEqual({ name: 'x', field_type: 'int' });
  });
});

describe('references', () => {
  const ids = Array.from({ length: 40 }, (_, i) => `p${i}`);
  const parents = ids.map((_, i) => (i > 20 ? `p${i % 7}` : ''));

  test('values that are all ids of the table refer to its own type', async () => {
    const { id, proposals } = await infer({ id: ids, parent: parents });
    expect([id, proposals.map(({ field }) => field)]).toEqual([
      'id',
      [null, { name: 'parent', field_type: 'ref', references: 'Thing' }],
    ]);
    const stray = await infer({ id: ids, parent: [...parents.slice(0, -1), 'elsewhere'] });
    expect(stray.proposals[1]?.field).toMatchObject({ field_type: 'string' });
  });

  test('values that are all ids of one type of the platform refer to it; if only most are, that is said', async () => {
    const found =
      (types: Readonly<Record<string, number>>): FindReferences =>
      (values) =>
        Promise.resolve({ asked: values.length, types: new Map(Object.entries(types)) });
    const cells = repeated(['a', 'b', 'c'], 4);
    expect(await fieldOf(cells, found({ Population: 3 }))).toMatchObject({
      field_type: 'ref',
      references: 'Population',
    });
    const most = await infer({ x: cells, y: cells.map(() => 'same') }, found({ Population: 2 }));
    expect(most.proposals[0]).toMatchObject({
      field: { field_type: 'string' },
      evidence: 'all rows have a value, 3 different; 2 of 3 values that were looked up are ids of Population',
    });
    expect(await fieldOf(cells, found({ Population: 2, Site: 1 }))).toMatchObject({ field_type: 'string' });
    expect(await fieldOf(cells, found({}))).toMatchObject({ field_type: 'string' });
  });
});

test('texts that differ in every row are unique; the first that can be ids is the id; numbers may differ by chance', async () => {
  const columns = {
    'free text': Array.from({ length: 40 }, (_, i) => `text no. ${i}`),
    weight: Array.from({ length: 40 }, (_, i) => i / 7),
    code: Array.from({ length: 40 }, (_, i) => `c${i}`),
    barcode: Array.from({ length: 40 }, (_, i) => `b${i}`),
  };
  const { id, proposals } = await infer(columns);
  expect(id).toBe('code');
  expect(proposals.map(({ field }) => field?.unique)).toEqual([true, undefined, undefined, true]);
});

test('names of fields are those of the columns; the command loads what is not found by its name', async () => {
  expect(['Sample name ', 'sampleID', 'Größe (cm)', '1st', '%', 'a--b'].map(fieldName)).toEqual([
    'sample_name',
    'sample_id',
    'große_cm',
    '_1st',
    'column',
    'a_b',
  ]);
  expect(
    ['Sample Name', 'SAMPLENAME', 'sample', 'A B'].map((name) => nameFor(name, ['sample_name', 'a_b', 'ab'])),
  ).toEqual(['sample_name', 'sample_name', undefined, undefined]);
  const inferred = await infer({
    Sample: ['s1', 's2', 's3'],
    'a b': ['1', '2', '2'],
    'a-b': ['x', 'x', 'y'],
    none: [''],
  });
  expect(inferred.proposals.map(({ field }) => field?.name)).toEqual([undefined, 'a_b', 'a_b_2', undefined]);
  expect(loadCommand('my sheet.csv', inferred, OPTIONS)).toBe(
    "cairn ingest 'my sheet.csv' --type Thing --id Sample --map 'a_b_2=a-b' --skip none --empty NA",
  );
});

test('whatever a column is called, its comment is one line', async () => {
  const text = proposalText('x.csv', await infer({ 'a\nname: Evil': ['1', '1'] }), OPTIONS);
  expect(text.split('\n').filter((line) => line.startsWith('name:'))).toEqual(['name: Thing']);
});
