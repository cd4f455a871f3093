// Large answers share the memory of the process.
import { expect, test } from 'vitest';
import { hold, release } from './memory.ts';

const MIB = 1024 * 1024;

test('what one actor holds at once is bounded, but for what is alone', () => {
  hold('user:a', 90 * MIB, 0); // alone: its own limits bound it
  expect(() => {
    hold('user:a', 1 * MIB, 0);
  }).toThrow('too many large answers');
  release('user:a', 90 * MIB);
  hold('user:a', 60 * MIB, 0);
  expect(() => {
    hold('user:a', 5 * MIB, 0);
  }).toThrow('too many large answers');
  hold('user:b', 60 * MIB, 0);
  expect(() => {
    hold('user:c', 10 * MIB, 0);
  }).toThrow('too many large answers'); // the process's own bound
  release('user:a', 60 * MIB);
  hold('user:c', 10 * MIB, 0);
  release('user:b', 60 * MIB);
  release('user:c', 10 * MIB);
});
