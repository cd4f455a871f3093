import { expect, test } from 'vitest';
import { MAX_PARTS, partDifferences, toldParts } from './part-differences.ts';

test('members are compared one by one down to the depth, and as a whole below it', () => {
  const before = { a: 1, b: { c: { d: 1 }, e: null }, gone: [] };
  const after = { b: { e: null, c: { d: 2 } }, a: '1', come: null };
  expect(partDifferences(before, after, 2)).toEqual([
    { path: ['a'], kind: 'CHANGED', before: 1, after: '1' },
    { path: ['b', 'c'], kind: 'CHANGED', before: { d: 1 }, after: { d: 2 } },
    { path: ['gone'], kind: 'REMOVED', before: [], after: null },
    { path: ['come'], kind: 'ADDED', before: null, after: null },
  ]);
  expect(partDifferences(before, after, 3)[1]?.path).toEqual(['b', 'c', 'd']);
  expect(partDifferences(before, before, 3)).toEqual([]);
  expect(partDifferences({}, { constructor: 1 }, 1)).toMatchObject([
    { path: ['constructor'], kind: 'ADDED' },
  ]);
});

test('an answer says whether it tells all', () => {
  const many = Object.fromEntries(Array.from({ length: MAX_PARTS + 1 }, (_, i) => [`n${i}`, i]));
  expect(toldParts(partDifferences({}, many, 1))).toMatchObject({ isComplete: false });
  expect(toldParts(partDifferences({}, many, 1)).differences).toHaveLength(MAX_PARTS);
  expect(toldParts(partDifferences({}, many, 0))).toMatchObject({ isComplete: true });
});
