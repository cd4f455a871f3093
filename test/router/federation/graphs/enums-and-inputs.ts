// Enums and inputs that are smaller in the API schema than in a subgraph: by intersection, or by
// @inaccessible.
import type { Graph } from '../graph.ts';

const PAINTS = [
  { id: 'p1', colour: 'RED', colours: ['RED', 'SECRET'], finish: 'MATT' },
  { id: 'p2', colour: 'SECRET', colours: ['BLUE'], finish: 'GLOSS' },
];
const paintOf = ({ id }: { id: string }) => PAINTS.find((paint) => paint.id === id) ?? null;

export const enumsAndInputs: Graph = {
  name: 'enums and inputs',
  literals: {
    colour: ['RED', 'BLUE'],
    unit: ['MM'],
    filter: ['{ least: 1 }'],
    id: ['"p1"', '"p2"', '"none"'],
  },
  subgraphs: {
    paints: {
      typeDefs: `
        enum Colour { RED BLUE SECRET @inaccessible }
        enum Finish { MATT GLOSS }
        enum Unit { MM INCH }
        input Filter { least: Int hidden: Int @inaccessible own: Int }
        type Paint @key(fields: "id") {
          id: ID! colour: Colour colours: [Colour] strict: Colour! finish: Finish size(unit: Unit): String
        }
        type Query {
          paint(id: ID!): Paint
          paints(filter: Filter): [Paint!]!
          echo(colour: Colour): Colour
          must: Colour!
        }`,
      resolvers: {
        Query: {
          paint: (_: unknown, key: { id: string }) => paintOf(key),
          paints: (_: unknown, { filter }: { filter?: object }) => (filter ? PAINTS.slice(0, 1) : PAINTS),
          echo: (_: unknown, { colour }: { colour?: string }) => colour ?? null,
          must: () => 'SECRET',
        },
        Paint: {
          strict: ({ colour }: { colour: string }) => colour,
          size: (_: unknown, { unit }: { unit?: string }) => `1 ${unit ?? 'MM'}`,
          __resolveReference: paintOf,
        },
      },
    },
    stock: {
      typeDefs: `
        enum Finish { GLOSS SATIN }
        enum Unit { MM }
        input Filter { least: Int }
        type Paint @key(fields: "id") { id: ID! count(unit: Unit, filter: Filter): Int otherFinish: Finish }
        type Query { finishes: [Finish!]! counted(filter: Filter): Int }`,
      resolvers: {
        Query: { finishes: () => ['GLOSS', 'SATIN'], counted: () => 3 },
        Paint: {
          count: () => 2,
          otherFinish: ({ id }: { id: string }) => (id === 'p1' ? 'SATIN' : null),
          __resolveReference: (reference: object) => reference,
        },
      },
    },
  },
  documents: [
    {
      source: '{ paints { id colour } }',
      strategy: 'plan',
      answer: {
        data: {
          paints: [
            { id: 'p1', colour: 'RED' },
            { id: 'p2', colour: null },
          ],
        },
        errors: ['INTERNAL_ERROR at paints.1.colour'],
      },
    },
    {
      source: '{ paints { colours } }',
      answer: {
        data: { paints: [{ colours: ['RED', null] }, { colours: ['BLUE'] }] },
        errors: ['INTERNAL_ERROR at paints.0.colours.1'],
      },
    },
    {
      source: '{ paints { id } a: paint(id: "p1") { strict } b: paint(id: "p2") { strict } }',
      answer: {
        data: { paints: [{ id: 'p1' }, { id: 'p2' }], a: { strict: 'RED' }, b: null },
        errors: ['INTERNAL_ERROR at b.strict'],
      },
    },
    { source: '{ must }', answer: { data: null, errors: ['INTERNAL_ERROR at must'] } },
    {
      source:
        '{ ... on Query { ...P } } fragment P on Query { paint(id: "p2") { ...C count } } fragment C on Paint { c: colour }',
    },
    { source: '{ paint(id: "p1") { id finish } }', strategy: 'direct' },
    { source: '{ paints { finish otherFinish } finishes }' },
    { source: 'query($c: Colour) { echo(colour: $c) }', variables: { c: 'RED' } },
    { source: '{ echo(colour: BLUE) }' },
    {
      source: 'query($f: Filter) { paints(filter: $f) { id } }',
      variables: { f: { least: 2 } },
      strategy: 'plan',
    },
    {
      source: 'query($f: Filter) { paints(filter: $f) { id } counted(filter: $f) }',
      variables: { f: { least: 2 } },
    },
    {
      source: '{ paints(filter: { least: 1 }) { id size(unit: MM) count(unit: MM, filter: { least: 1 }) } }',
    },
    {
      source: 'query($u: Unit) { paint(id: "p1") { size(unit: $u) count(unit: $u) } }',
      variables: { u: 'MM' },
    },
  ],
};
