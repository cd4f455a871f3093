// Fields of a subgraph that require others' fields: with arguments, nested, in chains, and inaccessible ones.
import type { Graph } from '../graph.ts';

const PARCELS = [
  { id: '1', grams: 500, size: { width: 2, height: 3 }, tags: ['a', null], fragile: true },
  { id: '2', grams: null, size: null, tags: [], fragile: false },
];
const parcelOf = ({ id }: { id: string }) => PARCELS.find((parcel) => parcel.id === id) ?? null;

interface Known {
  readonly id: string;
  readonly weight?: number | null;
  readonly size?: { readonly width: number } | null;
  readonly tags?: readonly unknown[];
  readonly cost?: number | null;
  readonly route?: string | null;
}

export const requires: Graph = {
  name: 'requires',
  literals: { unit: ['G', 'KG'], id: ['"1"', '"2"'], factor: ['2'] },
  subgraphs: {
    parcels: {
      typeDefs: `
        enum Unit { G KG }
        type Parcel @key(fields: "id") {
          id: ID! weight(unit: Unit = G): Float size: Size tags: [String] fragile: Boolean
          route: String @inaccessible
        }
        type Size { width: Int! height: Int! }
        type Query { parcels: [Parcel!]! parcel(id: ID!): Parcel }`,
      resolvers: {
        Query: { parcels: () => PARCELS, parcel: (_: unknown, key: { id: string }) => parcelOf(key) },
        Parcel: {
          weight: ({ grams }: { grams: number | null }, { unit }: { unit: string }) =>
            grams === null ? null : unit === 'KG' ? grams / 1000 : grams,
          route: ({ id }: { id: string }) => `route ${id}`,
          __resolveReference: parcelOf,
        },
      },
    },
    shipping: {
      typeDefs: `
        enum Unit { G KG }
        type Size { width: Int! @external }
        type Parcel @key(fields: "id") {
          id: ID!
          weight(unit: Unit = G): Float @external
          size: Size @external
          tags: [String] @external
          cost(factor: Int = 1): Float @requires(fields: "weight(unit: KG)")
          width: Int @requires(fields: "size { width }")
          label: String @requires(fields: "tags weight(unit: KG)")
          route: String @external
          stamp: String @requires(fields: "route")
        }
        type Query { next: Parcel }`,
      resolvers: {
        Query: { next: () => ({ id: '1' }) },
        Parcel: {
          cost: ({ weight }: Known, { factor }: { factor: number }) => (weight ?? 0) * factor,
          width: ({ size }: Known) => size?.width ?? null,
          stamp: ({ route }: Known) => route?.toUpperCase() ?? null,
          label: ({ tags, weight }: Known) => JSON.stringify([tags, weight ?? null]),
          __resolveReference: (reference: object) => reference,
        },
      },
    },
    taxes: {
      typeDefs: `
        type Parcel @key(fields: "id") {
          id: ID!
          cost(factor: Int = 1): Float @external
          tax: Float @requires(fields: "cost")
        }`,
      resolvers: {
        Parcel: {
          tax: ({ cost }: Known) => (cost ?? 0) / 10,
          __resolveReference: (reference: object) => reference,
        },
      },
    },
  },
  documents: [
    {
      source: '{ parcels { cost } }',
      answer: { data: { parcels: [{ cost: 0.5 }, { cost: 0 }] } },
    },
    {
      // a member that clients do not see is fetched for a field that requires it, and not shown
      source: '{ parcels { stamp } next { stamp } }',
      answer: {
        data: { parcels: [{ stamp: 'ROUTE 1' }, { stamp: 'ROUTE 2' }], next: { stamp: 'ROUTE 1' } },
      },
    },
    { source: '{ parcels { id width } }' },
    { source: '{ parcels { weight cost label } }' },
    { source: '{ parcels { weight(unit: KG) cost(factor: 2) } }' },
    {
      source:
        '{ parcels { grams: weight kilos: weight(unit: KG) doubled: cost(factor: 2) label width size { height } } }',
    },
    { source: '{ parcels { tax } }' },
    { source: '{ next { tax width weight } }' },
    { source: 'query($u: Unit) { parcel(id: "1") { weight(unit: $u) cost label } }', variables: { u: 'G' } },
    { source: '{ parcel(id: "none") { tax } parcels { tax cost } }' },
    {
      source: 'query($yes: Boolean!) { parcels { cost @include(if: $yes) tax @skip(if: $yes) id } }',
      variables: { yes: false },
    },
    {
      source: 'query($yes: Boolean!) { parcels { cost @include(if: $yes) tax @skip(if: $yes) id } }',
      variables: { yes: true },
    },
  ],
};
