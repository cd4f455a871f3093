// The types of a component, as documents are held against them: everything that it has, however its SDL says so.
import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { compose } from '../../router/execution/compose.ts';

const HALLS = `
  directive @key(fields: _FieldSet!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE
  directive @traced(as: String) on FIELD
  scalar _FieldSet
  extend type Query { hall: Hall }
  type Hall @key(fields: "id") { id: ID! }
  extend type Hall { shelves(first: Int): [Shelf!]! }
  type Shelf { number: Int! }
`;

test('types that are only extended, and extensions of others, are those of the component', () => {
  const sdls = new Map([
    ['halls', HALLS],
    ['doors', 'type Query { door: String }'],
  ]);
  const schema = compose(sdls).subgraphSchemas.get('halls')?.();
  if (schema === undefined) throw new Error('the component is not there');
  const faults = (source: string): readonly string[] =>
    validate(schema, parse(source)).map(({ message }) => message);
  expect(faults('{ hall { id @traced(as: "a") shelves(first: 2) { number } } }')).toEqual([]);
  expect(faults('{ door }')).toEqual(['Cannot query field "door" on type "Query".']);
  expect(faults('{ hall { shelves(first: "two") { title } } }')).toHaveLength(2);
});
