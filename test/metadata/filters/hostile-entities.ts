// Difficult entities: mixed types under one key, keys with a meaning in JavaScript, numbers at the limits,
// look-alike strings.
import fc from 'fast-check';
import type { BoundEntity } from '../../../platform/cel/bindings.ts';
import { PLAIN_ENTITY } from '../../testkit/plain-entity.ts';

export const KEYS = [
  'a',
  'b',
  's',
  'tags',
  'items',
  'n',
  'weird key',
  'a.b',
  'constructor',
  '__proto__',
  '0',
  'é',
] as const;

export const STRINGS = [
  '',
  'a',
  'b',
  'active',
  'Active',
  'vip',
  'aé',
  'é',
  '😀x',
  '\uffee',
  'z%_\\',
  '31',
  'true',
  "it's",
  '2024-01-01T00:00:00Z',
  'ǅ',
  'İ',
  'ß',
] as const;

export const NUMBERS = [
  0, 1, -1, 2, 31, 30, 0.1, 0.30000000000000004, 1.5, -2.5, 1e21, 1e-7, 9007199254740992, 1152921504606847000,
  123456789.125, 5e-324, 1.7976931348623157e308, 4,
] as const;

/** Own properties whatever their names, as JSON.parse creates them. */
const objectOf = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> => {
  const object: Record<string, unknown> = {};
  for (const [key, value] of entries)
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  return object;
};

function json(depth: number): fc.Arbitrary<unknown> {
  const scalars = [
    { weight: 5, arbitrary: fc.constantFrom<unknown>(...STRINGS) },
    { weight: 5, arbitrary: fc.constantFrom<unknown>(...NUMBERS) },
    { weight: 2, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: fc.constant(null) },
  ];
  if (depth === 0) return fc.oneof(...scalars);
  return fc.oneof(
    ...scalars,
    { weight: 4, arbitrary: fc.array(json(depth - 1), { maxLength: 4 }) },
    { weight: 3, arbitrary: object(depth - 1) },
  );
}

function object(depth: number, minLength = 2): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .array(fc.tuple(fc.constantFrom(...KEYS), json(depth)), { minLength, maxLength: minLength + 9 })
    .map(objectOf);
}

/** Microseconds since 1970 in the platform's timestamp format. */
const timestampText = (micros: bigint): string => {
  const date = new Date(Number(micros / 1000n)); // after 1970 throughout, so division truncates downwards
  return `${date.toISOString().slice(0, 23)}${String(micros % 1000n).padStart(3, '0')}Z`;
};

const BASE = 1_704_067_200_000_000n; // 2024-01-01T00:00:00Z

export const hostileEntity: fc.Arbitrary<BoundEntity> = fc
  .record({
    id: fc.oneof(fc.constantFrom('e1', 'e2', 'é'), fc.stringMatching(/^x[0-9]{1,3}$/)),
    entity_type: fc.constantFrom('sample', 'Sample', 's'),
    version: fc.constantFrom(1, 2, 31),
    is_available: fc.boolean(),
    project: fc.constantFrom(null, 'p1', 'p2'),
    created: fc.bigInt(-20_000_000_000_000n, 20_000_000_000_000n),
    later: fc.constantFrom(0n, 1n, 1000n, 86_400_000_000n, 3_600_000_000n, -5000n),
    data: object(3, 8),
  })
  .map(({ created, later, ...rest }) => ({
    ...PLAIN_ENTITY,
    ...rest,
    created_at: timestampText(BASE + created),
    updated_at: timestampText(BASE + created + later),
  }));
