import { expect, test } from 'vitest';
import { Suggestions } from './suggestions.ts';

test('the nearest name is suggested, and none where none is near', () => {
  const suggestions = new Suggestions(() => ['Sample', 'Donor', 'Biopsy']);
  expect(
    ['Sampel', 'sample', 'Biops', 'Zebrafish', 'x'.repeat(5000)].map((word) => suggestions.for(word)),
  ).toEqual(['Sample', 'Sample', 'Biopsy', undefined, undefined]);
});

test('however many callers there are, it takes a small share of the time', () => {
  const suggestions = new Suggestions(() =>
    Array.from({ length: 5000 }, (_, i) => `EntityTypeOfSomeKind${i}`),
  );
  const began = process.cpuUsage();
  const spentMs = (): number => process.cpuUsage(began).user / 1000;
  for (let i = 0; i < 5000 && spentMs() < 3000; i++) suggestions.for(`EntityTipeOfSomeKind${i}x`);
  expect(spentMs()).toBeLessThan(1000); // all of them would take minutes
});
