// Entities with several keys, with compound and nested ones, and with keys that are null or match nothing.
import type { Graph } from '../graph.ts';

const PRODUCTS = [
  { id: '1', sku: 'S1', name: 'one' },
  { id: '2', sku: null, name: 'two' },
  { id: '3', sku: 'lost', name: 'three' },
];
const UPC_TO_ID: Readonly<Record<string, string | null>> = { u1: 'b1', u2: null, u3: 'b3' };

export const keys: Graph = {
  name: 'keys',
  literals: { id: ['"1"', '"2"', '"9"'] },
  subgraphs: {
    products: {
      typeDefs: `
        type Product @key(fields: "id") @key(fields: "sku") { id: ID! sku: String name: String }
        type Query { products: [Product!]! product(id: ID!): Product }`,
      resolvers: {
        Query: {
          products: () => PRODUCTS,
          product: (_: unknown, { id }: { id: string }) => PRODUCTS.find((p) => p.id === id) ?? null,
        },
        Product: {
          __resolveReference: ({ id, sku }: { id?: string; sku?: string }) =>
            PRODUCTS.find((p) => (id === undefined ? p.sku === sku : p.id === id)) ?? null,
        },
      },
    },
    stocks: {
      typeDefs: `
        type Product @key(fields: "sku") { sku: String stock: Int }
        type Query { low: [Product] }`,
      resolvers: {
        Query: { low: () => [{ sku: 'S1' }, { sku: null }, { sku: 'unknown' }] },
        Product: {
          stock: () => 4,
          __resolveReference: (reference: { sku: string | null }) =>
            reference.sku === 'lost' ? null : reference,
        },
      },
    },
    prices: {
      typeDefs: `
        type Product @key(fields: "id") { id: ID! price: Int dear: Int! }
        type Query { cheap: Product }`,
      resolvers: {
        Query: { cheap: () => ({ id: '1' }) },
        Product: {
          price: ({ id }: { id: string }) => Number(id) * 10,
          dear: ({ id }: { id: string }) => (id === '2' ? null : 1),
          __resolveReference: (reference: object) => reference,
        },
      },
    },
    orders: {
      typeDefs: `
        type Order @key(fields: "number customer { id address { zip } }") {
          number: Int! customer: Customer! total: Int
        }
        type Customer @shareable { id: ID! address: Address }
        type Address @shareable { zip: String! }
        type Shelf @key(fields: "id", resolvable: false) { id: ID! }
        type Query { orders: [Order!]! shelf: Shelf }`,
      resolvers: {
        Query: {
          orders: () => [
            { number: 1, customer: { id: 'c1', address: { zip: '8000' } }, total: 5 },
            { number: 2, customer: { id: 'c2', address: null }, total: 6 },
          ],
          shelf: () => ({ id: 'x' }),
        },
        Order: { __resolveReference: (reference: object) => reference },
      },
    },
    shipments: {
      typeDefs: `
        type Order @key(fields: "number customer { id address { zip } }") {
          number: Int! customer: Customer! shipped: String
        }
        type Customer @shareable { id: ID! address: Address }
        type Address @shareable { zip: String! }
        type Shelf @key(fields: "id") { id: ID! room: String }`,
      resolvers: {
        Order: {
          shipped: ({
            number,
            customer,
          }: {
            number: number;
            customer: { id: string; address?: { zip: string } };
          }) => `${number} ${customer.id} ${customer.address?.zip ?? 'nowhere'}`,
          __resolveReference: (reference: object) => reference,
        },
        Shelf: { __resolveReference: ({ id }: { id: string }) => ({ id, room: `R${id}` }) },
      },
    },
    containers: {
      typeDefs: `
        type Container { book: Book }
        type Book @key(fields: "upc") { upc: ID! }
        type Query { containers: [Container] }`,
      resolvers: {
        Query: { containers: () => Object.keys(UPC_TO_ID).map((upc) => ({ book: { upc } })) },
        Book: { __resolveReference: (reference: object) => reference },
      },
    },
    numbers: {
      typeDefs: 'type Book @key(fields: "id") @key(fields: "upc") { id: ID! upc: ID! }',
      resolvers: {
        Book: {
          __resolveReference: ({ id, upc }: { id?: string; upc?: string }) => {
            const found = Object.entries(UPC_TO_ID).find(
              ([u, i]) => u === upc || (id !== undefined && i === id),
            );
            return found?.[1] ? { upc: found[0], id: found[1] } : null;
          },
        },
      },
    },
    authors: {
      typeDefs: 'type Book @key(fields: "id") { id: ID! author: Author } type Author { name: String! }',
      resolvers: {
        Book: {
          author: ({ id }: { id: string }) => ({ name: `of ${id}` }),
          __resolveReference: (reference: object) => reference,
        },
      },
    },
  },
  documents: [
    { source: '{ products { name price } cheap { name stock } }' },
    { source: '{ products { sku stock } }' },
    { source: '{ products { stock price } }' },
    { source: '{ low { stock name price } }' },
    { source: '{ product(id: "9") { stock } products { dear } }' },
    { source: '{ cheap { stock dear } }' },
    { source: '{ orders { number total shipped } }' },
    { source: '{ orders { c: customer { key: id } shipped } }' },
    { source: '{ shelf { id room } }' },
    { source: '{ shelf { room } }' },
    {
      source: '{ containers { book { upc author { name } } } }',
      answer: {
        data: {
          containers: [
            { book: { upc: 'u1', author: { name: 'of b1' } } },
            { book: { upc: 'u2', author: null } },
            { book: { upc: 'u3', author: { name: 'of b3' } } },
          ],
        },
      },
    },
    { source: '{ containers { book { id author { name } } } }' },
  ],
};
