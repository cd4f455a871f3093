// A filter's declared requirements match its SQL: statements are assembled by them.
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { compileFieldFilter } from './field-filter.ts';
import { compileFilter } from './compile-filter.ts';

const term = fc.constantFrom(
  'created_at > timestamp("2026-01-01T00:00:00Z")',
  'updated_at.getFullYear() == 2026',
  'updated_at - created_at > duration("1h")',
  'data.tissue == "liver"',
  'data.reads > 3',
  '"a" in data.tags',
  'data.tags.exists(t, t == "a")',
  'data.tags.all(t, t.startsWith("c.timestamp"))',
  'data.note == " @> "',
  'data.note == "u.timestamp"',
  'has(data.donor)',
  'data.name.matches("^a.*b$")',
  'is_available',
  'true',
  'false',
);

const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'filter' },
    term,
    fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `(${a} && ${b})`),
    fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `(${a} || ${b})`),
    tie('filter').map((a) => `!(${a})`),
    fc.tuple(term, tie('filter'), tie('filter')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
  ),
}));

test.prop([filter], { numRuns: 500 })('a filter uses what its SQL holds', (text) => {
  const compiled = compileFilter(text);
  const sql = compiled.where([]);
  // oxlint-disable-next-line no-control-regex -- marks and placeholders are control characters
  expect(sql).not.toMatch(/[\u0000-\u0008]/);
  expect(compiled.uses.has('times')).toBe(/\b[cu]\.timestamp\b/.test(sql));
  expect(compiled.uses.has('containment')).toBe(sql.includes(' @> '));
});

test('field parameters use containment for data, and nothing for what every entity has', () => {
  const uses = (name: string): readonly string[] => [
    ...compileFieldFilter(null, [{ name, values: ['1'] }]).uses,
  ];
  expect(uses('tissue')).toEqual(['containment']);
  expect(uses('version')).toEqual([]);
});
