// docs/reference/api-conventions.md#cursors: what a cursor may contain, and that forged cursors do not reach
// a statement.
import { expect, test } from 'vitest';
import {
  checkPage,
  decodeCursor,
  encodeCursor,
  instantPart,
  integerPart,
  pageOf,
  textPart,
} from './paging.ts';
import { seal } from './sealed-text.ts';

const ORDER = [instantPart, textPart, integerPart];

test('a cursor contains the values that it was made from', () => {
  const position = ['2026-01-31T09:30:00.123456Z', 'é/"\u{1F9EC}', 7];
  expect(decodeCursor(encodeCursor(position), ORDER)).toEqual(position);
  expect(encodeCursor(position)).toMatch(/^[\w-]+$/);
  expect(decodeCursor(null, ORDER)).toBeNull();
});

test.each([
  ['2026-02-31T00:00:00.000000Z', 'a', 1],
  ['2026-01-31T09:30:00Z', 'a', 1],
  ['infinity', 'a', 1],
  ['2026-01-31T09:30:00.123456Z', 1, 1],
  ['2026-01-31T09:30:00.123456Z', 'a\u0000', 1],
  ['2026-01-31T09:30:00.123456Z', 'a', 1.5],
  ['2026-01-31T09:30:00.123456Z', 'a'],
  [],
])('a position %j, %j, %j of another kind is refused', (...position) => {
  expect(() => decodeCursor(encodeCursor(position), ORDER)).toThrow(/cursor/);
});

test.each(['', 'x', 'bnVsbA', '{}', 'A'.repeat(5000)])('%j is no cursor', (cursor) => {
  expect(() => decodeCursor(cursor, ORDER)).toThrow(/cursor/);
});

test('what a cursor contains is not in it; one that is not sealed, or spelled otherwise, is refused', () => {
  const position = ['4711'];
  const cursor = encodeCursor(position);
  expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('4711');
  expect(encodeCursor(position)).toBe(cursor);
  const long = 'x'.repeat(200_000); // a text that a list is ordered by
  expect(decodeCursor(encodeCursor([long]), [(value) => typeof value === 'string'])).toEqual([long]);
  expect(encodeCursor(['4712']).slice(0, 16)).not.toBe(cursor.slice(0, 16));
  for (const other of [`${cursor}=`, `${cursor}.`, ` ${cursor}`])
    expect(() => decodeCursor(other, [textPart])).toThrow(/does not come from this list/);
  const bytes = Buffer.from(cursor, 'base64url');
  for (let i = 0; i < bytes.length; i++) {
    const altered = Buffer.from(bytes);
    altered[i] = (altered[i] ?? 0) ^ 1;
    expect(() => decodeCursor(altered.toString('base64url'), [textPart])).toThrow(
      /does not come from this list/,
    );
  }
  const token = seal('e2.1.00000000'); // of the change feed
  expect(() => decodeCursor(token, [textPart])).toThrow(/does not come from this list/);
  const unsealed = Buffer.from(JSON.stringify(position)).toString('base64url');
  expect(() => decodeCursor(unsealed, [textPart])).toThrow(/does not come from this list/);
});

test.each([
  [0, 0],
  [1001, 0],
  [1.5, 0],
  [NaN, 0],
  [1, -1],
  [1, 2 ** 53],
])('a page of limit %d from offset %d is refused', (limit, offset) => {
  expect(() => {
    checkPage({ limit, offset });
  }).toThrow(/must be an integer/);
});

test('a page has a next cursor only where there was one row more', () => {
  expect(pageOf([1, 2], 2, (n) => [n])).toEqual({ items: [1, 2], nextCursor: null });
  const { items, nextCursor } = pageOf([1, 2, 3], 2, (n) => [n]);
  expect([items, decodeCursor(nextCursor, [integerPart])]).toEqual([[1, 2], [2]]);
  expect(pageOf([], 2, (n: number) => [n])).toEqual({ items: [], nextCursor: null });
});
