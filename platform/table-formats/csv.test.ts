// What is written here instead of by a library is held against it.
import fc from 'fast-check';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { canonicalInstant } from '../instant.ts';
import { csv } from './csv.ts';
import { type TableColumn, typedValue } from './table.ts';

const COLUMNS = (['string', 'string', 'json'] as const).map((kind, i): TableColumn => ({
  name: ['a', 'b "of", both', 'c\r\n'][i] ?? '',
  kind,
  many: false,
  value: (row) => row[i],
}));

const text = fc.string({
  unit: fc.constantFrom('"', ',', '\r', '\n', ' ', ';', '\t', "'", '=', 'a', 'é', '\u2028'),
});

test('CSV is what csv-stringify writes where line breaks of any kind are quoted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.option(text), fc.option(text), fc.option(text)), { maxLength: 5 }),
      async (records) => {
        const blocks = (async function* () {
          yield await Promise.resolve(records.map((values) => JSON.stringify(values)));
        })();
        let written = '';
        for await (const piece of csv.encode(COLUMNS, blocks)) written += String(piece);
        const shown = records.map(([a, b, c]) => [a, b, c === null ? null : JSON.stringify(c)]);
        expect(written).toBe(
          stringify([COLUMNS.map(({ name }) => name), ...shown], {
            record_delimiter: '\r\n',
            quoted_match: /^$/,
            quote_record_delimiter: true,
          }),
        );
      },
    ),
    { numRuns: 300 },
  );
});

const digits = (length: number, ...usual: string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...usual),
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length }),
  );

test('instants of the form that the database has are those of all others', () => {
  const instants = fc
    .tuple(
      digits(4, '0000', '0001', '1969', '2024', '9999'),
      digits(2, '02', '12', '00', '13'),
      digits(2, '29', '30', '31', '00', '01'),
      digits(2, '23', '24'),
      digits(2, '59', '60'),
      digits(2, '59', '60'),
      digits(6, '000000', '999999'),
    )
    .map(([y, m, d, h, min, s, us]) => `${y}-${m}-${d}T${h}:${min}:${s}.${us}Z`);
  fc.assert(
    fc.property(instants, (instant) => {
      const exact = canonicalInstant(instant);
      const micros =
        exact === null
          ? null
          : BigInt(Date.parse(`${exact.slice(0, 19)}Z`)) * 1000n + BigInt(instant.slice(20, 26));
      expect(typedValue('datetime', instant)).toBe(micros);
    }),
    { numRuns: 3000 },
  );
});
