import { expect, test } from 'vitest';
import { readMomentCursor, writeMomentCursor } from './moment-cursor.ts';

test('cursors of one place are one text in the present, and never as of a time: whether moments are equal is not told', () => {
  expect(writeMomentCursor('7', null)).toBe(writeMomentCursor('7', null));
  const cursor = writeMomentCursor('7', '12');
  expect(writeMomentCursor('7', '12')).not.toBe(cursor);
  expect(readMomentCursor(cursor, null)).toEqual({ after: '7', at: '12' });
});
