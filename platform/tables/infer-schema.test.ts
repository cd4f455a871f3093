import { expect, test } from 'vitest';
import { inferSchema, type ProposedField } from './infer-schema.ts';
import type { TableRow } from './table-row.ts';

async function* cells(values: readonly string[]): AsyncGenerator<TableRow> {
  for (const [i, value] of values.entries()) yield { line: i + 2, row: { id: `s${i}`, Text: value } };
}
const proposed = async (
  values: readonly string[],
  separator: string,
): Promise<Partial<ProposedField> & { evidence?: string | undefined }> => {
  const { proposals } = await inferSchema(cells(values), { type: 'Sample', separator, empty: [] }, null);
  const of = proposals.find(({ column }) => column === 'Text');
  return { ...of?.field, evidence: of?.evidence };
};
const PHRASES = ['1000 Genomes on GRCh38', 'Phase 3 release', 'High coverage', 'Structural variation'];
/** The phrases of the bits of `i`. */
const chosen = (i: number): string => PHRASES.filter((_, bit) => ((i % 15) + 1) & (1 << bit)).join(',');

test('phrases that come again in other combinations are lists, whatever spaces they have', async () => {
  const values = Array.from({ length: 300 }, (_, i) => chosen(i));
  expect(await proposed(values, ',')).toEqual({
    ...{ name: 'text', field_type: 'string', many: true, required: true },
    evidence: 'all rows have a value, 15 different; lists with "," between values',
  });
  expect((await proposed(values, ';')).many).toBeUndefined();
});

test.each([
  ['names with a comma', (i: number) => `Region ${i % 40}, Western ancestry`],
  ['sentences with a part that comes again', (i: number) => `taken by hand, sample no. ${i}`],
  ['sentences, few of which look like lists', (i: number) => (i < 20 ? chosen(i) : `sample no. ${i}`)],
])('%s are no lists', async (_, valueOf) => {
  const values = Array.from({ length: 300 }, (_, i) => valueOf(i));
  const { name, many } = await proposed(values, ',');
  expect([name, many]).toEqual(['text', undefined]);
});
