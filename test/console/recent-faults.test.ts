// What Home says of productions that failed.
import { expect, test } from 'vitest';
import { failedText, LOOKED_AT } from '../../console/views/home/recent-faults.ts';

const NOW = Date.parse('2026-03-31T12:00:00Z');
const DAY = 86_400_000;
const failed = (days: number): { requestedAt: string; finishedAt: string | null } => ({
  requestedAt: new Date(NOW - (days + 1) * DAY).toISOString(),
  finishedAt: new Date(NOW - days * DAY).toISOString(),
});

test.each([
  ['none', [], undefined],
  ['old ones', [failed(8), failed(300)], undefined],
  ['a recent one among old ones', [failed(1), failed(8)], '1 production failed in the last 7 days'],
  ['one that was asked for before', [failed(6.5)], '1 production failed in the last 7 days'],
  ['one that did not begin', [{ ...failed(8), finishedAt: null }], undefined],
  [
    'as many as are looked at',
    Array.from({ length: LOOKED_AT }, () => failed(0)),
    '50 productions or more failed in the last 7 days',
  ],
])('%s', (_, productions, text) => {
  expect(failedText(productions, NOW)).toBe(text);
});
