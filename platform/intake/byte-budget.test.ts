import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../config/limits-section.ts';
import { ByteBudget, fittingHeap, payerOf } from './byte-budget.ts';

const MIB = 2 ** 20;
const limits = { ...DEFAULT_LIMITS, bodyBytes: 256 * MIB, bodyBytesPerActor: 128 * MIB };

test('bodies have at most an eighth of the heap, and actors and addresses as large a part of that', () => {
  expect(fittingHeap(limits, 2048 * MIB)).toMatchObject({ bodyBytes: 256 * MIB });
  expect(fittingHeap(limits, 128 * MIB)).toEqual({
    bodyBytes: 16 * MIB,
    bodyBytesPerActor: 8 * MIB,
    bodyBytesPerAddress: MIB,
  });
});

test('what is configured smaller is not made larger', () => {
  const small = { ...limits, bodyBytes: 4 * MIB, bodyBytesPerActor: 3 * MIB, bodyBytesPerAddress: 2 * MIB };
  expect(fittingHeap(small, 4096 * MIB)).toEqual({
    bodyBytes: 4 * MIB,
    bodyBytesPerActor: 3 * MIB,
    bodyBytesPerAddress: 2 * MIB,
  });
});

test('one actor cannot take what another needs', () => {
  const budget = new ByteBudget(() => fittingHeap(limits, 128 * MIB));
  budget.open(payerOf('user:a', undefined)).take(8 * MIB);
  expect(() => budget.open(payerOf('user:a', undefined)).take(1)).toThrow('bytes of concurrent requests');
  budget.open(payerOf('user:b', undefined)).take(8 * MIB);
  expect(() => budget.open(payerOf('user:c', undefined)).take(1)).toThrow('the server has reached its limit');
});
