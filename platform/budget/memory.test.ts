// Large answers share the memory of the process.
import { expect, test } from 'vitest';
import { hold, release } from './memory.ts';

const MIB = 1024 * 1024;

test('the memory that one actor uses at the same time is bounded; a single large answer is allowed', () => {
  hold('user:a', 90 * MIB, 0); // alone: its own limits bound it
  expect(() => {
    hold('user:a', 1 * MIB, 0);
  }).toThrow('too many large responses');
  release('user:a', 90 * MIB);
  hold('user:a', 60 * MIB, 0);
  expect(() => {
    hold('user:a', 5 * MIB, 0);
  }).toThrow('too many large responses');
  hold('user:b', 60 * MIB, 0);
  expect(() => {
    hold('user:c', 10 * MIB, 0);
  }).toThrow('too many large responses'); // the process's own bound
  release('user:a', 60 * MIB);
  hold('user:c', 10 * MIB, 0);
  release('user:b', 60 * MIB);
  release('user:c', 10 * MIB);
});
