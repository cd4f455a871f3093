import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../config/limits-section.ts';
import type { DomainError } from '../errors.ts';
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

const codeOf = (take: () => void): unknown => {
  try {
    take();
    return undefined;
  } catch (thrown) {
    const { code, details } = thrown as DomainError; // the budget throws nothing else
    return [code, details];
  }
};

test('what could never be held is too large, whatever else is under way; what only has to wait is asked again', () => {
  const budget = new ByteBudget(() => fittingHeap(limits, 128 * MIB));
  const ada = payerOf('user:ada', undefined);
  const tooLarge = ['payload_too_large', { limit: 8 * MIB }];
  const parts = budget.open(ada);
  parts.take(5 * MIB);
  expect(codeOf(() => parts.take(4 * MIB))).toEqual(tooLarge); // of one body, with what was made of it
  expect(codeOf(() => budget.open(ada).take(4 * MIB))).toEqual(['rate_limit_exceeded', { limit: 8 * MIB }]);
  expect(codeOf(() => budget.open(ada).take(9 * MIB))).toEqual(tooLarge);
  parts.close();
  expect(codeOf(() => budget.open(ada).take(8 * MIB))).toBeUndefined();

  // a share larger than what all may hold
  const all = new ByteBudget(() => ({ bodyBytes: 100, bodyBytesPerActor: 200, bodyBytesPerAddress: 200 }));
  expect(codeOf(() => all.open(ada).take(101))).toEqual(['payload_too_large', { limit: 100 }]);
  expect(codeOf(() => all.open(payerOf(undefined, '192.0.2.7')).take(51))).toEqual([
    'payload_too_large',
    { limit: 50 },
  ]);
});
