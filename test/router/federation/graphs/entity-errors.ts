// Entities whose parts fail, are missing, or violate non-null fields, also inside nested lists.
import { DomainError } from '../../../../platform/errors.ts';
import type { Graph } from '../graph.ts';

const IDS = ['1', '2', '3'];

export const entityErrors: Graph = {
  name: 'errors in entities',
  literals: { id: ['"1"', '"2"', '"3"'] },
  subgraphs: {
    samples: {
      typeDefs: `
        type Sample @key(fields: "id") { id: ID! next: Sample parts: [Sample] grid: [[Sample]] must: Sample! }
        type Query { samples: [Sample!]! sample(id: ID!): Sample grid: [[Sample!]!] none: [Sample] failing: Sample }`,
      resolvers: {
        Query: {
          samples: () => IDS.map((id) => ({ id })),
          sample: (_: unknown, key: object) => key,
          grid: () => [[{ id: '1' }, { id: '2' }], [], [{ id: '3' }]],
          none: () => null,
          failing: () => {
            throw new DomainError('conflict', 'no sample');
          },
        },
        Sample: {
          next: ({ id }: { id: string }) => (id === '3' ? null : { id: String(Number(id) + 1) }),
          parts: ({ id }: { id: string }) => [{ id: '1' }, null, { id }],
          grid: () => [[{ id: '2' }, null], null],
          must: () => ({ id: '2' }),
          __resolveReference: (reference: object) => reference,
        },
      },
    },
    measures: {
      typeDefs:
        'type Sample @key(fields: "id") { id: ID! value: Int strict: Int! detail: Detail } type Detail { value: Int strict: Int! }',
      resolvers: {
        Sample: {
          value: ({ id }: { id: string }) => {
            if (id === '2') throw new DomainError('conflict', 'two has none');
            return Number(id);
          },
          strict: ({ id }: { id: string }) => {
            if (id === '2') throw new DomainError('conflict', 'two is strict');
            return Number(id);
          },
          detail: (sample: object) => sample,
          __resolveReference: ({ id }: { id: string }) => (id === '3' ? null : { id }),
        },
        Detail: {
          value: ({ id }: { id: string }) => Number(id),
          strict: ({ id }: { id: string }) => {
            if (id === '2') throw new DomainError('conflict', 'so is its detail');
            return 1;
          },
        },
      },
    },
    failures: {
      typeDefs: 'type Sample @key(fields: "id") { id: ID! note: String gone: String! }',
      resolvers: {
        Sample: {
          note: ({ id }: { id: string }) => `note ${id}`,
          gone: () => 'here',
          // a rejected one is missing; one that throws leaves the subgraph without an answer
          __resolveReference: async ({ id }: { id: string }) => {
            if (id === '1') throw new DomainError('not_found', 'no such sample');
            return Promise.resolve(id === '2' ? null : { id });
          },
        },
      },
    },
    thrower: {
      typeDefs: 'type Sample @key(fields: "id") { id: ID! thrown: String }',
      resolvers: {
        Sample: {
          thrown: () => 'fine',
          __resolveReference: ({ id }: { id: string }) => {
            if (id === '1') throw new DomainError('conflict', 'no sample at all');
            return { id };
          },
        },
      },
    },
  },
  documents: [
    {
      source: '{ samples { thrown } }',
      instead: {
        data: { samples: [{ thrown: null }, { thrown: null }, { thrown: null }] },
        errors: ['CONFLICT at samples'],
        why: 'its path of an error without an entity, samples.@._entities, is none of the response',
      },
    },
    {
      source: '{ samples { id value } }',
      answer: {
        data: {
          samples: [
            { id: '1', value: 1 },
            { id: '2', value: null },
            { id: '3', value: null },
          ],
        },
        errors: ['CONFLICT at samples.1.value'],
      },
    },
    { source: '{ a: sample(id: "1") { id strict } }' },
    { source: '{ a: sample(id: "2") { id strict } }' },
    { source: '{ a: sample(id: "3") { id strict } }' },
    { source: '{ samples { detail { value strict } note } }' },
    { source: '{ samples { note } }' },
    { source: '{ sample(id: "2") { gone } none { value } }' },
    { source: '{ samples { next { value note } parts { id value } } }' },
    { source: '{ failing { value } sample(id: "1") { value } }' },
    { source: '{ grid { id value } }' },
    { source: '{ sample(id: "1") { grid { value } } }' },
    { source: '{ sample(id: "1") { must { strict } id } }' },
    { source: '{ samples { must { note } value } none { id } }' },
  ],
};
