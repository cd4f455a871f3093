import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { proposalText } from './proposal-text.ts';

test('words that YAML 1.1 takes for booleans and numbers stay words in whatever edits the proposal', () => {
  const values = ['no', 'off', 'Y', 'yes', '1_000', '12:30:45'];
  const field = { name: 'in_phase', field_type: 'enum', values, required: true } as const;
  const text = proposalText(
    'sheet.csv',
    { id: null, rows: 9, faults: 0, proposals: [{ column: 'In phase', field, evidence: '6 different' }] },
    { type: 'Sample', separator: ';', empty: [] },
  );
  for (const version of ['1.1', '1.2'] as const)
    expect(parse(text, { version })).toEqual({ name: 'Sample', version: '1.0.0', fields: [field] });
});
