// Unions and interfaces that are partially known to several subgraphs, and members that clients do not see.
import type { Graph } from '../graph.ts';

const BOOK = { __typename: 'Book', id: 'b1', title: 'Engines', pages: 100 };
const FILM = { __typename: 'Film', id: 'f1', title: 'M', minutes: 117 };
const GHOST = { __typename: 'Ghost', id: 'g1', title: 'unseen' };
const ALL: readonly { readonly id: string }[] = [BOOK, FILM];
const anyOf = ({ id }: { id: string }) => ALL.find((one) => one.id === id) ?? null;
const itself = { __resolveReference: anyOf };

export const abstractTypes: Graph = {
  name: 'abstract types',
  literals: { id: ['"b1"', '"f1"', '"none"'] },
  subgraphs: {
    library: {
      typeDefs: `
        interface Node { id: ID! }
        interface Titled { title: String }
        type Book implements Titled @key(fields: "id") { id: ID! title: String sequel: Item }
        type Film implements Node & Titled @key(fields: "id") { id: ID! title: String }
        type Ghost implements Node & Titled @inaccessible { id: ID! title: String }
        union Item = Book | Film | Ghost
        union Shown = Book | Film
        type Query {
          items: [Item] shown: [Shown!]! titled: [Titled] nodes: [Node!] book(id: ID!): Book item(id: ID!): Item
        }`,
      resolvers: {
        Query: {
          items: () => [BOOK, GHOST, null, FILM],
          shown: () => [BOOK, FILM],
          titled: () => [FILM, GHOST, BOOK],
          nodes: () => [FILM],
          book: (_: unknown, { id }: { id: string }) => (id === BOOK.id ? BOOK : null),
          item: (_: unknown, { id }: { id: string }) => (id === 'none' ? GHOST : anyOf({ id })),
        },
        Book: { ...itself, sequel: () => FILM },
        Film: itself,
      },
    },
    archive: {
      typeDefs: `
        interface Node { id: ID! }
        interface Sized { size: Int }
        type Book implements Node & Sized @key(fields: "id") { id: ID! pages: Int size: Int twin: Film }
        type Film implements Sized @key(fields: "id") { id: ID! minutes: Int size: Int }
        union Extra = Book | Film
        type Query { extras: [Extra] sized: [Sized!]! }`,
      resolvers: {
        Query: { extras: () => [FILM, BOOK], sized: () => [BOOK, FILM] },
        Book: { ...itself, size: () => 1, twin: () => FILM },
        Film: { ...itself, size: () => 2 },
      },
    },
  },
  documents: [
    {
      source: '{ book(id: "b1") { twin { ... on Extra { ... on Film { t: __typename minutes } } } } }',
      instead: {
        data: { book: { twin: { t: 'Film', minutes: 117 } } },
        why: 'it forgets below a fragment on a wider type which type the object has',
      },
    },
    {
      source: '{ extras { ... on Node { id } } }',
      strategy: 'plan',
      answer: { data: { extras: [{ id: 'f1' }, { id: 'b1' }] } },
    },
    {
      source: '{ shown { __typename ... on Node { id } } }',
      answer: {
        data: {
          shown: [
            { __typename: 'Book', id: 'b1' },
            { __typename: 'Film', id: 'f1' },
          ],
        },
      },
    },
    {
      source:
        '{ shown { ...N } extras { ...N } } fragment N on Node { __typename id ... on Book { pages title } }',
    },
    { source: '{ shown { ... on Titled { title ... on Node { id } } } }' },
    {
      source: '{ shown { ... on Titled { title } ... on Book { id } ... on Film { id } } }',
      strategy: 'direct',
    },
    {
      source: '{ items { __typename } }',
      answer: {
        data: { items: [{ __typename: 'Book' }, null, null, { __typename: 'Film' }] },
        errors: ['INTERNAL_ERROR at items.1'],
      },
    },
    { source: '{ titled { title } }' },
    { source: '{ titled { title ... on Sized { size } } sized { size ... on Titled { title } } }' },
    { source: '{ nodes { id __typename ... on Film { minutes title } } }' },
    {
      source:
        '{ book(id: "b1") { sequel { ... on Film { minutes } ... on Book { pages } } twin { title size } } }',
    },
    { source: '{ book(id: "none") { title pages } item(id: "f1") { ... on Sized { size } } }' },
    { source: '{ item(id: "none") { ... on Titled { title } } }' },
    { source: '{ ... on Query { extras { ... on Sized { size } } } }', strategy: 'direct' },
    { source: '{ sized { ... on Node { id } } }' },
  ],
};
