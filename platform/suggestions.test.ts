import { afterEach, expect, test, vi } from 'vitest';
import { Suggestions } from './suggestions.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('the nearest name is suggested, and none where none is near', () => {
  const suggestions = new Suggestions(() => ['Sample', 'Donor', 'Biopsy']);
  expect(
    ['Sampel', 'sample', 'Biops', 'Zebrafish', 'x'.repeat(5000)].map((word) => suggestions.for(word)),
  ).toEqual(['Sample', 'Sample', 'Biopsy', undefined, undefined]);
});

test('however many callers there are, it takes a small share of the time', () => {
  let compared = 0;
  const names = Array.from({ length: 5000 }, (_, i) => `EntityTypeOfSomeKind${i}`);
  const suggestions = new Suggestions(() => {
    compared += 1;
    return names;
  });
  // one comparison with all these names is more than a second may take
  for (const second of [7, 8]) {
    vi.spyOn(performance, 'now').mockReturnValue(second * 1000);
    for (let i = 0; i < 5000; i++) suggestions.for(`EntityTipeOfSomeKind${second}x${i}`);
  }
  expect(compared).toBe(2);
});
