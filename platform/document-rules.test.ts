// Documents are validated as GraphQL has it, without a look at types that they do not name.
import { assertValidSchema, buildSchema, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { documentRules } from './document-rules.ts';

const schema = buildSchema('type Query { book(id: ID): Book } type Book { id: ID }');

assertValidSchema(schema); // which looks at all of them, once

test('a valid document is validated without listing the types', () => {
  const types = new Proxy(schema.getTypeMap(), {
    ownKeys: () => {
      throw new Error('all types were listed');
    },
  });
  const large = Object.assign(Object.create(schema) as typeof schema, { getTypeMap: () => types });
  const document = parse('query ($id: ID) { book(id: $id) { ...B } } fragment B on Book { id }');
  expect(validate(large, document, documentRules)).toEqual([]);
});

test('a document with unknown types gets the same errors as from graphql-js', () => {
  const document = parse('query ($id: IDD) { book { ...B } } fragment B on Bok { id }');
  const told = (rules?: typeof documentRules): string[] =>
    validate(schema, document, rules).map(({ message }) => message);
  expect(told(documentRules)).toEqual(told());
  expect(told().join()).toContain('Unknown type "Bok". Did you mean "Book"?');
});
