// An interface with a key, and a subgraph that adds fields to all its objects without knowing their types.
import type { Graph } from '../graph.ts';

const MEDIA = [
  { __typename: 'Film', id: 'f1', title: 'Metropolis', minutes: 153 },
  { __typename: 'Song', id: 's1', title: 'Erlkönig', key: 'G minor' },
];
const mediumOf = ({ id }: { id: string }) => MEDIA.find((medium) => medium.id === id) ?? null;

export const interfaceObjects: Graph = {
  name: 'interface objects',
  literals: { limit: ['1', '2'] },
  subgraphs: {
    media: {
      typeDefs: `
        interface Titled { title: String! }
        interface Media @key(fields: "id") { id: ID! title: String! }
        type Film implements Media & Titled @key(fields: "id") { id: ID! title: String! minutes: Int }
        type Song implements Media @key(fields: "id") { id: ID! title: String! key: String }
        type Query { media(limit: Int): [Media!]! film: Film }`,
      resolvers: {
        Query: {
          media: (_: unknown, { limit }: { limit?: number }) => MEDIA.slice(0, limit),
          film: () => MEDIA[0],
        },
        Media: { __resolveReference: mediumOf },
        Film: { __resolveReference: mediumOf },
        Song: { __resolveReference: mediumOf },
      },
    },
    reviews: {
      typeDefs: `
        type Media @key(fields: "id") @interfaceObject { id: ID! stars: Int reviews: [Review!]! }
        type Review { text: String! of: Media! }
        type Query { best: Media none: Media reviews: [Review!]! top: [Media!]! }`,
      resolvers: {
        Query: {
          best: () => ({ id: 'f1' }),
          none: () => ({ id: 'gone' }),
          reviews: () => [{ text: 'fine', id: 's1' }],
          top: () => MEDIA.map(({ id }) => ({ id })),
        },
        Media: {
          stars: ({ id }: { id: string }) => (id === 'f1' ? 5 : null),
          reviews: ({ id }: { id: string }) => [{ text: `of ${id}`, id }],
          __resolveReference: (reference: object) => reference,
        },
        Review: { of: ({ id }: { id: string }) => ({ id }) },
      },
    },
  },
  documents: [
    { source: '{ media { id title stars } }', strategy: 'stock' },
    { source: '{ best { id stars } }', answer: { data: { best: { id: 'f1', stars: 5 } } } },
    { source: '{ best { __typename id } }', answer: { data: { best: { __typename: 'Film', id: 'f1' } } } },
    { source: '{ best { title ... on Film { minutes } } top { ... on Song { key } id } }' },
    {
      source: '{ top { ... on Titled { title } } }',
      unplannable: 'it looks for an edge for __typename, which an interface object has not',
    },
    { source: '{ top { ... on Media { id stars } } }' },
    { source: '{ top { ...M } } fragment M on Media { stars reviews { text of { id } } }' },
    { source: '{ reviews { text of { title stars } } }' },
    { source: '{ film { title stars reviews { text } } }' },
    { source: '{ none { id stars } }' },
    { source: '{ none { title } }' },
    {
      source:
        '{ media(limit: 1) { ... on Film { minutes stars } ... on Song { key stars } } best { stars } }',
    },
  ],
};
