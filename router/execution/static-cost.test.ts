// The cost of operations by the sizes of their lists.
import { buildSchema, type DocumentNode, Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { listSizes } from './list-sizes.ts';
import { compileCost } from './static-cost.ts';

const SDL = `
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
  directive @cost(weight: Int!) on FIELD_DEFINITION
  type Query { page(limit: Int = 100): Page! @listSize(slicingArguments: ["limit"], sizedFields: ["all"]) one: Thing heavy: Thing @cost(weight: 50) list(first: Int, last: Int): Connection usual: [Thing!]! }
  type Page { all: [Thing!]! total: Int! }
  type Connection { nodes: [Thing!]! edges: [Edge!]! }
  type Edge { node: Thing! }
  type Thing { id: ID! more(limit: Int = 10): [Thing!]! tags: [String!]! few: [Thing!]! @listSize(assumedSize: 3) }
`;
const schema = buildSchema(SDL);

function cost(text: string, variables: Record<string, unknown> = {}): number {
  const document: DocumentNode = parse(text);
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (!operation) throw new Error('no operation');
  return compileCost(schema, [listSizes(SDL)], document, operation)(variables);
}

test.each([
  ['{ one { id tags } }', 1],
  ['{ one { more { id } } }', 11],
  ['{ one { more(limit: 7) { id more(limit: 3) { id } } } }', 1 + 7 * (1 + 3)],
  ['{ page(limit: 5) { total all { id } } }', 1 + 5],
  ['{ page { all { few { id } } } }', 1 + 100 * (1 + 3)],
  ['{ heavy { id } a: heavy { id } }', 100],
  ['{ list(first: 20) { nodes { id } edges { node { id } } } }', 1 + 20 + 20 * 2],
  ['{ list { nodes { id } } }', 1 + 100],
  ['{ usual { id } }', 10],
  ['{ ...F } fragment F on Query { one { ... on Thing { more { id } } } }', 11],
])('%s asks for %i objects', (text, expected) => {
  expect(cost(text)).toBe(expected);
});

test("variables say sizes, their defaults and the schema's where they say none, and nothing makes them negative", () => {
  const text = 'query($n: Int = 4, $m: Int) { one { more(limit: $n) { id more(limit: $m) { id } } } }';
  expect(cost(text)).toBe(1 + 4 * (1 + 10));
  expect(cost(text, { n: 2, m: 3 })).toBe(1 + 2 * (1 + 3));
  expect(cost(text, { n: -5, m: null })).toBe(1);
  expect(cost(text, { n: 1000, m: 1000 })).toBe(1 + 1000 * 1001);
});
