import { expect, test } from 'vitest';
import { jsonSize } from './json-size.ts';

test('the estimated size is close to the length of the text', () => {
  const value = {
    name: 'x'.repeat(500),
    list: Array.from({ length: 100 }, (_, i) => ({ i: i + 1000, ok: true })),
    none: null,
  };
  const { length } = JSON.stringify(value);
  expect(jsonSize(value, 1_000_000)).toBeGreaterThan(length * 0.7);
  expect(jsonSize(value, 1_000_000)).toBeLessThan(length * 1.5);
});

test('the estimate stops when the limit is exceeded', () => {
  let looked = 0;
  const list = Array.from({ length: 10_000 }, () => ({
    get big() {
      looked++;
      return 'x'.repeat(100);
    },
  }));
  expect(jsonSize(list, 1000)).toBe(1000);
  expect(looked).toBeLessThan(20);
});
