// A result in a message counts as memory until the message has been sent.
import { expect, test } from 'vitest';
import { messageOf, WrittenResult } from './written-result.ts';

test('the sender is notified when the message has been sent, not before', () => {
  let told = 0;
  const result = new WrittenResult('{"data":1}', true, () => told++);
  const { data, sent } = messageOf(JSON.stringify({ id: '1', type: 'next', payload: result }));
  result.dropUnlessTaken();
  expect([data, told]).toEqual(['{"id":"1","type":"next","payload":{"data":1}}', 0]);
  sent();
  expect(told).toBe(1);
});

test('a result that no one waits for is dropped', () => {
  let told = 0;
  new WrittenResult('{}', true, () => told++).dropUnlessTaken();
  expect(told).toBe(1);
});
