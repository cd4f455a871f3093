import { expect, test } from 'vitest';
import { type Operation, violationsOf } from './check-history.ts';

const states = new Map([['e', [10, 20, 30]]]);
const read = (version: number, value: number, begun: number, ended: number): Operation => ({
  kind: 'read',
  entity: 'e',
  value,
  version,
  begun,
  ended,
});
const write = (version: number, value: number, begun: number, ended: number): Operation => ({
  kind: 'write',
  entity: 'e',
  value,
  version,
  begun,
  ended,
});

test('a correct history has no findings, also with overlapping operations and unknown outcomes', () => {
  expect(
    violationsOf(
      [
        write(2, 20, 0, 5),
        read(1, 10, 1, 4),
        read(2, 20, 3, 6),
        write(3, 30, 7, 8),
        { kind: 'write', entity: 'e', value: 99, begun: 0, ended: 1 },
      ],
      states,
    ),
  ).toEqual([]);
});

test.each<[string, Operation[], string]>([
  ['a stale read', [write(2, 20, 0, 5), read(1, 10, 6, 7)], 'got version 1, after version 2'],
  ['a lost write', [write(2, 25, 0, 5)], 'the log says 20'],
  [
    'a write that was acknowledged twice',
    [write(2, 20, 0, 5), write(3, 20, 6, 7)],
    'was acknowledged as version 2 and 3',
  ],
  [
    'a write that goes behind another',
    [write(3, 30, 0, 1), write(2, 20, 2, 3)],
    'got version 2, after version 3',
  ],
])('%s is found', (_, operations, said) => {
  expect(violationsOf(operations, states).join()).toContain(said);
});
