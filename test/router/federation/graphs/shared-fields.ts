// Fields that several subgraphs resolve: shared roots and values, @provides, overrides, and renamed root
// types.
import type { Graph } from '../graph.ts';

export const sharedFields: Graph = {
  name: 'shared fields',
  literals: { id: ['"b1"', '"b2"'] },
  subgraphs: {
    books: {
      typeDefs: `
        schema { query: BooksQuery }
        type BooksQuery {
          stats: Stats @shareable
          maybe: Stats @shareable
          rows: [Stats!]! @shareable
          book(id: ID!): Book
          books: [Book!]!
          version: String @shareable
        }
        type Stats @shareable { books: Int both: Int deep: Deep }
        type Deep @shareable { a: Int both: Int }
        type Book @key(fields: "id") { id: ID! title: String isbn: String author: Author @provides(fields: "name") }
        type Author @key(fields: "id") { id: ID! name: String @external }`,
      resolvers: {
        BooksQuery: {
          stats: () => ({ books: 2, both: 7, deep: { a: 1, both: 7 } }),
          maybe: () => ({ books: 2, both: 7, deep: null }),
          rows: () => [
            { books: 1, both: 1 },
            { books: 2, both: 2 },
          ],
          book: (_: unknown, { id }: { id: string }) => ({ id, title: 'old', isbn: `isbn ${id}` }),
          books: () => [{ id: 'b1', isbn: 'i' }],
          version: () => '1',
        },
        Book: {
          author: () => ({ id: 'a1', name: 'Ada' }),
          title: () => 'old title',
          __resolveReference: ({ id }: { id: string }) => ({ id, isbn: `isbn ${id}` }),
        },
        Author: { __resolveReference: (reference: object) => reference },
      },
    },
    people: {
      typeDefs: `
        type Query {
          stats: Stats @shareable
          maybe: Stats @shareable
          rows: [Stats!]! @shareable
          people: [Author!]!
          version: String @shareable
        }
        type Stats @shareable { people: Int both: Int deep: Deep }
        type Deep @shareable { b: Int both: Int }
        type Author @key(fields: "id") { id: ID! name: String @shareable born: Int favourite: Book }
        type Book @key(fields: "id") { id: ID! title: String @override(from: "books") }`,
      resolvers: {
        Query: {
          stats: () => ({ people: 3, both: 7, deep: { b: 2, both: 7 } }),
          maybe: () => ({ people: 3, both: 7, deep: null }),
          rows: () => [
            { people: 10, both: 1 },
            { people: 20, both: 2 },
          ],
          people: () => [{ id: 'a1' }],
          version: () => '1',
        },
        Author: {
          name: () => 'Ada',
          born: () => 1815,
          favourite: () => ({ id: 'b2' }),
          __resolveReference: (reference: object) => reference,
        },
        Book: { title: () => 'new title', __resolveReference: (reference: object) => reference },
      },
    },
  },
  documents: [
    {
      source: '{ ...Q } fragment Q on Query { __typename book(id: "b1") { isbn } }',
      instead: {
        data: { __typename: 'Query', book: { isbn: 'isbn b1' } },
        why: 'it takes the root type by its name in the subgraph, BooksQuery, and no fragment applies to that',
      },
    },
    { source: '{ stats { books both } }' },
    { source: '{ stats { books people both deep { a b both } } }' },
    { source: '{ maybe { people books deep { a b } } version }' },
    { source: '{ rows { books people both } }' },
    {
      source: '{ __typename version book(id: "b1") { __typename isbn } }',
      answer: { data: { __typename: 'Query', version: '1', book: { __typename: 'Book', isbn: 'isbn b1' } } },
    },
    { source: '{ book(id: "b1") { id isbn } }' },
    { source: '{ __typename people { id } }', strategy: 'direct' },
    { source: '{ ...Q } fragment Q on Query { books { isbn } }' },
    {
      source: '{ book(id: "b1") { title isbn } }',
      answer: { data: { book: { title: 'new title', isbn: 'isbn b1' } } },
    },
    { source: '{ people { favourite { title } } }', strategy: 'direct' },
    { source: '{ people { favourite { title isbn author { name born } } } }' },
    { source: '{ book(id: "b2") { author { name } } }' },
    { source: '{ book(id: "b2") { author { name born favourite { isbn } } } }' },
  ],
};
