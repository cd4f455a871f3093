// Operations that come back are compiled; those whose variables take more than the compiler can write are not.
import { buildSchema, type GraphQLInputObjectType, parse } from 'graphql';
import { expect, test, vi } from 'vitest';
import { isCompilable } from '../../platform/compilable.ts';
import { caller, component, times } from './library.ts';

const RECURSIVE = 'input Where { not: Where, or: [Where!], least: Int }';

test('an operation with a variable of a type that contains itself is answered as often as it is asked', async () => {
  const things = component({
    name: 'things',
    typeDefs: `${RECURSIVE} type Query { count(where: Where): Int! }`,
    resolvers: { Query: { count: (_: unknown, { where }: { where: { least: number } }) => where.least } },
    permissions: { 'Query.count': 'metadata:read' },
  });
  const looked = vi.spyOn(things.schema.getType('Where') as GraphQLInputObjectType, 'getFields');
  const run = things.prepare('query($w: Where) { count(where: $w) }');
  for (let i = 0; i < 10; i++)
    expect(await run({ w: { least: i, or: [{ least: 1 }] } }, caller)).toMatchObject({ data: { count: i } });
  // once for each level of nesting that is written out, or counted
  expect(looked.mock.calls.length).toBeLessThan(1000);
});

test.each([
  ['a scalar, a list and an object', 'input A { n: Int = 1, b: [B!]! } input B { s: [String] }', 'A', true],
  ['a type that contains itself', RECURSIVE, 'Where', false],
  ['types that contain one another', 'input A { b: B } input B { as: [A!] }', '[A!]!', false],
  [
    'lists in lists, each of which is written twice',
    `${times(12, (i) => `input L${i} { l: [L${i + 1}!] }`)} input L12 { n: Int }`,
    'L0',
    false,
  ],
])('%s', (_, types, name, isWritten) => {
  const schema = buildSchema(`${types} type Query { f(a: ${name}): Int }`);
  expect(isCompilable(schema, parse(`query($a: ${name}) { f(a: $a) }`))).toBe(isWritten);
});
